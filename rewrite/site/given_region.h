// A box of cells that somebody proposes.
#pragma once
#include "rewrite/kernel/rule_args.h"
#include "rewrite/site/region.h"

namespace hexproof {

/// The arguments `base` and `extent` of a rule, one entry per dimension of the buffer. They speak of the loops around
/// the place `at` and of the function's scalars, and of no memory; NotApplicable else.
std::vector<DimRange> given_region(const PrimFunc& func, const std::optional<std::vector<Expr>>& base,
                                   const std::optional<std::vector<Expr>>& extent, const Path& at,
                                   const Buffer& buffer);

}  // namespace hexproof
