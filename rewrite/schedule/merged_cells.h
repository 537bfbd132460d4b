// Is there an argument of the new layout for each one of the old?
#pragma once
#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// Values of the scalars of `func` (PrimFunc::scalars()): those of the model, and else ones.
std::vector<int64_t> scalars_of(const PrimFunc& func, const Answer& answer);

/// Does a layout of an argument send two of its cells to one? Then there is no argument on which after could run. It is
/// asked at the sizes of the model, and only where a run of the program before shows that an execution has them.
bool merges_cells(const RefusedStep& step, const Answer& answer);

}  // namespace hexproof
