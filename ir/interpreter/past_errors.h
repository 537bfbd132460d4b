// A run that passes over the errors that it meets, so that those behind them are met, too.
#pragma once
#include <set>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

struct PastErrors {
  std::vector<RunError> errors;
  bool out_of_steps = false;
  uint64_t steps = 0;
};

/// The errors that a run meets, the first one of each kind of each statement, in the order in which it meets them. The
/// first is that of `run`. Each instance of a statement that is in error has no effect, but for what follows: a value
/// that it would have stored or bound is open. Where that may be any cell of a memory, because an index is open or in
/// error, all of it is; so is all memory that a loop, branch, block or allocation would have written which is left out
/// as a whole, and what an assume may have permitted to read. Nothing is told of a queue from then on whose group or
/// wait may be left out. What is in error because of an open value is passed over and not among the errors.
/// An assume is passed over if it is one of `false_assumes`; at any other one that is false the run ends, and it is the
/// last error. A statement that was in error 256 times is left out from then on.
PastErrors run_past_errors(const PrimFunc& func, const std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                           const RunOptions& options, const std::set<const StmtNode*>& false_assumes);

}  // namespace hexproof
