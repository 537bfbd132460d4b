// Is there an argument of the new layout for each one of the old?
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Values of the scalars of `func` (PrimFunc::scalars()): those of the model, and else ones.
std::vector<int64_t> scalars_of(const PrimFunc& func, const Answer& answer);

/// Does a layout of an argument send two of its cells to one, in an execution in which they hold two values? Then there
/// is no argument on which after could run. It is asked at the sizes of the model, and a run of the program before shows
/// the execution.
bool merges_cells(const RefusedStep& step, const Answer& answer);

}  // namespace hexproof
