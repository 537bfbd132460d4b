// Thread axes whose loops mean in TVM what parallel loops do not.
#pragma once
#include "ir/wellformed.h"

namespace hexproof {

/// All loops that are bound to one thread axis within one kernel are one variable (TVM's UnifyThreadBinding), and what
/// lives in `shared` or `local` memory lives once for a block of threads, or once for each thread. Here a bound loop is
/// a parallel loop. The two agree where none of the following stands in the function; else the first of them:
/// - a loop bound to an axis inside of a bound loop that holds another one of that axis, or is one;
/// - a bound loop inside of another one, behind a serial loop or in a sequence: threads would wait for each other
/// there,
///   and no barrier sees to it;
/// - an allocation outside of the global memory around a bound loop, or one that threads share inside of the loop over
///   them;
/// - a reduction over a thread axis: the threads add up together.
std::optional<Defect> thread_axes_defect(const PrimFunc& func);

}  // namespace hexproof
