// Which variables hold data: their values come from memory.
#pragma once
#include <set>

#include "ir/visit.h"

namespace hexproof {

/// The let and block variables of the function that are bound to data. (Loop variables and scalars are index values.)
std::set<Var> data_vars(const PrimFunc& func);
bool holds_undef(const Expr& e);

}  // namespace hexproof
