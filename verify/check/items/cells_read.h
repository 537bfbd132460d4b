// Which cells of the input decide about an error.
#pragma once
#include "ir/interpreter/scalar_ops.h"
#include "verify/check/error_met.h"
#include "verify/facts/facts.h"

namespace hexproof {

/// The cells of arguments that the way to a statement and the statement itself read, in the run that met the error in
/// it. Of arguments that the function leaves alone: the others may have changed on the way.
/// `values`: of the scalars.
std::vector<CellMet> cells_read(const PrimFunc& func, const std::map<Var, Scalar>& values,
                                const std::vector<Tensor>& tensors, const Path& path, const RunError& error);

}  // namespace hexproof
