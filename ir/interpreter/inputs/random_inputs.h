// Inputs at random: tensors and scalars that a function can run on.
#pragma once
#include <optional>
#include <vector>

#include "ir/function.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {

enum class Values : uint8_t {
  EdgeHeavy,  // half from the edges: 0, 1, -1, least, greatest, powers of two and neighbours; infinities, NaN, -0.0
  Ordinary,   // floats near 1 of either sign, so that sums round and rarely overflow; integers uniform
  Whole,      // floats are 1 to 8 of either sign, so that sums and products of many are exact; integers uniform
};

/// Sets cells of the inputs so that the assumes of a function hold, as far as they are equalities and bounds of cells
/// of arguments, by the content that the function gets, alternatives of these, and conjunctions.
void satisfy_assumes(const PrimFunc& func, std::vector<Tensor>& inputs, const std::vector<int64_t>& scalars = {});

/// What `run` takes: a tensor per buffer parameter, a value per scalar parameter.
struct RunArguments {
  std::vector<Tensor> buffers;
  std::vector<int64_t> scalars;
};
/// Sizes and scalars at random, edges among them, that satisfy what is assumed of scalars alone where a few tries find
/// any, with small buffers; and tensors as `random_inputs` has them. Unsupported when no sizes are found that make
/// sense.
RunArguments random_arguments(const PrimFunc& func, uint64_t seed, Values values = Values::EdgeHeavy);
/// The same at these values of PrimFunc::scalars(); nothing where they give a buffer a negative extent, or too many
/// cells for a run on random inputs.
std::optional<RunArguments> random_arguments_at(const PrimFunc& func, const std::vector<int64_t>& at, uint64_t seed,
                                                Values values = Values::EdgeHeavy);

/// The assumes of the function's outermost suite that speak of scalars alone.
std::vector<Stmt> assumes_of_scalars(const PrimFunc& func);

/// A tensor for each buffer parameter, which satisfy the function's assumes (see satisfy_assumes); Unsupported for a
/// symbolic shape.
std::vector<Tensor> random_inputs(const PrimFunc& func, uint64_t seed, Values values = Values::EdgeHeavy);

}  // namespace hexproof
