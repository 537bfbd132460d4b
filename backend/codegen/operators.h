// Operators on LLVM values, with the exact meaning of the operator table.
//
// A value of dtype t is held as: bool i1, integers iN, float32 and float64 as themselves, float16 as a `float`
// whose value is a float16 (each operation computes in float, which is exact enough to round once, and is rounded
// to float16 at once). Vectors are LLVM vectors of these. In memory a bool is a byte and a float16 its 16 bits.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "ir/expr.h"

namespace hexproof::codegen {

class Operators {
 public:
  Operators(llvm::IRBuilder<>& builder, llvm::Module& module) : b_(builder), module_(module) {}

  /// The type of a value in a register, and of one element (lane) in memory.
  llvm::Type* type(DType t) const;
  llvm::Type* memory_type(DType element) const;

  /// A binary operator; both operands have dtype `t`. `no_wrap` says that an integer result is known to fit.
  llvm::Value* binary(Op op, DType t, llvm::Value* a, llvm::Value* b, bool no_wrap);
  llvm::Value* cast(DType to, DType from, llvm::Value* value);
  llvm::Value* constant(DType t, const Expr& e);
  llvm::Value* zero(DType t);

  /// Between the form in memory and the form in registers; `t` may have lanes.
  llvm::Value* from_memory(DType t, llvm::Value* raw);
  llvm::Value* to_memory(DType t, llvm::Value* value);
  /// Rounds floats (held as float) to float16.
  llvm::Value* round_half(llvm::Value* value);

 private:
  llvm::Value* division(Op op, DType t, llvm::Value* a, llvm::Value* b);
  /// Applies `f` to each lane of a value (or to the value itself).
  template <class F>
  llvm::Value* per_lane(llvm::Value* value, llvm::Type* element, F f);

  llvm::IRBuilder<>& b_;
  llvm::Module& module_;
};

/// Conversions in integer arithmetic, as functions of the module: the machines need no half instructions, and
/// no libcalls. All round to nearest even.
llvm::Function* half_to_float(llvm::Module& module);   // i16 -> float, exact
llvm::Function* float_to_half(llvm::Module& module);   // float -> i16
llvm::Function* double_to_half(llvm::Module& module);  // double -> i16

}  // namespace hexproof::codegen
