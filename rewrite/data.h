// Which variables hold data: the arithmetic on them wraps, and their values come from memory.
#pragma once
#include <set>
#include <vector>

#include "ir/visit.h"
#include "verify/obligation.h"

namespace hexproof {

/// The let-bound and block variables of the function whose value depends on a buffer's content, a call or an
/// undef, through other such variables too. (Loop variables and scalars are index values.)
std::set<Var> data_vars(const PrimFunc& func);
/// Does `e` depend on a buffer's content, given the function's data variables?
bool reads_data(const Expr& e, const std::set<Var>& data);
bool holds_undef(const Expr& e);

/// A formula reads the arithmetic on a variable as mathematical integers, which is wrong for a data variable that
/// stayed free (facts do not inline it): each one becomes an opaque value, whose arithmetic wraps.
void hide_data_vars(const std::set<Var>& data, std::vector<Obligation>* needs);

}  // namespace hexproof
