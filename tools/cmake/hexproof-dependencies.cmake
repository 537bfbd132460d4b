# What hexproof's libraries link to: looked for by its own build, and by find_package(hexproof).
macro(hexproof_dependency)
  if(CMAKE_FIND_PACKAGE_NAME STREQUAL "hexproof")
    find_dependency(${ARGN})
  else()
    find_package(${ARGN} REQUIRED)
  endif()
endmacro()

hexproof_dependency(fmt)
hexproof_dependency(Threads)
hexproof_dependency(OpenSSL COMPONENTS Crypto)
hexproof_dependency(SQLite3)
hexproof_dependency(LLVM 19.1 CONFIG)
hexproof_dependency(LLD CONFIG HINTS "${LLVM_CMAKE_DIR}/../lld")

# Z3 from Debian comes without a package file.
if(NOT TARGET hexproof::z3)
  find_library(HEXPROOF_Z3_LIBRARY z3 REQUIRED)
  mark_as_advanced(HEXPROOF_Z3_LIBRARY)
  add_library(hexproof::z3 UNKNOWN IMPORTED)
  set_target_properties(hexproof::z3 PROPERTIES IMPORTED_LOCATION "${HEXPROOF_Z3_LIBRARY}")
endif()

# Python, which runs schedules: Debian's, whatever other one may be in the path. A module of Python's has its symbols from the
# interpreter that loads it.
if(NOT TARGET hexproof::libpython)
  find_library(HEXPROOF_PYTHON_LIBRARY python3.11 REQUIRED)
  mark_as_advanced(HEXPROOF_PYTHON_LIBRARY)
  add_library(hexproof::libpython_shared UNKNOWN IMPORTED)
  set_target_properties(hexproof::libpython_shared PROPERTIES IMPORTED_LOCATION "${HEXPROOF_PYTHON_LIBRARY}")
  add_library(hexproof::libpython INTERFACE IMPORTED)
  set_target_properties(hexproof::libpython PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>>:hexproof::libpython_shared>;${CMAKE_DL_LIBS}")
endif()
