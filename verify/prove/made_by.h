// Which operations on floats made a value: what `contract` and `reassoc` see behind it.
#pragma once
#include "ir/function.h"

namespace hexproof {

bool is_float_sum(const Expr& e);
/// A sum, product or quotient of floats.
bool is_float_arithmetic(const Expr& e);

/// Is one of these among the operations that may have made a value, also of what memory holds? (What an undef is, or a
/// permission gives, was computed in any way.)
bool comes_from(const PrimFunc& func, const Expr& value, bool wanted(const Expr&));

/// Are the operands of all products and quotients of floats numbers that no arithmetic on floats made? Then no operand
/// is regrouped with a factor, whatever flags are granted.
bool multiplies_numbers_alone(const PrimFunc& func);

}  // namespace hexproof
