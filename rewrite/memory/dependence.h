// When two pieces of a program may change places: what each touches, and the obligations that no pair conflicts.
#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/site/places.h"
#include "verify/access/footprint.h"

namespace hexproof {

/// The time from the moment where a statement starts until another one, behind it in the same sequence, is through
/// (often one statement: a loop with all its iterations). A formula sees one memory state, and executions at different
/// moments see different ones; so what is said of a period, its accesses and what is known when it starts, speaks only
/// of memory that nothing in it stores to. This is the one way to compare executions at different moments.
class Period {
 public:
  Period(const PrimFunc& func, const Path& first, const Path& last);
  Period(const PrimFunc& func, const Path& whole) : Period(func, whole, whole) {}

  /// What is known when it starts. (Of memory that changes meanwhile, too: no access of the period mentions it.)
  const Facts& start() const { return start_; }
  std::vector<Expr> given() const { return start_.given(); }

  /// What an execution of the statement at `at`, which lies in the period, does to memory that outlives it, ready to be
  /// compared with an execution at another moment of it. Memory that the statement allocates itself is left out: each
  /// execution has its own. A guard that reads memory which changes is dropped (it may or may not hold), an index that
  /// does so is any value, a view whose place does so may be anywhere.
  std::vector<Access> accesses(const Path& at) const;
  /// The same of `stmt`, run where `at` is, in place of what stands there or of parts of it.
  std::vector<Access> accesses(const Stmt& stmt, const Path& at) const;

 private:
  const PrimFunc& func_;
  Path first_, last_;
  Facts start_;
  std::set<Var> unstable_;  // memory that it stores to or allocates
};

/// The same accesses in another execution: `map` renames the outer variables, loops inside are renamed apart.
std::vector<Access> renamed(const std::vector<Access>& accesses, const VarMap& map);

/// May two accumulations into one cell change places?
enum class Sums : uint8_t {
  Fixed,    // no: also the order of accumulations is kept
  Exchange  // yes, where the operator allows it: rings of integers, floats with `reassoc` granted
};

/// Operators whose law is owed.
using OwedLaws = std::vector<std::pair<Op, DType>>;

/// Owes that under `given` no access of `first` and access of `second` touch one cell with one of them writing.
/// With Sums::Exchange, two updates `T[c] = T[c] op e` (e and c read nothing of T) of one operator on one buffer are
/// exempt; instead the law of the operator is owed, unless it is among `owed` (for several calls that make one
/// rewrite): (t op a) op b == (t op b) op a.
void owe_no_conflict(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                     const std::vector<Expr>& given, const std::vector<Access>& first,
                     const std::vector<Access>& second, Sums sums, std::vector<Obligation>* needs,
                     OwedLaws* owed = nullptr);

/// A fresh variable for each of the loops, named after it.
VarMap fresh_copies(const std::vector<For>& loops);

}  // namespace hexproof
