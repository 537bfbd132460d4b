// Arguments under a changed layout: the interface relation, carried out on tensors.
#pragma once
#include <vector>

#include "ir/interpreter.h"
#include "rewrite/kernel.h"

namespace hexproof {

/// The tensor in the layout after the change: result[map(i)] = logical[i]. Cells that no index maps to stay
/// uninitialised.
Tensor pack(const InterfaceChange& change, const Tensor& logical);
/// The inverse: result[i] = packed[map(i)].
Tensor unpack(const InterfaceChange& change, const Tensor& packed);

/// `pack` or `unpack` for every buffer parameter that `interface` names; the others are copied. Tensors stand in the
/// order of PrimFunc::buffer_params().
std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical);
std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed);

/// The first element at which two tensors differ: bits, but NaNs are one value. -1: none. `count` receives
/// how many elements agree.
int64_t first_difference(const Tensor& a, const Tensor& b, int64_t* equal_count = nullptr);

}  // namespace hexproof
