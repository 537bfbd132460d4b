#include "backend/field/cells.h"

#include <algorithm>

namespace hexproof::field {
namespace {
using Receiver = std::function<void(const uint64_t*, size_t)>;
void call_receiver(const Receiver* to, const uint64_t* words, uint64_t count) { (*to)(words, count); }
}  // namespace

void CellCode::watch(const Cell&, llvm::Value*) {}

llvm::Value* CellCode::equal(const Cell&, const Cell&) { return b_.getFalse(); }

void CellCode::hand_over(const Cell& cell, const Receiver& to) {
  call(reinterpret_cast<uintptr_t>(&call_receiver), {pointer(&to), scratch(cell), b_.getInt64(cell.size())});
}

llvm::Value* CellCode::scratch(size_t words) {
  llvm::BasicBlock& entry = b_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(b_.getInt64Ty(), b_.getInt64(std::max<size_t>(words, 1)));
}

llvm::Value* CellCode::scratch(const Cell& cell) {
  llvm::Value* out = scratch(cell.size());
  for (size_t i = 0; i < cell.size(); ++i) {
    b_.CreateStore(cell[i], b_.CreateConstGEP1_64(b_.getInt64Ty(), out, i));
  }
  return out;
}

llvm::Value* CellCode::pointer(const void* address) {
  return b_.CreateIntToPtr(b_.getInt64(reinterpret_cast<uintptr_t>(address)), b_.getPtrTy());
}

llvm::CallInst* CellCode::call(uintptr_t function, const std::vector<llvm::Value*>& args) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* a : args) types.push_back(a->getType());
  llvm::Value* target = b_.CreateIntToPtr(b_.getInt64(function), b_.getPtrTy());
  llvm::CallInst* result = b_.CreateCall(llvm::FunctionType::get(b_.getVoidTy(), types, false), target, args);
  result->addFnAttr(llvm::Attribute::NoUnwind);
  return result;
}

}  // namespace hexproof::field
