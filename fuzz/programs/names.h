// Programs whose names are easily taken for others.
#pragma once
#include <string>
#include <vector>

#include "fuzz/choices.h"
#include "ir/function.h"

namespace hexproof {

/// Names of one letter and a number; or, in one case of sixteen, such as one print or another makes equal: names of
/// TVMScript's own ("max" is printed as "max_"), keywords of other languages, names with a number behind them. Each
/// once.
std::vector<std::string> index_names(Choices& choices, const std::string& letter, size_t count);

/// In one case of sixteen the same program under such names: scalars and buffers by different ones that are printed as
/// they are; variables inside by any, the same ones, too.
PrimFunc under_other_names(const PrimFunc& func, Choices& choices);

}  // namespace hexproof
