// The named functions that programs call: libm's, at the type of the call.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/expr.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

/// The function's name without the module it is found in: "exp" of "T.exp" and "tir.exp".
std::string_view base_name(std::string_view name);

/// Is the value the first operand, or its negative (T.abs, T.copysign)? Compilers drop such an operation where they
/// know the signs.
bool changes_the_sign_alone(std::string_view name);

/// What `name` ("exp", "T.exp", "tir.exp") gives on `args`, rounded to `type`; nothing when the function is not
/// modelled or these operands are not its own. float32 is computed by libm's float functions, float16 in float32.
std::optional<Scalar> apply_call(const std::string& name, DType type, std::span<const Scalar> args);

/// Has apply_call an answer on operands of these types, whatever their values? Else nothing is known of the function,
/// whatever it is called.
bool is_modelled(const std::string& name, DType type, std::span<const DType> operands);
/// Is the call one of scalars, or of vectors whose lanes are calls of the scalar function? An unknown function of
/// vectors is another one than that of scalars, of which nothing else is known.
bool acts_on_each_lane(const ExprNode& call);

}  // namespace hexproof
