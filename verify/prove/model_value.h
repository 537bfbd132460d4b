// The values of a model as the interpreter has them: of a float a model has the IEEE bits.
#pragma once
#include <string>

#include "ir/interpreter/fault.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

inline Scalar scalar_of_model(DType type, Wide value) {
  if (!type.is_float()) return int_scalar(type, value);
  return float_scalar(type, raw_to_float(type, static_cast<uint64_t>(value)));
}

/// For people: a float as the number that it is.
inline std::string text_of_model(DType type, Wide value) {
  return type.is_float() ? text_of(scalar_of_model(type, value)) : to_string(value);
}

inline Wide model_value(const Scalar& s) {
  return s.type.is_float() ? Wide{float_to_raw(s.type, s.d())} : wide_value(s);
}

}  // namespace hexproof
