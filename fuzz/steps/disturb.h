// Steps that are nearly right.
#pragma once
#include <cstdint>
#include <optional>

#include "fuzz/case.h"

namespace hexproof {

/// The step with one argument changed in one token: a number one more or less, or at an edge; an operator of an index
/// map for another. `number` says which; nothing where the step has none.
std::optional<StepRequest> disturbed(const StepRequest& step, uint64_t number);

}  // namespace hexproof
