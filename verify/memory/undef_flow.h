// Which memory and which variables may hold a value that was computed from T.undef().
#pragma once
#include <set>

#include "ir/function.h"

namespace hexproof {

/// Whole memories, and variables of lets, T.Let and blocks: what holds such a value at some moment, as far as the
/// stores tell.
struct UndefFlow {
  std::set<Var> memory, vars;
};
UndefFlow undef_flow(const PrimFunc& func);

/// Is an undef in `e`, or anything that may hold one?
bool carries_undef(const Expr& e, const std::set<Var>& memory, const std::set<Var>& vars);
inline bool carries_undef(const Expr& e, const UndefFlow& flow) { return carries_undef(e, flow.memory, flow.vars); }
/// Does something that may depend on an undef decide in `e` (`operands_that_decide`)? That is an error, where the same
/// value is none as another operand (of T.Select).
bool decided_by_undef(const Expr& e, const UndefFlow& flow);
/// May it decide in what the statement itself evaluates?
bool decided_by_undef(const Stmt& stmt, const UndefFlow& flow);

}  // namespace hexproof
