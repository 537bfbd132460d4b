// Values of one evaluation that are used at several places.
#pragma once
#include "ir/function.h"

namespace hexproof {

/// May a value that operations on floats gave be used twice? It may where it has a name, is spread over lanes, decides
/// a branch or anything else that other statements stand below, or is loaded again by anything but the accumulation
/// that goes on in its cell.
bool uses_a_value_twice(const PrimFunc& func);

}  // namespace hexproof
