// How far an index moves with a variable, where its form says so.
#pragma once
#include <optional>

#include "ir/expr.h"

namespace hexproof {

/// d e / d var, where e is linear in it by its form: index arithmetic, which has no overflow, with constant factors.
std::optional<Wide> linear_step(const Expr& e, const Var& var);

}  // namespace hexproof
