#include "backend/hexagon/stub.h"

#include "backend/codegen/operators.h"
#include "backend/hexagon/runtime.h"
#include "backend/workspace.h"

namespace hexproof::hexagon {
namespace {

// The assembler does not know the counters of packets, instructions and HVX instructions (c20, c21, c22): the
// words are `r1 = c20`, `r2 = c21`, `r3 = c22`.
constexpr const char* kAssembly = R"(
  .text
  .globl _start
  .p2align 4
_start:
  r29 = and(r29, #-128)
  r30 = #0
  r31 = #0
  call hexproof_start
  .globl hexproof_counters
  .p2align 4
hexproof_counters:
  .word 0x6a14c001
  .word 0x6a15c002
  .word 0x6a16c003
  memw(r0+#0) = r1
  memw(r0+#4) = r2
  memw(r0+#8) = r3
  jumpr r31
  .globl hexproof_call
  .p2align 4
hexproof_call:
  r6 = r3
  trap0(#1)
  jumpr r31
)";

constexpr uint32_t kRead = 63, kWrite = 64, kExit = 93;

/// Moves `size` bytes from `at` by a system call that may move fewer; a call that moves none ends the program.
void transfer(llvm::IRBuilder<>& b, llvm::FunctionCallee call, llvm::Value* at, uint32_t size, uint32_t number,
              uint32_t file, uint32_t failure) {
  llvm::LLVMContext& c = b.getContext();
  llvm::Function* f = b.GetInsertBlock()->getParent();
  auto block = [&](const char* name) { return llvm::BasicBlock::Create(c, name, f); };
  auto *head = block("head"), *body = block("body"), *fail = block("fail"), *next = block("next"), *end = block("end");
  llvm::BasicBlock* before = b.GetInsertBlock();
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* done = b.CreatePHI(b.getInt32Ty(), 2);
  done->addIncoming(b.getInt32(0), before);
  b.CreateCondBr(b.CreateICmpULT(done, b.getInt32(size)), body, end);
  b.SetInsertPoint(body);
  llvm::Value* place = b.CreateGEP(b.getInt8Ty(), at, done);
  llvm::Value* moved = b.CreateCall(call, {b.getInt32(file), b.CreatePtrToInt(place, b.getInt32Ty()),
                                           b.CreateSub(b.getInt32(size), done), b.getInt32(number)});
  b.CreateCondBr(b.CreateICmpSGT(moved, b.getInt32(0)), next, fail);
  b.SetInsertPoint(fail);
  b.CreateCall(call, {b.getInt32(failure), b.getInt32(0), b.getInt32(0), b.getInt32(kExit)});
  b.CreateUnreachable();
  b.SetInsertPoint(next);
  done->addIncoming(b.CreateAdd(done, moved), next);
  b.CreateBr(head);
  b.SetInsertPoint(end);
}

llvm::GlobalVariable* memory(llvm::Module& module, const char* name, int64_t bytes) {
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), std::max<int64_t>(bytes, 1));
  auto* global = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage,
                                          llvm::ConstantAggregateZero::get(type), name);
  global->setAlignment(llvm::Align(kWorkspaceAlignment));
  return global;
}

/// The pointers to the rows, in memory that nobody can write, at an odd multiple of their size: the contract promises
/// no more.
llvm::Constant* table_of_rows(llvm::Module& module, llvm::GlobalVariable* block, const PlacedArgument& placed) {
  llvm::LLVMContext& c = module.getContext();
  llvm::Type *i32 = llvm::Type::getInt32Ty(c), *byte = llvm::Type::getInt8Ty(c);
  std::vector<llvm::Constant*> pointers;
  for (int64_t offset : placed.offsets) {
    llvm::Constant* index = llvm::ConstantInt::get(i32, static_cast<uint64_t>(offset));
    pointers.push_back(llvm::ConstantExpr::getGetElementPtr(byte, block, index));
  }
  auto* type = llvm::ArrayType::get(llvm::PointerType::get(c, 0), pointers.size());
  llvm::Constant* parts[] = {llvm::ConstantInt::get(i32, 0), llvm::ConstantArray::get(type, pointers)};
  llvm::Constant* table = llvm::ConstantStruct::getAnon(parts);
  auto* global = new llvm::GlobalVariable(module, table->getType(), /*isConstant=*/true,
                                          llvm::GlobalValue::InternalLinkage, table, "hexproof_rows");
  global->setAlignment(llvm::Align(kWorkspaceAlignment));
  return llvm::ConstantExpr::getGetElementPtr(byte, global, llvm::ConstantInt::get(i32, 4));
}

}  // namespace

void add_stub(llvm::Module& module, const Executable& program, const std::string& kernel) {
  module.appendModuleInlineAsm(kAssembly);
  llvm::IRBuilder<> b(module.getContext());
  codegen::Operators ops(b, module);
  llvm::Type *i32 = b.getInt32Ty(), *pointer = b.getPtrTy(), *nothing = b.getVoidTy();
  auto call = module.getOrInsertFunction("hexproof_call", llvm::FunctionType::get(i32, {i32, i32, i32, i32}, false));
  auto count = module.getOrInsertFunction("hexproof_counters", llvm::FunctionType::get(nothing, {pointer}, false));
  llvm::GlobalVariable* block = memory(module, "hexproof_block", program.block.bytes);
  llvm::Value* workspace = memory(module, "hexproof_workspace", program.workspace_bytes);
  llvm::Value* counters = memory(module, "hexproof_counts", kCounterWords * 4);

  begin(module, b, "hexproof_start", nothing, {});
  transfer(b, call, block, static_cast<uint32_t>(program.block.bytes), kRead, 0, 3);
  std::vector<llvm::Type*> types;
  std::vector<llvm::Value*> arguments;
  auto place = [&](int64_t offset) {
    return b.CreateConstGEP1_32(b.getInt8Ty(), block, static_cast<unsigned>(offset));
  };
  for (const PlacedArgument& placed : program.block.buffers) {
    types.push_back(pointer);
    arguments.push_back(placed.row_table ? table_of_rows(module, block, placed) : place(placed.offsets[0]));
  }
  int64_t word = 0;
  for (const Var& v : program.func.scalars()) {
    types.push_back(ops.memory_type(v.dtype()));
    arguments.push_back(b.CreateLoad(types.back(), place(word)));
    word += 8;
  }
  types.push_back(pointer);
  arguments.push_back(workspace);
  auto entry = module.getOrInsertFunction(kernel, llvm::FunctionType::get(nothing, types, false));
  b.CreateCall(count, {counters});
  b.CreateCall(entry, arguments);
  b.CreateCall(count, {b.CreateConstGEP1_32(b.getInt8Ty(), counters, kCounterWords * 2)});
  transfer(b, call, counters, kCounterWords * 4, kWrite, 1, 4);
  transfer(b, call, block, static_cast<uint32_t>(program.block.bytes), kWrite, 1, 4);
  b.CreateCall(call, {b.getInt32(0), b.getInt32(0), b.getInt32(0), b.getInt32(kExit)});
  b.CreateUnreachable();
}

}  // namespace hexproof::hexagon
