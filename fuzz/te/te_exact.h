// The smallest box of a stage that is computed at a loop, by running through all iterations of the schedule: it shares
// nothing with InferBound but the boxes of the stages that read.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "rewrite/te/bounds/bounds.h"

namespace hexproof {

/// Per axis the greatest number of cells, from the first to the last one, that one iteration of the loops around the
/// stage asks for; 0 where nothing is read. An index that depends on data asks for all. Nothing for a schedule of
/// symbolic sizes, one with a layout, or more than `most` iterations.
std::optional<std::vector<int64_t>> exact_box(const te::Schedule& schedule, const te::Bounds& bounds, te::StageId stage,
                                              uint64_t most = 400'000);

}  // namespace hexproof
