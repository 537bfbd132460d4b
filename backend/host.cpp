#include "backend/host.h"

#include <llvm/IR/LLVMContext.h>

#include "backend/arguments.h"
#include "backend/codegen/function.h"
#include "backend/codegen/loader.h"
#include "backend/codegen/target.h"
#include "backend/workspace.h"
#include "ir/base/zeroed_bytes.h"
#include "ir/link/link.h"

namespace hexproof {
namespace {
std::string symbol_of(size_t index) { return std::to_string(index).insert(0, 1, 'f'); }

using Packed = void (*)(const uint64_t* arguments);
}  // namespace

struct HostBatch::Impl {
  explicit Impl(HostOptions o) : options(o) {
    machine = codegen::make_machine(Target::Host, o.optimise ? codegen::Effort::Full : codegen::Effort::Fast);
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
  std::vector<codegen::LoadedObject> loaded;
  ZeroedBytes workspace;
  size_t workspace_size = 0;
};

HostBatch::HostBatch(HostOptions options) : impl_(std::make_unique<Impl>(options)) {}
HostBatch::~HostBatch() = default;
HostBatch::HostBatch(HostBatch&&) noexcept = default;

size_t HostBatch::size() const { return impl_->funcs.size(); }

size_t HostBatch::add(const PrimFunc& func) {
  demand_no_calls(func);
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
  codegen::LoadedObject object(codegen::object_code(*impl.module, *impl.machine));
  for (size_t i = first; i < impl.funcs.size(); ++i) {
    impl.code.push_back(reinterpret_cast<Packed>(object.address(symbol_of(i))));
  }
  impl.loaded.push_back(std::move(object));
  impl.restart();
}

void HostBatch::run(size_t index, std::vector<Tensor>& buffers, const ScalarArguments& scalars) {
  Impl& impl = *impl_;
  HEXPROOF_CHECK(index < impl.code.size(), "program " + std::to_string(index) + " is not compiled");
  const PrimFunc& func = impl.funcs[index];
  ScalarValues values = bind_scalars(func, buffers, scalars);
  std::vector<uint64_t> arguments;
  for (Tensor& t : buffers) arguments.push_back(reinterpret_cast<uintptr_t>(t.data.data()));
  std::vector<uint64_t> words = scalar_words(func, values);
  arguments.insert(arguments.end(), words.begin(), words.end());
  size_t needed = static_cast<size_t>(workspace_bytes(func, values)) + kWorkspaceAlignment;
  if (impl.workspace_size < needed) impl.workspace = ZeroedBytes(needed), impl.workspace_size = needed;
  uintptr_t base = reinterpret_cast<uintptr_t>(impl.workspace.get());
  arguments.push_back((base + kWorkspaceAlignment - 1) / kWorkspaceAlignment * kWorkspaceAlignment);
  impl.code[index](arguments.data());
}

}  // namespace hexproof
