#include "ir/interpreter/math.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "ir/reinterpret.h"

namespace hexproof {
namespace {

struct Unary {
  float (*narrow)(float);
  double (*wide)(double);
};
struct Binary {
  float (*narrow)(float, float);
  double (*wide)(double, double);
};

template <class F>
F sigmoid(F x) {
  return F(1) / (F(1) + std::exp(-x));
}
template <class F>
F reciprocal_root(F x) {
  return F(1) / std::sqrt(x);
}
template <class F>
F exp10_of(F x) {
  return std::pow(F(10), x);
}
/// A NaN has no sign that is observed: it counts as positive.
template <class F>
F signed_as(F x, F sign) {
  return std::copysign(x, std::isnan(sign) ? F(0) : sign);
}

#define BOTH(f)                                                                    \
  {                                                                                \
    [](float x) -> float { return f(x); }, [](double x) -> double { return f(x); } \
  }
#define BOTH2(f)                                                                                            \
  {                                                                                                         \
    [](float x, float y) -> float { return f(x, y); }, [](double x, double y) -> double { return f(x, y); } \
  }

const std::map<std::string_view, Unary> kUnary = {
    {"exp", BOTH(std::exp)},     {"exp2", BOTH(std::exp2)},   {"exp10", BOTH(exp10_of)},
    {"log", BOTH(std::log)},     {"log2", BOTH(std::log2)},   {"log10", BOTH(std::log10)},
    {"log1p", BOTH(std::log1p)}, {"sqrt", BOTH(std::sqrt)},   {"rsqrt", BOTH(reciprocal_root)},
    {"sin", BOTH(std::sin)},     {"cos", BOTH(std::cos)},     {"tan", BOTH(std::tan)},
    {"asin", BOTH(std::asin)},   {"acos", BOTH(std::acos)},   {"atan", BOTH(std::atan)},
    {"sinh", BOTH(std::sinh)},   {"cosh", BOTH(std::cosh)},   {"tanh", BOTH(std::tanh)},
    {"asinh", BOTH(std::asinh)}, {"acosh", BOTH(std::acosh)}, {"atanh", BOTH(std::atanh)},
    {"erf", BOTH(std::erf)},     {"sigmoid", BOTH(sigmoid)},  {"fabs", BOTH(std::fabs)},
    {"abs", BOTH(std::fabs)},    {"floor", BOTH(std::floor)}, {"ceil", BOTH(std::ceil)},
    {"round", BOTH(std::round)}, {"trunc", BOTH(std::trunc)}, {"nearbyint", BOTH(std::nearbyint)},
};
const std::map<std::string_view, Binary> kBinary = {
    {"pow", BOTH2(std::pow)},     {"power", BOTH2(std::pow)},   {"fmod", BOTH2(std::fmod)},
    {"atan2", BOTH2(std::atan2)}, {"hypot", BOTH2(std::hypot)}, {"copysign", BOTH2(signed_as)},
};
#undef BOTH
#undef BOTH2

/// The bits of a number in memory, read as the other type; an integer's are those that it has, a NaN's the canonical
/// ones.
Scalar with_bits_of(DType type, const Scalar& value) {
  uint8_t bytes[8] = {};
  store_scalar(value, bytes);
  return load_scalar(type, bytes);
}

}  // namespace

std::string_view base_name(std::string_view name) {
  for (std::string_view prefix : {"tir.", "T."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

bool changes_the_sign_alone(std::string_view name) {
  const std::string_view plain = base_name(name);
  return plain == "abs" || plain == "fabs" || plain == "copysign";
}

std::optional<Scalar> apply_call(const std::string& full_name, DType type, std::span<const Scalar> args) {
  std::string_view name = base_name(full_name);
  if (args.empty()) return std::nullopt;
  const Scalar& a = args[0];
  if (args.size() == 1 && a.type.is_float() && type.is_bool()) {
    if (name == "isnan") return bool_scalar(std::isnan(a.d()));
    if (name == "isinf") return bool_scalar(std::isinf(a.d()));
    if (name == "isfinite") return bool_scalar(std::isfinite(a.d()));
  }
  if (args.size() == 1 && a.type.is_integer() && a.type == type) {
    if (name == "abs") return a.type.is_int() && a.i() < 0 ? Scalar{type, wrap_bits(type, 0 - a.bits)} : a;
    if (name == "popcount") {
      return Scalar{type, static_cast<uint64_t>(std::popcount(a.bits << (64 - type.bits)))};
    }
  }
  if (args.size() == 1 && full_name == kReinterpret && same_width(type, a.type)) return with_bits_of(type, a);
  bool floats =
      type.is_float() && std::all_of(args.begin(), args.end(), [&](const Scalar& s) { return s.type == type; });
  if (!floats) return std::nullopt;
  bool wide = type.bits == 64;
  if (auto f = kUnary.find(name); f != kUnary.end() && args.size() == 1) {
    return float_scalar(type, wide ? f->second.wide(a.d()) : f->second.narrow(static_cast<float>(a.d())));
  }
  if (auto f = kBinary.find(name); f != kBinary.end() && args.size() == 2) {
    double b = args[1].d();
    return float_scalar(
        type, wide ? f->second.wide(a.d(), b) : f->second.narrow(static_cast<float>(a.d()), static_cast<float>(b)));
  }
  return std::nullopt;
}

bool is_modelled(const std::string& name, DType type, std::span<const DType> operands) {
  std::vector<Scalar> zeros;
  for (const DType& operand : operands) {
    if (operand.lanes != type.lanes) return false;
    zeros.push_back({operand.element(), 0});
  }
  return apply_call(name, type.element(), zeros).has_value();
}

bool acts_on_each_lane(const ExprNode& call) {
  bool scalars = call.dtype.is_scalar();
  std::vector<DType> operands;
  for (const Expr& arg : call.args) {
    scalars &= arg->dtype.is_scalar();
    operands.push_back(arg->dtype);
  }
  return scalars || is_modelled(call.text(), call.dtype, operands);
}

}  // namespace hexproof
