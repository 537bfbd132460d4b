// Arguments under a changed layout: the interface relation, carried out on tensors.
#pragma once
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "rewrite/kernel/kernel.h"
#include "verify/equiv/pair.h"

namespace hexproof {

/// What equiv is told of the changes: every layer with its padding, by the names of the parameters before, or, when
/// given, of those of `names` at the same positions.
RelationRequest relation_request(const std::vector<InterfaceChange>& changes, const PrimFunc* names = nullptr);

/// When a tensor is looked at: as the function gets it, or as the function must leave it.
enum class Moment : uint8_t { Start, End };

/// The tensor in the layout after the change: result[map(i)] = logical[i]. Padding is filled as the relation says of
/// that moment: with its value, or with random bytes that count as uninitialised when it is unreadable, undefined, or
/// (at the start) in a buffer that the function writes. `sizes` gives symbolic extents that the tensor's own shape does
/// not.
Tensor pack(const InterfaceChange& change, const Tensor& logical, Moment moment = Moment::Start,
            const VarMap& sizes = {});
/// The inverse: result[i] = packed[map(i)]. Padding is left out.
Tensor unpack(const InterfaceChange& change, const Tensor& packed, const VarMap& sizes = {});

/// `pack` or `unpack` for every buffer parameter that `interface` names; the others are copied. Tensors stand in the
/// order of PrimFunc::buffer_params(); symbolic extents are taken from all of them, and `scalars` gives the
/// values of the scalar parameters.
std::vector<Tensor> pack_all(const Derivation& derivation, const std::vector<Tensor>& logical,
                             Moment moment = Moment::Start, const std::vector<int64_t>& scalars = {});
std::vector<Tensor> unpack_all(const Derivation& derivation, const std::vector<Tensor>& packed,
                               const std::vector<int64_t>& scalars = {});

/// The first element at which a tensor differs from what is wanted: bits, but NaNs are one value. -1: none.
/// Cells of `want` that are not plainly initialised ask for nothing.
int64_t first_difference(const Tensor& want, const Tensor& got);
/// How many elements agree.
int64_t count_equal(const Tensor& want, const Tensor& got);

}  // namespace hexproof
