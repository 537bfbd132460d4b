// Programs made ready for native evaluation over cells.
#pragma once
#include "ir/visit.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/fingerprint/algebra.h"

namespace hexproof::fingerprint {

/// The function with these values of PrimFunc::scalars() put in: no scalar is left, and shapes are constants. Strides
/// and offsets that say "compact" go. Unsupported for a scalar that is no integer and no bool.
PrimFunc at_sizes(const PrimFunc& func, const std::vector<int64_t>& scalars);

/// Where a buffer's content steers, both ways are taken: T.if_then_else becomes T.Select, and a store under an `if`
/// keeps what is there when it is not chosen. The same program where the result is free of errors. An `if` with an
/// assume in it stays. Blocks lose their claims on what they read and write.
PrimFunc both_ways(const PrimFunc& func);

/// About how many statements a run executes: a loop runs as often as at the first or at the last values of the loops
/// around it, whichever is more.
double work(const Stmt& stmt);

/// Does all data stay in the tree world (a sufficient condition)? Then degrees are all that is counted.
bool stays_in_trees(const PrimFunc& func, const Algebra& algebra);

/// The first statement of the kind, or nothing.
template <class Record>
Stmt find_statement(const Stmt& stmt) {
  Stmt found;
  if (!stmt) return found;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (!found && s.as<Record>()) found = s;
    return !found;
  });
  return found;
}

}  // namespace hexproof::fingerprint
