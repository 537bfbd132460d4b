// The arguments of a run: shape variables solved from the shapes of the tensors.
#pragma once
#include <limits>
#include <map>

#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

/// A buffer parameter with its layout as numbers.
struct BoundBuffer {
  Buffer buffer;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in elements of the buffer
  int64_t offset = 0;
  int64_t elements = 0;  // of the memory
  bool compact = true;   // the memory is the tensor as it is
};

struct Arguments {
  std::map<Var, Scalar> scalars;     // parameters and shape variables
  std::vector<BoundBuffer> buffers;  // one per buffer parameter, in order
};

/// Matches tensors and scalar values with the parameters of `func`. A wrong number, dtype or shape is an Error.
/// A stride variable that no shape defines gets the compact stride, an offset variable zero.
Arguments bind_arguments(const PrimFunc& func, const std::vector<Tensor>& tensors, const ScalarArguments& scalars);

/// The layout of an argument of that shape, by the same rules: what no caller can make is an Error.
BoundBuffer bind_layout(const Buffer& buffer, const std::vector<int64_t>& shape, std::map<Var, Scalar>& vars);

/// The value of an expression without loads over these variables; throws Fault on an error of the semantics,
/// Error when it mentions another variable or a buffer, Unsupported on a call that is not modelled.
Scalar evaluate(const Expr& e, const std::map<Var, Scalar>& vars);

/// How many elements a buffer's own memory holds, given its layout as numbers; may not fit 64 bits.
Wide memory_elements(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides, int64_t offset);
/// Do two indices in the box lead to one address? Where that is seen neither from the strides nor by looking at each
/// element of a small box: yes.
bool elements_overlap(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides);
/// Row-major strides; `kNoStride` where one does not fit 64 bits, as in a view that is larger than any memory.
/// (A stride may be that number, too: `element_address` looks at none of them.)
inline constexpr int64_t kNoStride = std::numeric_limits<int64_t>::max();
std::vector<int64_t> compact_strides(const std::vector<int64_t>& shape);

}  // namespace hexproof
