# hexproof_certify(TARGET name PROGRAM file [SCHEDULE file] [TARGET_ARCH host|hexagon] [OPTIONS ...])
#
# Certifies the program when it is built: `name` is a library of the kernel's object, with its header kernel.h in its include
# folder; the certificate stands in ${CMAKE_CURRENT_BINARY_DIR}/name.certificate. Where testing is enabled, `name.audit` judges
# the certificate from its files alone. What is not proved does not build. A schedule that imports is run again when what it
# imports changes.
cmake_policy(SET CMP0116 NEW)  # what a depfile says is of the build folder
function(hexproof_certify)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;PROGRAM;SCHEDULE;TARGET_ARCH" "OPTIONS")
  if(NOT arg_TARGET OR NOT arg_PROGRAM OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hexproof_certify(TARGET name PROGRAM file [SCHEDULE file] [TARGET_ARCH host|hexagon] [OPTIONS ...])")
  endif()
  if(NOT arg_TARGET_ARCH)
    set(arg_TARGET_ARCH host)
  endif()
  set(inputs)
  foreach(input ${arg_PROGRAM} ${arg_SCHEDULE})
    get_filename_component(input ${input} ABSOLUTE)
    list(APPEND inputs ${input})
  endforeach()
  get_target_property(command hexproof::command IMPORTED_LOCATION)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  list(GET languages 0 language)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.certificate)
  add_custom_command(
    OUTPUT ${folder}/kernel.o ${folder}/kernel.h ${folder}/certificate.json
    COMMAND hexproof::command certify ${inputs} --target ${arg_TARGET_ARCH} --quiet -o ${folder} --depfile ${folder}.d
            ${arg_OPTIONS}
    DEPENDS ${inputs} ${command}
    DEPFILE ${folder}.d
    COMMENT "certifying ${arg_TARGET} for ${arg_TARGET_ARCH}"
    VERBATIM)
  set_source_files_properties(${folder}/kernel.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  add_library(${arg_TARGET} STATIC ${folder}/kernel.o ${folder}/kernel.h)
  set_target_properties(${arg_TARGET} PROPERTIES LINKER_LANGUAGE ${language})
  target_include_directories(${arg_TARGET} INTERFACE ${folder})
  add_test(NAME ${arg_TARGET}.audit COMMAND hexproof::command audit ${folder})
endfunction()
