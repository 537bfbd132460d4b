// Programs with fewer kinds of statement.
#pragma once
#include "ir/stmt.h"

namespace hexproof::parametric {

/// Every block as what it computes: lets of its variables, its predicate as a branch, its init under the condition that
/// each reduction variable is at the start of its domain.
Stmt plain(const Stmt& stmt);

/// Is there a construct that this method does not know? Its name, with the statement; else empty.
std::string not_modelled(const Stmt& stmt);

}  // namespace hexproof::parametric
