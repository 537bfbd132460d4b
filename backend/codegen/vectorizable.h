// Which vectorized loops are handed to LLVM's loop vectorizer on Hexagon.
#pragma once
#include <set>
#include <string>

#include "ir/function.h"

namespace hexproof::codegen {

/// Loads and stores that are contiguous in the loop's variable, or loads that do not depend on it; integers of up to 32
/// bits; operators for which HVX has instructions, divisors and amounts of shifts that are constants; branches, and
/// nothing else inside. What is left out stays scalar: LLVM 19 builds vectors of bytes from scalars wrongly (a vector
/// of single loads, or of quotients). So does one that takes a row of a table (`row_tables`: by their data) under a
/// condition, or one that data picks: where the row starts might be loaded for each lane.
bool vectorizable_on_hexagon(const For& loop, const std::set<Var>& row_tables);
/// Of one that is not: why, for people.
std::string why_not_on_hexagon(const For& loop, const std::set<Var>& row_tables);

}  // namespace hexproof::codegen
