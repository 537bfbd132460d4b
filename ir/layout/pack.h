// A tensor under changes of its layout, at concrete sizes: the one meaning of the interface relation on values.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/scalar_ops.h"
#include "ir/layout/layout_change.h"

namespace hexproof {

/// A pad value that computes with cells: over variables that stand for numbers and for elements of the tensor before.
struct ComputedPad {
  Expr value;
  std::map<Var, Scalar> numbers;
  std::vector<std::pair<Var, int64_t>> elements;
};

/// What a cell holds that no logical index maps to.
struct PadCell {
  Padding::Kind kind = Padding::Kind::Unreadable;
  Scalar value = {};                                      // Value: this, or
  int64_t same_as = -1;                                   // what this element of the tensor before holds, or
  std::shared_ptr<const ComputedPad> computed = nullptr;  // this
  int64_t copy_of = -1;  // no certain value, but that of this element of padding of the tensor after
};

/// Where each element of a tensor after changes of its layout comes from. Shapes are those of tensors.
struct PackedCells {
  std::vector<int64_t> before_shape = {}, after_shape = {};
  /// For each element after: the element before that it stands for; -1 - k: padding that change k brought.
  std::vector<int64_t> origin = {};
  std::vector<PadCell> of_layer = {};          // what the padding of each change holds, and
  std::map<int64_t, PadCell> of_element = {};  // of elements of padding whose value depends on the index

  /// What an element of padding holds.
  const PadCell& pad(int64_t element) const;
};

/// The cells under these changes, one after the other. `boxes`: the shape before the first and after each; `sizes`: of
/// what pad values mention; `name`: of the buffer, for the Error when a map does not fit.
PackedCells packed_cells(const std::string& name, const std::vector<LayoutChange>& layers,
                         const std::vector<std::vector<int64_t>>& boxes, const std::map<Var, Scalar>& sizes);

/// When a tensor is looked at: as the function gets it, or as the function must leave it.
enum class Moment : uint8_t { Start, End };

/// What stands in readable padding of a buffer that the function writes, where the relation promises no value: any
/// value (who compares programs tries several), or none (who runs a kernel has a read before the write be an error).
enum class Unpromised : uint8_t { AnyValue, Uninitialised };

struct PackOptions {
  bool written = false;  // by the function: its padding holds its value at the end only
  Moment moment = Moment::Start;
  Unpromised unpromised = Unpromised::Uninitialised;
  std::function<Scalar(DType)> any_value;  // what stands where any value may
};

/// The tensor in the layout after the changes, padding filled as the relation says of that moment. Padding that is not
/// readable counts as uninitialised.
Tensor pack(const PackedCells& cells, const Tensor& before, const PackOptions& options);
/// The inverse: padding is left out.
Tensor unpack(const PackedCells& cells, const Tensor& after);

}  // namespace hexproof
