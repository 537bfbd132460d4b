// Arguments under a changed layout: the interface relation, carried out on tensors.
#pragma once
#include <vector>

#include "ir/layout/pack.h"
#include "rewrite/kernel/kernel.h"
#include "verify/equiv/pair.h"

namespace hexproof {

/// What equiv is told of the changes: every layer with its padding, by the names of the parameters before, or, when
/// given, of those of `names` at the same positions.
RelationRequest relation_request(const std::vector<InterfaceChange>& changes, const PrimFunc* names = nullptr);

/// Values of the variables in shapes.
using SizeValues = std::map<Var, Scalar>;

/// `pack` and `unpack` (ir/layout/pack.h) under a change of the interface: what a kernel is run on, so that where the
/// relation promises no value there is none. `sizes` gives symbolic extents that the tensor's own shape does not.
Tensor pack(const InterfaceChange& change, const Tensor& logical, Moment moment = Moment::Start,
            const SizeValues& sizes = {});
Tensor unpack(const InterfaceChange& change, const Tensor& packed, const SizeValues& sizes = {});

/// `pack` or `unpack` for every buffer parameter that `interface` names; the others are copied. Tensors stand in the
/// order of PrimFunc::buffer_params(); symbolic extents are taken from all of them, and `scalars` gives the
/// values of the scalar parameters.
std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical,
                             Moment moment = Moment::Start, const std::vector<int64_t>& scalars = {});
/// The same for the arguments of `source` under these changes.
std::vector<Tensor> pack_all(const PrimFunc& source, const std::vector<InterfaceChange>& changes,
                             const std::vector<Tensor>& logical, Moment moment, const std::vector<int64_t>& scalars);
std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed,
                               const std::vector<int64_t>& scalars = {});

/// The first element at which a tensor differs from what is wanted: bits, but NaNs are one value. -1: none.
/// Cells of `want` that are not plainly initialised ask for nothing.
int64_t first_difference(const Tensor& want, const Tensor& got);
/// How many elements agree.
int64_t count_equal(const Tensor& want, const Tensor& got);

}  // namespace hexproof
