// What vectorize, parallelize and unroll share: only the kind of a serial loop changes.
#pragma once
#include "rewrite/memory/dependence.h"

namespace hexproof {

/// The program with the serial loop at `at` made of `kind`; owes that no two iterations conflict unless `kind` is
/// Unrolled.
Rewrite with_kind(const std::string& rule, const PrimFunc& func, const Path& at, ForKind kind);

}  // namespace hexproof
