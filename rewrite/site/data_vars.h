// Undefs in expressions.
#pragma once
#include "ir/visit.h"

namespace hexproof {

bool holds_undef(const Expr& e);

}  // namespace hexproof
