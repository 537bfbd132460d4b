// What a caller gives the scalar parameters of a function, before their types are known.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hexproof {

/// A whole number (one of uint64 may also stand by its bits), or any number for a float.
using ScalarArgument = std::variant<int64_t, uint64_t, double>;

/// As it is written: "4", "-0.5", "inf", "True". Error for a text that is no number.
ScalarArgument read_scalar_argument(const std::string& text);

/// One value per scalar parameter, in order.
class ScalarArguments {
 public:
  ScalarArguments() = default;
  // Whole numbers are what most callers have.
  ScalarArguments(std::initializer_list<int64_t> values) : values_(values.begin(), values.end()) {}
  ScalarArguments(const std::vector<int64_t>& values) : values_(values.begin(), values.end()) {}
  ScalarArguments(std::vector<ScalarArgument> values) : values_(std::move(values)) {}

  size_t size() const { return values_.size(); }
  const ScalarArgument& operator[](size_t k) const { return values_[k]; }

 private:
  std::vector<ScalarArgument> values_;
};

}  // namespace hexproof
