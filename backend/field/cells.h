// LLVM code for the operations on cells, one class per view of them. Includes LLVM: for the backend's own files only.
#pragma once
#include <llvm/IR/IRBuilder.h>

#include <memory>
#include <vector>

#include "verify/equiv/native.h"

namespace hexproof::field {

/// A cell in registers: its words.
using Cell = std::vector<llvm::Value*>;

/// The operations that fingerprint::Operations asks for, as code at the builder's place.
class CellCode {
 public:
  using Cell = field::Cell;
  using Operand = fingerprint::Operand<Cell>;
  using Label = fingerprint::Label;

  CellCode(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra) : b_(builder), algebra_(algebra) {}
  virtual ~CellCode() = default;

  virtual size_t words(DType type) const = 0;
  virtual llvm::Type* word_type() const = 0;
  /// The words of a constant in memory.
  virtual std::vector<uint64_t> constant_words(const Scalar& value) const = 0;

  virtual Cell constant(const Scalar& value) = 0;
  /// A number that is known only when the code runs; held as Operators do.
  virtual Cell number(DType type, llvm::Value* value) = 0;
  virtual Cell ring(Op op, const Cell& a, const Cell& b) = 0;
  virtual Cell sum(const Cell& a, const Cell& b) = 0;
  virtual Cell product(const Cell& a, const Cell& b) = 0;
  virtual Cell tree(const Label& label, bool commutative, const Cell& a, const Cell& b) = 0;
  virtual Cell tree(const Label& label, const Cell& a) = 0;
  virtual Cell random(const Label& label, bool commutative, const std::vector<Operand>& args, DType result) = 0;
  /// Code for a load of a watched buffer: raises `flag` (a word in memory) as NativeEvaluator::run says.
  virtual void watch(const Cell& loaded, llvm::Value* flag);
  /// Are the cells of equal residues? A bool; false where nothing is known.
  virtual llvm::Value* equal(const Cell& a, const Cell& b);
  /// Code that hands a cell over; `to` must outlive the code.
  void hand_over(const Cell& cell, const std::function<void(const uint64_t*, size_t)>& to);

 protected:
  /// Words on the stack, taken at the entry of the function.
  llvm::Value* scratch(size_t words);
  llvm::Value* scratch(const Cell& cell);  // holding it
  llvm::Value* pointer(const void* address);
  llvm::CallInst* call(uintptr_t function, const std::vector<llvm::Value*>& args);

  llvm::IRBuilder<>& b_;
  const fingerprint::Algebra& algebra_;
};

std::unique_ptr<CellCode> residue_code(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra);
/// `degrees_only`: one word per cell; an operation outside of the tree world is Unsupported then.
std::unique_ptr<CellCode> bound_code(llvm::IRBuilder<>& builder, const fingerprint::Algebra& algebra,
                                     bool degrees_only);

}  // namespace hexproof::field
