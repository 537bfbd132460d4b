// Padding that nobody filled, in arguments that keep their layout.
#pragma once
#include <string>

#include "verify/equiv/pair.h"

namespace hexproof {

/// Where one of the programs has cells that are uninitialised when it starts (argument_padding.h), `after` starts with
/// those of both, and must be proved not to read them, and to fill those that `before` fills: they hold a value when it
/// ends. "" when that is proved, or there are none; else why it is not known.
std::string reads_unfilled_padding(const ProgramPair& pair, Prover& prover);

/// Which cells of the arguments of one instance hold a value on entry, as Tensor::initialised has it, per buffer;
/// empty: all of them. `after` starts without what either program has no value for. What is not known to be padding
/// excludes no input: it is filled before, and not after.
struct FilledCells {
  std::vector<std::vector<uint8_t>> before, after;
  /// Is it known of each cell whether it is padding? Else no caller may have such arguments.
  bool known = true;
};
FilledCells filled_cells(const ProgramPair& pair, const Instance& instance);
/// The tensors, one per buffer, with these cells.
void mark_filled(const std::vector<std::vector<uint8_t>>& filled, std::vector<Tensor>* tensors);

}  // namespace hexproof
