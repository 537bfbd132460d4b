// Programs with fewer kinds of statement.
#pragma once
#include "ir/function.h"

namespace hexproof::parametric {

/// Every block as what it computes: lets of its variables, its predicate as a branch, its init under the condition that
/// each reduction variable is at the start of its domain.
Stmt plain(const Stmt& stmt);

/// Without remainders that change nothing: `e % n` where 0 <= e < n follows from the loops and conditions around it. An
/// index that is clamped to a symbolic extent can be inverted then.
PrimFunc without_idle_remainders(PrimFunc func);

/// Is there a construct that this method does not know? Its name, with the statement; else empty.
std::string not_modelled(const Stmt& stmt);

}  // namespace hexproof::parametric
