#include "backend/host.h"

#include <llvm/ExecutionEngine/RTDyldMemoryManager.h>
#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DynamicLibrary.h>
#include <llvm/Support/MemoryBuffer.h>

#include <bit>
#include <cstring>

#include "backend/codegen/function.h"
#include "backend/codegen/target.h"
#include "backend/workspace.h"
#include "ir/float16.h"

namespace hexproof {
namespace {
std::string symbol_of(size_t index) { return std::to_string(index).insert(0, 1, 'f'); }

using Packed = void (*)(const uint64_t* arguments);

/// One linked object and the memory that holds its code.
struct Loaded {
  std::unique_ptr<llvm::MemoryBuffer> bytes;
  std::unique_ptr<llvm::object::ObjectFile> object;
  std::unique_ptr<llvm::SectionMemoryManager> memory;
};
}  // namespace

struct HostBatch::Impl {
  explicit Impl(HostOptions o) : options(o) {
    machine = codegen::make_machine(Target::Host, o.optimise ? codegen::Effort::Full : codegen::Effort::Fast);
    llvm::sys::DynamicLibrary::LoadLibraryPermanently(nullptr);  // libm's functions are this program's own
    restart();
  }

  void restart() {
    emitter.reset();
    module.reset();
    context = std::make_unique<llvm::LLVMContext>();
    context->setDiscardValueNames(true);
    module = std::make_unique<llvm::Module>("batch", *context);
    codegen::set_target(*module, *machine);
    emitter = std::make_unique<codegen::FunctionEmitter>(
        *module, codegen::CodegenOptions{.target = Target::Host, .packed_arguments = true, .skip_assumes = true});
  }

  HostOptions options;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::unique_ptr<codegen::FunctionEmitter> emitter;
  std::vector<PrimFunc> funcs;
  std::vector<Packed> code;  // of the functions compiled so far
  std::vector<Loaded> loaded;
  std::vector<uint8_t> workspace;
};

HostBatch::HostBatch(HostOptions options) : impl_(std::make_unique<Impl>(options)) {}
HostBatch::~HostBatch() = default;
HostBatch::HostBatch(HostBatch&&) noexcept = default;

size_t HostBatch::size() const { return impl_->funcs.size(); }

size_t HostBatch::add(const PrimFunc& func) {
  impl_->emitter->emit(func, symbol_of(impl_->funcs.size()));
  impl_->funcs.push_back(func);
  return impl_->funcs.size() - 1;
}

void HostBatch::compile() {
  Impl& impl = *impl_;
  size_t first = impl.code.size();
  if (first == impl.funcs.size()) return;
#ifdef HEXPROOF_CHECK_RULES
  codegen::verify(*impl.module);
#endif
  if (impl.options.optimise) codegen::optimise(*impl.module, *impl.machine);
  std::vector<uint8_t> object = codegen::object_code(*impl.module, *impl.machine);
  Loaded loaded;
  llvm::StringRef text(reinterpret_cast<const char*>(object.data()), object.size());
  loaded.bytes = llvm::MemoryBuffer::getMemBufferCopy(text, "batch");
  auto parsed = llvm::object::ObjectFile::createObjectFile(loaded.bytes->getMemBufferRef());
  HEXPROOF_CHECK(bool(parsed), "LLVM does not read its own object");
  loaded.object = std::move(*parsed);
  loaded.memory = std::make_unique<llvm::SectionMemoryManager>();
  llvm::RuntimeDyld linker(*loaded.memory, *loaded.memory);
  linker.loadObject(*loaded.object);
  linker.resolveRelocations();
  HEXPROOF_CHECK(!linker.hasError(), "linking in memory: " + linker.getErrorString().str());
  std::string error;
  HEXPROOF_CHECK(!loaded.memory->finalizeMemory(&error), "code memory: " + error);
  for (size_t i = first; i < impl.funcs.size(); ++i) {
    auto symbol = linker.getSymbol(symbol_of(i));
    HEXPROOF_CHECK(symbol.getAddress() != 0, "no code for function " + std::to_string(i));
    impl.code.push_back(std::bit_cast<Packed>(static_cast<uintptr_t>(symbol.getAddress())));
  }
  impl.loaded.push_back(std::move(loaded));
  impl.restart();
}

void HostBatch::run(size_t index, std::vector<Tensor>& buffers, const std::vector<int64_t>& scalars) {
  Impl& impl = *impl_;
  HEXPROOF_CHECK(index < impl.code.size(), "program " + std::to_string(index) + " is not compiled");
  const PrimFunc& func = impl.funcs[index];
  std::map<Var, int64_t> values = bind_scalars(func, buffers, scalars);
  std::vector<Buffer> params = func.buffer_params();
  std::vector<uint64_t> arguments;
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::optional<Wide> bytes = evaluate(bytes_of(params[i]), values);
    if (!bytes || buffers[i].data.size() < static_cast<size_t>(*bytes)) {
      throw Error("the tensor for '" + params[i]->name + "' is too small");
    }
    arguments.push_back(reinterpret_cast<uintptr_t>(buffers[i].data.data()));
  }
  for (const Var& v : func.scalars()) {
    auto it = values.find(v);
    if (it == values.end()) throw Error("nothing gives a value to '" + v.name() + "' of " + func.name);
    uint64_t raw = static_cast<uint64_t>(it->second);
    // A float parameter takes the integer as its value.
    if (v.dtype() == kFloat32) raw = std::bit_cast<uint32_t>(static_cast<float>(it->second));
    if (v.dtype() == kFloat64) raw = std::bit_cast<uint64_t>(static_cast<double>(it->second));
    if (v.dtype() == kFloat16) raw = double_to_half(static_cast<double>(it->second));
    arguments.push_back(raw);
  }
  size_t needed = static_cast<size_t>(workspace_bytes(func, values)) + kWorkspaceAlignment;
  if (impl.workspace.size() < needed) impl.workspace.resize(needed);
  uintptr_t base = reinterpret_cast<uintptr_t>(impl.workspace.data());
  arguments.push_back((base + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment);
  impl.code[index](arguments.data());
}

}  // namespace hexproof
