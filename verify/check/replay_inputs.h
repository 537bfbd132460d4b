// The inputs on which a model of a failed obligation is replayed.
#pragma once
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ir/interpreter/scalar_ops.h"
#include "verify/check/check_item.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

/// One value per scalar and shape variable, those that the model has none for being small.
class ReplayInputs {
 public:
  ReplayInputs(const PrimFunc& func, const Model& model);

  /// With row-major strides where a scalar parameter is one and has a value with which no argument can be made.
  ReplayInputs with_layouts() const;

  /// Of the parameters, in order.
  ScalarArguments scalars() const;
  /// `kind`: 0 zeros, odd small values, other ones small and large values. Nothing when they would be too large, or
  /// have no shape, or when it is not known which cells hold a value.
  std::optional<std::vector<Tensor>> tensors(int kind) const;
  /// Is the memory that the function allocates small enough to be tried? What exceeds the limit is no memory at all: a
  /// run that gets there meets the error.
  bool small(const CheckContext& context) const;
  /// By name, as `run` takes them.
  std::vector<std::pair<std::string, std::string>> shown() const;
  const std::map<Var, Scalar>& values() const { return values_; }

 private:
  /// Padding that nobody filled holds no value. (A large tensor is left as it is: it shows fewer errors.) False where
  /// it is not known of a cell whether it is such padding.
  bool leave_open(const ArgumentPadding& padding, Tensor* tensor) const;
  /// The value of `e`, where the scalars tell it.
  std::optional<Wide> number(const Expr& e) const;

  const PrimFunc& func_;
  std::map<Var, Scalar> values_;
};

}  // namespace hexproof
