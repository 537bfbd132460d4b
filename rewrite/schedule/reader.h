// Schedules as Python text, read by hexproof itself.
#pragma once
#include <memory>

#include "ir/base/diagnostic.h"
#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// Runs the straight-line Python of a schedule on a derivation: assignments and tuple unpacking, calls with keywords,
/// lambdas as index maps, integers, strings, lists, tuples, `for` over a range or a list, functions with `return`. The
/// schedule object is called `sch`, or is what `tir.Schedule(...)` is assigned to; imports are accepted.
///
/// What the primitives before a failing one did stays in the derivation. Each step gets the text and place of its
/// primitive. Errors: Error at the place of the mistake, Unsupported for constructs outside of this (tensor expressions
/// among them), PrimitiveRefused for a condition that was not proved.
void run_schedule(Derivation& derivation, Prover& prover, std::shared_ptr<const SourceFile> file);

/// One index map, "lambda i, j: [i // 4, j, i % 4]". Error at the place of the mistake.
IndexMap read_index_map(std::shared_ptr<const SourceFile> file);

}  // namespace hexproof
