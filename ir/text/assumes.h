// The assumes of a program, as certificates tell them.
#pragma once
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof {

/// What the assumes of a program say, each with the loops that it stands in: "for io, ii: A[io, ii] == 0".
std::vector<std::string> assumes_of(const PrimFunc& func);

}  // namespace hexproof
