// Integer algorithms written as C would write them, producing LLVM IR. For the backend's own files only.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <vector>

namespace hexproof::hexagon {

/// An unsigned integer (or a bool) of LLVM IR. Operators emit code; a number on the right takes the left's width.
struct Bits {
  llvm::IRBuilder<>* b = nullptr;
  llvm::Value* v = nullptr;

  Bits of(uint64_t number) const { return {b, llvm::ConstantInt::get(v->getType(), number)}; }
  Bits resize(unsigned width) const { return {b, b->CreateZExtOrTrunc(v, b->getIntNTy(width))}; }
  /// The number of zeros above the highest one; the width when there is none.
  Bits leading_zeros() const { return {b, b->CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, v, b->getFalse())}; }
  Bits is_negative() const { return {b, b->CreateICmpSLT(v, of(0).v)}; }
  /// As signed numbers.
  Bits less_signed(Bits y) const { return {b, b->CreateICmpSLT(v, y.v)}; }
};

inline Bits operator+(Bits x, Bits y) { return {x.b, x.b->CreateAdd(x.v, y.v)}; }
inline Bits operator-(Bits x, Bits y) { return {x.b, x.b->CreateSub(x.v, y.v)}; }
inline Bits operator*(Bits x, Bits y) { return {x.b, x.b->CreateMul(x.v, y.v)}; }
inline Bits operator&(Bits x, Bits y) { return {x.b, x.b->CreateAnd(x.v, y.v)}; }
inline Bits operator|(Bits x, Bits y) { return {x.b, x.b->CreateOr(x.v, y.v)}; }
inline Bits operator^(Bits x, Bits y) { return {x.b, x.b->CreateXor(x.v, y.v)}; }
inline Bits operator<<(Bits x, Bits y) { return {x.b, x.b->CreateShl(x.v, y.v)}; }
inline Bits operator>>(Bits x, Bits y) { return {x.b, x.b->CreateLShr(x.v, y.v)}; }
inline Bits operator~(Bits x) { return {x.b, x.b->CreateNot(x.v)}; }
inline Bits operator==(Bits x, Bits y) { return {x.b, x.b->CreateICmpEQ(x.v, y.v)}; }
inline Bits operator!=(Bits x, Bits y) { return {x.b, x.b->CreateICmpNE(x.v, y.v)}; }
inline Bits operator<(Bits x, Bits y) { return {x.b, x.b->CreateICmpULT(x.v, y.v)}; }
inline Bits operator>=(Bits x, Bits y) { return {x.b, x.b->CreateICmpUGE(x.v, y.v)}; }
inline Bits operator>(Bits x, Bits y) { return {x.b, x.b->CreateICmpUGT(x.v, y.v)}; }

inline Bits operator+(Bits x, uint64_t y) { return x + x.of(y); }
inline Bits operator-(Bits x, uint64_t y) { return x - x.of(y); }
inline Bits operator&(Bits x, uint64_t y) { return x & x.of(y); }
inline Bits operator|(Bits x, uint64_t y) { return x | x.of(y); }
inline Bits operator^(Bits x, uint64_t y) { return x ^ x.of(y); }
inline Bits operator<<(Bits x, uint64_t y) { return x << x.of(y); }
inline Bits operator>>(Bits x, uint64_t y) { return x >> x.of(y); }
inline Bits operator==(Bits x, uint64_t y) { return x == x.of(y); }
inline Bits operator!=(Bits x, uint64_t y) { return x != x.of(y); }
inline Bits operator<(Bits x, uint64_t y) { return x < x.of(y); }
inline Bits operator>=(Bits x, uint64_t y) { return x >= x.of(y); }
inline Bits operator>(Bits x, uint64_t y) { return x > x.of(y); }

inline Bits choose(Bits condition, Bits yes, Bits no) { return {yes.b, yes.b->CreateSelect(condition.v, yes.v, no.v)}; }
/// 1 or 0 at the width of `like`.
inline Bits flag(Bits condition, Bits like) { return {like.b, like.b->CreateZExt(condition.v, like.v->getType())}; }

/// for (i = count; i != 0; --i) state = step(state, i - 1). Runs no step when count is zero.
inline std::vector<Bits> repeat(Bits count, std::vector<Bits> state,
                                const std::function<std::vector<Bits>(const std::vector<Bits>&, Bits)>& step) {
  llvm::IRBuilder<>& b = *count.b;
  llvm::LLVMContext& c = b.getContext();
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::Function* f = before->getParent();
  auto* head = llvm::BasicBlock::Create(c, "head", f);
  auto* body = llvm::BasicBlock::Create(c, "body", f);
  auto* end = llvm::BasicBlock::Create(c, "end", f);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  state.push_back(count);
  std::vector<llvm::PHINode*> phis;
  for (Bits& s : state) {
    llvm::PHINode* phi = b.CreatePHI(s.v->getType(), 2);
    phi->addIncoming(s.v, before);
    phis.push_back(phi);
    s.v = phi;
  }
  b.CreateCondBr((state.back() != 0).v, body, end);
  b.SetInsertPoint(body);
  Bits left = state.back() - 1;
  std::vector<Bits> next = step(state, left);
  next.push_back(left);
  for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(next[i].v, b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(end);
  state.pop_back();
  return state;
}

}  // namespace hexproof::hexagon
