// Pieces of SMT-LIB text.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "ir/dtype.h"
#include "ir/float_format.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof::smt {

/// (f a b ...)
inline std::string app(std::initializer_list<std::string> parts) {
  std::string out = "(";
  for (const std::string& part : parts) {
    if (out.size() > 1) out += ' ';
    out += part;
  }
  return out + ")";
}

inline std::string conjunction(const std::vector<std::string>& parts) {
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  std::string out = "(and";
  for (const std::string& part : parts) out += " " + part;
  return out + ")";
}

/// The low `bits` bits, the highest first.
inline std::string binary_digits(unsigned __int128 value, int bits) {
  std::string out(bits, '0');
  for (int i = 0; i < bits; ++i, value >>= 1) out[bits - 1 - i] = static_cast<char>('0' + static_cast<int>(value & 1));
  return out;
}

inline std::string binary(const std::string& digits) { return std::string("#b").append(digits); }

/// Of an IEEE float type.
inline int exponent_bits(DType t) { return float_format(t).exponent; }
inline std::string fp_params(DType t) {
  return std::to_string(exponent_bits(t)) + " " + std::to_string(t.bits - exponent_bits(t));
}
inline std::string extract_low(int bits) { return app({"_", "extract", std::to_string(bits - 1), "0"}); }
inline std::string extension(DType t, int by) {
  return app({"_", t.is_uint() ? "zero_extend" : "sign_extend", std::to_string(by)});
}
/// A float constant.
inline std::string fp_const(DType t, double value) {
  auto bits = static_cast<unsigned __int128>(float_to_bits(t, value));
  if (value != value) return app({"_", "NaN", fp_params(t)});
  std::string digits = binary_digits(bits, t.bits);
  size_t e = exponent_bits(t);
  return app({"fp", binary(digits.substr(0, 1)), binary(digits.substr(1, e)), binary(digits.substr(1 + e))});
}

}  // namespace hexproof::smt
