// T.reinterpret: a value of another type with the same bits, and which types share memory by it.
#pragma once
#include <string_view>

#include "ir/expr.h"

namespace hexproof {

/// The function that calls of it name. It is total: the bits of a NaN are those of the canonical one
/// (FloatFormat::nan), as all NaNs are one value. So a float comes back as it was, and an integer unless its bits are
/// another NaN's.
inline constexpr std::string_view kReinterpret = "reinterpret";

/// Integers and floats of one width, and as many lanes.
bool same_width(DType a, DType b);
/// `value` as a `type` of its width: itself; a cast between integers; else a call, between an integer and a float, or
/// two of them between two formats of floats. Vectors lane by lane.
Expr reinterpret(DType type, Expr value);
/// Is this such a call, between an integer and a float of one width?
bool is_reinterpret(const ExprNode& e);

}  // namespace hexproof
