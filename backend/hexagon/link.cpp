// From a kernel to an executable: start code, routines, and LLD in a process of its own.
#include <lld/Common/Driver.h>
#include <llvm/IR/LLVMContext.h>

#include <filesystem>

#include "backend/arguments.h"
#include "backend/codegen/contained.h"
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

/// The bytes that `make` returns in a child.
std::vector<uint8_t> made_apart(const std::function<std::vector<uint8_t>()>& make) {
  const std::vector<std::string> parts =
      codegen::contained([&] { return std::vector<std::string>{std::string(text(make()))}; });
  return {parts.at(0).begin(), parts.at(0).end()};
}

std::vector<uint8_t> link(const std::vector<const std::vector<uint8_t>*>& objects) {
  ScratchFolder folder;
  // (Of a full disk a mapping tells by a signal.)
  std::vector<std::string> arguments = {"ld.lld", "--static", "--threads=1", "--no-mmap-output-file",
                                        "-e",     "_start",   "-o",          folder.path("program")};
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
  const std::vector<std::string> parts = codegen::contained([&]() -> std::vector<std::string> {
    std::vector<const char*> pointers;
    for (const std::string& a : arguments) pointers.push_back(a.c_str());
    std::string messages;
    llvm::raw_string_ostream out(messages);
    lld::Result result = lld::lldMain(pointers, out, out, {{lld::Gnu, &lld::elf::link}});
    if (result.retCode != 0) return {"", messages};
    return {read_file(folder.path("program"))};
  });
  // The objects fit together: this machine has too few files, say.
  if (parts.size() != 1) throw HexagonFailure("linking: " + parts.at(1));
  return {parts[0].begin(), parts[0].end()};
}

}  // namespace

Executable link_hexagon(const Kernel& kernel, const ScalarValues& scalars) {
  HEXPROOF_CHECK(kernel.target == Target::Hexagon, "the kernel is not for Hexagon");
  static const std::vector<uint8_t> runtime = made_apart([] { return runtime_object(Target::Hexagon); });
  Executable program;
  program.func = kernel.func;
  program.block = place_arguments(kernel.func, scalars);
  demand_contract(kernel.func, program.block);  // the block itself starts at a multiple of 128 bytes
  program.workspace_bytes = workspace_bytes(kernel.func, scalars);
  std::vector<uint8_t> stub = made_apart([&] { return stub_object(program, kernel.symbol); });
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
