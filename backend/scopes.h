// Which memories a target has.
#pragma once
#include "backend/kernel.h"

namespace hexproof {

/// What the Hexagon v66 has of VTCM, as TVM takes it to be.
inline constexpr int64_t kVtcmBytes = 256 * 1024;

/// Unsupported, at its place, for memory of a scope that the target has not ("" and "global": the main memory; "local":
/// registers; "global.vtcm" on Hexagon), and for more VTCM at once than there is.
void demand_scopes(const PrimFunc& func, Target target);

}  // namespace hexproof
