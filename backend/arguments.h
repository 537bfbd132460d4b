// From tensors and numbers to what a compiled program is called with.
#pragma once
#include <cstdint>
#include <vector>

#include "backend/workspace.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// Values of the scalars of `func`, from one tensor per buffer parameter and one value per scalar parameter.
/// Shape variables are solved from the tensors' shapes. Error: a number, type or shape that does not match;
/// Unsupported: a parameter whose memory is not the tensor as it is (strides, an offset).
ScalarValues bind_scalars(const PrimFunc& func, const std::vector<Tensor>& buffers, const ScalarArguments& scalars);

/// One word per variable of PrimFunc::scalars(): its machine bytes, little endian.
std::vector<uint64_t> scalar_words(const PrimFunc& func, const ScalarValues& values);

/// Error, naming the parameter, unless each address keeps the calling contract: a multiple of 128 bytes for each buffer
/// parameter and for the workspace behind them.
void demand_alignment(const PrimFunc& func, const std::vector<uint64_t>& addresses);

}  // namespace hexproof
