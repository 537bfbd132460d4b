// Running the object of a host kernel: exactly the bytes that the certificate holds.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include "backend/arguments.h"
#include "backend/codegen/loader.h"
#include "backend/codegen/operators.h"
#include "backend/codegen/target.h"
#include "backend/kernel.h"
#include "backend/workspace.h"

namespace hexproof {
namespace {

/// void call(const uint64_t* words): passes each word as the kernel's signature has it. The kernel's address is a
/// constant in it.
codegen::LoadedObject trampoline(const PrimFunc& func, void* kernel) {
  auto machine = codegen::make_machine(Target::Host, codegen::Effort::Fast);
  llvm::LLVMContext context;
  llvm::Module module("trampoline", context);
  codegen::set_target(module, *machine);
  llvm::IRBuilder<> b(context);
  codegen::Operators ops(b, module);
  std::vector<llvm::Type*> types(func.buffer_params().size(), b.getPtrTy());
  for (const Var& v : func.scalars()) types.push_back(v.dtype().is_bool() ? b.getInt8Ty() : ops.memory_type(v.dtype()));
  types.push_back(b.getPtrTy());
  auto* call = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                                      llvm::Function::ExternalLinkage, "call", module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", call));
  std::vector<llvm::Value*> arguments;
  for (size_t i = 0; i < types.size(); ++i) {
    arguments.push_back(b.CreateLoad(types[i], b.CreateConstGEP1_64(b.getInt64Ty(), call->getArg(0), i)));
  }
  llvm::Value* target = b.CreateIntToPtr(b.getInt64(reinterpret_cast<uintptr_t>(kernel)), b.getPtrTy());
  b.CreateCall(llvm::FunctionType::get(b.getVoidTy(), types, false), target, arguments);
  b.CreateRetVoid();
  return codegen::LoadedObject(codegen::object_code(module, *machine));
}

/// Memory whose address is a multiple of 128 bytes, with a copy of `bytes` in it.
struct Aligned {
  explicit Aligned(size_t size) : storage(size + kWorkspaceAlignment) {
    auto base = reinterpret_cast<uintptr_t>(storage.data());
    data = storage.data() + (kWorkspaceAlignment - base % kWorkspaceAlignment) % kWorkspaceAlignment;
  }
  std::vector<uint8_t> storage;
  uint8_t* data;
};

}  // namespace

void run_host(const Kernel& kernel, std::vector<Tensor>& buffers, const std::vector<int64_t>& scalars) {
  HEXPROOF_CHECK(kernel.target == Target::Host, "a kernel for another machine");
  demand_runs_here(kernel.cpu);
  const PrimFunc& func = kernel.func;
  ScalarValues values = bind_scalars(func, buffers, scalars);
  std::vector<Aligned> memory;
  std::vector<uint64_t> words;
  for (const Tensor& t : buffers) {
    memory.emplace_back(t.data.size());
    std::copy(t.data.begin(), t.data.end(), memory.back().data);
    words.push_back(reinterpret_cast<uintptr_t>(memory.back().data));
  }
  Aligned workspace(static_cast<size_t>(workspace_bytes(func, values)));
  std::vector<uint64_t> addresses = words;
  addresses.push_back(reinterpret_cast<uintptr_t>(workspace.data));
  demand_alignment(func, addresses);
  for (uint64_t word : scalar_words(func, values)) words.push_back(word);
  words.push_back(reinterpret_cast<uintptr_t>(workspace.data));
  codegen::LoadedObject object(kernel.object);
  codegen::LoadedObject entry = trampoline(func, object.address(kernel.symbol));
  reinterpret_cast<void (*)(const uint64_t*)>(entry.address("call"))(words.data());
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::copy(memory[i].data, memory[i].data + buffers[i].data.size(), buffers[i].data.begin());
  }
}

}  // namespace hexproof
