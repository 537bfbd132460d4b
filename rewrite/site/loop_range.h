// The values of a loop variable for which conditions can hold: comparisons solved for it.
#pragma once
#include <optional>

#include "ir/stmt.h"
#include "verify/facts/facts.h"

namespace hexproof {

/// A range, within that of the loop, that holds every iteration in which the conditions of `inside` can hold; nothing
/// when none is seen that is smaller. A guess that obligations must confirm. `inside` are the facts at a place in the
/// loop, `outside` those at the loop: the bounds speak of what stands there only.
///
/// Comparisons of quasi-affine expressions are solved: sums with constant factors, and floor divisions by constants.
/// Variables of loops inside take the value that allows most, where their range is constant. Of a disjunction the hull
/// counts.
std::optional<Range> range_where(const For& loop, const Facts& inside, const Facts& outside);

}  // namespace hexproof
