// Operators on LLVM values, with the exact meaning of the operator table.
//
// A value of dtype t is held as: bool i1, integers iN, float32 and float64 as themselves, float16 and bfloat16 as a
// `float` whose value is one (each operation computes in float, which is exact enough to round once, and is rounded to
// float16 at once). Vectors are LLVM vectors of these. In memory a bool is a byte, and these their 16 bits.
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

  /// `contract` is granted to operations of floats of these bits and narrower ones. (LLVM narrows an operation between
  /// casts to a narrower format, where it would be contracted before it is rounded to its own.)
  void contract_up_to(unsigned bits) { contracted_bits_ = bits; }

  /// A binary operator; both operands have dtype `t`. `no_wrap` says that an integer result is known to fit.
  llvm::Value* binary(Op op, DType t, llvm::Value* a, llvm::Value* b, bool no_wrap);
  llvm::Value* cast(DType to, DType from, llvm::Value* value);
  /// The same bits as a value of the other type, of an integer and a float (is_reinterpret); those of a NaN are the
  /// canonical one's.
  llvm::Value* reinterpret(DType to, DType from, llvm::Value* value);
  llvm::Value* constant(DType t, const Expr& e);
  llvm::Value* zero(DType t);

  /// Between the form in memory and the form in registers; `t` may have lanes.
  llvm::Value* from_memory(DType t, llvm::Value* raw);
  llvm::Value* to_memory(DType t, llvm::Value* value);
  /// Rounds floats (held as float) to the narrower type `t`.
  llvm::Value* round_narrow(DType t, llvm::Value* value);

 private:
  unsigned contracted_bits_ = 64;
  llvm::Value* narrow_from_double_of(DType t, llvm::Value* value);
  llvm::Value* integer_as_double(DType from, llvm::Value* value);
  llvm::Value* division(Op op, DType t, llvm::Value* a, llvm::Value* b);
  /// Applies `f` to each lane of a value (or to the value itself).
  template <class F>
  llvm::Value* per_lane(llvm::Value* value, llvm::Type* element, F f);

  llvm::IRBuilder<>& b_;
  llvm::Module& module_;
};

/// Conversions of 16-bit floats in integer arithmetic, as functions of the module: the machines need no instructions
/// for them, and no libcalls. All round to nearest even.
llvm::Function* widen_to_float(llvm::Module& module, DType narrow);      // i16 -> float, exact
llvm::Function* narrow_from_float(llvm::Module& module, DType narrow);   // float -> i16
llvm::Function* narrow_from_double(llvm::Module& module, DType narrow);  // double -> i16

}  // namespace hexproof::codegen
