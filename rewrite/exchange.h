// When two pieces of a program may change places: what each touches, and the obligations that no pair conflicts.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "rewrite/find.h"
#include "verify/footprint.h"

namespace hexproof {

/// What one execution of a statement does to memory that outlives it, ready to be compared with an execution at another
/// time. Memory that the statement allocates itself is left out: each execution has its own.
///
/// A formula sees one memory state, two executions see two. So a guard that reads memory which `unstable` lists
/// is dropped (it may or may not hold), and an index that does so is any value.
std::vector<Access> effects(const PrimFunc& func, const Stmt& stmt, const Facts& facts, const std::set<Var>& unstable);
/// The memory that a statement writes, with that of the buffers it allocates: `unstable` of a loop body.
std::set<Var> unstable_memory(const std::vector<Stmt>& stmts);

/// The same accesses in another execution: `map` renames the outer variables, loops inside are renamed apart.
std::vector<Access> renamed(const std::vector<Access>& accesses, const VarMap& map);

/// May two accumulations into one cell change places?
enum class Sums : uint8_t {
  Fixed,    // no: also the order of accumulations is kept
  Exchange  // yes, where the operator allows it: rings of integers, floats with `reassoc` granted
};

/// Owes that under `given` no access of `first` and access of `second` touch one cell with one of them writing.
/// With Sums::Exchange, two updates `T[c] = T[c] op e` (e and c read nothing of T) of one operator on one buffer are
/// exempt; instead the law of the operator is owed: (t op a) op b == (t op b) op a.
void owe_no_conflict(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                     const std::vector<Expr>& given, const std::vector<Access>& first,
                     const std::vector<Access>& second, Sums sums, std::vector<Obligation>* needs);

/// A fresh variable for each of the loops, named after it.
VarMap fresh_copies(const std::vector<For>& loops);

}  // namespace hexproof
