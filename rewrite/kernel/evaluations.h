// No rule evaluates twice what was evaluated once and may have another value the second time.
#pragma once
#include <string>

#include "ir/function.h"

namespace hexproof {

/// NotApplicable when `after` holds more operations that the granted flags leave open (verify/prove/open_rounding.h)
/// than `before`: each evaluation of one chooses its rounding anew, and what used one value would use two. A copy that
/// runs in the place of the original is none (rules that make such copies are listed). How *often* a place runs is not
/// counted: what rules evaluate again, or where it runs more often, is_repeatable (rewrite/site/places.h), or they have
/// conditions of their own (inline-let, compute-at, transform-layout). Layouts of buffers are not left open at all.
void demand_no_second_evaluation(const std::string& rule, const PrimFunc& before, const PrimFunc& after);

}  // namespace hexproof
