// T.reads and T.writes that are false: they change no value.
#pragma once
#include "verify/check/check.h"

namespace hexproof {

/// Of what a check asked: the claims that a declared region covers the accesses, where they are not proved.
std::vector<const CheckedObligation*> open_region_claims(const CheckReport& report);
/// The program whose blocks declare no regions. Statements stand where they stood.
PrimFunc without_regions(const PrimFunc& func);

}  // namespace hexproof
