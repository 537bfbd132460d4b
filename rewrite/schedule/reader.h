// Schedules and index maps as text.
#pragma once
#include <memory>

#include "ir/base/diagnostic.h"
#include "rewrite/schedule/schedule.h"

namespace hexproof {

/// Runs a schedule, a program of the user's, by Python (tools/python/, library hexproof_python). The schedule object is
/// called `sch`, and is what `tir.Schedule(...)` gives; TVM's imports are served.
///
/// What the primitives before a failing one did stays in the derivation. Each step gets the text and place of its
/// primitive. Errors: Error at the place of the mistake, also for an exception of Python's; Unsupported for what is not
/// modelled (tensor expressions among it), PrimitiveRefused for a condition that was not proved.
void run_schedule(Derivation& derivation, Prover& prover, std::shared_ptr<const SourceFile> file);

/// One index map as text, "lambda i, j: [i // 4, j, i % 4]": data, no Python runs. Error at the place of the mistake.
IndexMap read_index_map(std::shared_ptr<const SourceFile> file);

}  // namespace hexproof
