// Recurrences over time: TVM's te.scan.
#pragma once
#include "rewrite/te/tensor.h"

namespace hexproof::te {

/// One tensor per state, of the state's shape: the first rows are those of its init, and row t behind them is row t of
/// its update, which may read the states at earlier times. std::invalid_argument: they do not fit together, or a step
/// reads what another step computes besides the states.
std::vector<Tensor> scan(const std::string& name, const std::vector<Tensor>& init, const std::vector<Tensor>& update,
                         const std::vector<Tensor>& state);

/// What one step computes, each after what it reads: the updates, and what depends on the states on the way to them.
/// The first axis of each is time.
std::vector<OperationRef> scan_body(const Scan& scan);

/// What makes it a recurrence: each read of a state is of an earlier time, from 0 on.
std::vector<Obligation> scan_laws(const Scan& scan);

}  // namespace hexproof::te
