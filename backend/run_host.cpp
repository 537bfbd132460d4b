// Running the object of a host kernel: exactly the bytes that the certificate holds.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <sys/mman.h>

#include <deque>
#include <new>

#include "backend/arguments.h"
#include "backend/codegen/contained.h"
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

/// Memory that a child process shares with this one. It is aligned as kernels ask for it, and no better: who asks for
/// more than the contract says is seen.
class SharedMemory {
 public:
  explicit SharedMemory(size_t size) : size_(size + kWorkspaceAlignment) {
    void* at = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    data = static_cast<uint8_t*>(at) + kWorkspaceAlignment;
    static_assert(kWorkspaceAlignment <= 4096);
  }
  ~SharedMemory() { munmap(data - kWorkspaceAlignment, size_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  uint8_t* data;

 private:
  size_t size_;
};

constexpr int kSeconds = 360;  // of the processor, and ten times as many of the clock: a backstop

}  // namespace

void run_host(const Kernel& kernel, std::vector<Tensor>& buffers, const ScalarArguments& scalars) {
  HEXPROOF_CHECK(kernel.target == Target::Host, "a kernel for another machine");
  demand_runs_here(kernel.cpu);
  const PrimFunc& func = kernel.func;
  ScalarValues values = bind_scalars(func, buffers, scalars);
  std::deque<SharedMemory> memory;
  std::vector<uint64_t> words;
  for (const Tensor& t : buffers) {
    memory.emplace_back(t.data.size());
    std::copy(t.data.begin(), t.data.end(), memory.back().data);
    words.push_back(reinterpret_cast<uintptr_t>(memory.back().data));
  }
  const SharedMemory workspace(static_cast<size_t>(workspace_bytes(func, values)));
  std::vector<uint64_t> addresses = words;
  addresses.push_back(reinterpret_cast<uintptr_t>(workspace.data));
  demand_alignment(func, addresses);
  for (uint64_t word : scalar_words(func, values)) words.push_back(word);
  words.push_back(reinterpret_cast<uintptr_t>(workspace.data));
  codegen::LoadedObject object(kernel.object);
  codegen::LoadedObject entry = trampoline(func, object.address(kernel.symbol));
  const auto call = reinterpret_cast<void (*)(const uint64_t*)>(entry.address("call"));
  try {
    codegen::contained(
        [&] {
          call(words.data());
          return std::vector<std::string>();
        },
        kSeconds);
  } catch (const codegen::Breakdown& failure) {
    throw KernelFailure(std::string("the kernel does not come to its end: ") + failure.what());
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::copy(memory[i].data, memory[i].data + buffers[i].data.size(), buffers[i].data.begin());
  }
}

}  // namespace hexproof
