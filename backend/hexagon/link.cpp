// From a kernel to an executable: start code, routines, and LLD in this process.
#include <lld/Common/Driver.h>
#include <llvm/IR/LLVMContext.h>

#include <filesystem>

#include "backend/arguments.h"
#include "backend/codegen/loader.h"
#include "backend/codegen/target.h"
#include "backend/hexagon.h"
#include "backend/hexagon/runtime.h"
#include "backend/hexagon/stub.h"
#include "backend/scratch.h"
#include "backend/workspace.h"
#include "ir/base/codes.h"
#include "ir/base/file.h"

LLD_HAS_DRIVER(elf)

namespace hexproof {
namespace {

std::vector<uint8_t> runtime_object(Target target) {
  auto machine = codegen::make_machine(target, codegen::Effort::Full);
  llvm::LLVMContext context;
  llvm::Module module("runtime", context);
  codegen::set_target(module, *machine);
  hexagon::add_runtime(module);
  codegen::verify(module);
  return codegen::object_code(module, *machine);
}

std::vector<uint8_t> stub_object(const Executable& program, const std::string& kernel) {
  auto machine = codegen::make_machine(Target::Hexagon, codegen::Effort::Full);
  llvm::LLVMContext context;
  llvm::Module module("start", context);
  codegen::set_target(module, *machine);
  hexagon::add_stub(module, program, kernel);
  codegen::verify(module);
  return codegen::object_code(module, *machine);
}

std::string_view text(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr size_t kHeadersOfAProgram = 1 << 20;  // more bytes than the linker adds to the objects

std::vector<uint8_t> link(const std::vector<const std::vector<uint8_t>*>& objects) {
  static bool usable = true;
  ScratchFolder folder;
  // (Of a full disk a mapping tells by a signal.)
  std::vector<std::string> arguments = {"ld.lld", "--static", "--no-mmap-output-file", "-e",
                                        "_start", "-o",       folder.path("program")};
  size_t bytes = 0;
  for (const std::vector<uint8_t>* object : objects) bytes += object->size();
  std::error_code unknown;
  const std::filesystem::space_info space = std::filesystem::space(folder.path(""), unknown);
  if (!unknown && space.available < 2 * bytes + kHeadersOfAProgram)  // the linker would end the process
    throw CodedError(Code::CannotWrite, "cannot link in '" + folder.path("") + "': no space left on the device");
  for (const std::vector<uint8_t>* object : objects) {
    arguments.push_back(folder.path(std::to_string(arguments.size()).append(".o")));
    write_file(arguments.back(), text(*object));
  }
  std::vector<const char*> pointers;
  for (const std::string& a : arguments) pointers.push_back(a.c_str());
  std::string messages;
  {
    std::lock_guard lock(codegen::llvm_options());  // LLD keeps global state while it runs
    HEXPROOF_CHECK(usable, "the linker broke down before");
    llvm::raw_string_ostream out(messages);
    lld::Result result = lld::lldMain(pointers, out, out, {{lld::Gnu, &lld::elf::link}});
    usable = result.canRunAgain;
    HEXPROOF_CHECK(result.retCode == 0, "linking: " + messages);
  }
  std::string elf = read_file(folder.path("program"));
  return {elf.begin(), elf.end()};
}

}  // namespace

Executable link_hexagon(const Kernel& kernel, const ScalarValues& scalars) {
  HEXPROOF_CHECK(kernel.target == Target::Hexagon, "the kernel is not for Hexagon");
  static const std::vector<uint8_t> runtime = runtime_object(Target::Hexagon);
  Executable program;
  program.func = kernel.func;
  program.block = place_arguments(kernel.func, scalars);
  demand_contract(kernel.func, program.block);  // the block itself starts at a multiple of 128 bytes
  program.workspace_bytes = workspace_bytes(kernel.func, scalars);
  std::vector<uint8_t> stub = stub_object(program, kernel.symbol);
  program.elf = link({&stub, &kernel.object, &runtime});
  return program;
}

struct RuntimeOnHost::Impl {
  codegen::LoadedObject object{runtime_object(Target::Host)};
};
RuntimeOnHost::RuntimeOnHost() : impl_(std::make_unique<Impl>()) {}
RuntimeOnHost::~RuntimeOnHost() = default;
void* RuntimeOnHost::address(const std::string& name) const { return impl_->object.address(name); }

}  // namespace hexproof
