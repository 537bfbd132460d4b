// Index maps and pad values: lambdas over indices, and the constants that may stand in them.
#include <cmath>
#include <limits>

#include "ir/float_format.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/schedule/python.h"

namespace hexproof::python {
namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// T.float32, tir.const, ...: names below TVM's script and tir modules.
bool of_tvm(const std::string& path) { return path.find('.') != std::string::npos; }

double number_of(const Arguments::One& one) {
  if (const double* value = one.value.as<double>()) return *value;
  if (const int64_t* value = one.value.as<int64_t>()) return static_cast<double>(*value);
  if (const std::string* text = one.value.as<std::string>()) {
    if (*text == "inf") return std::numeric_limits<double>::infinity();
    if (*text == "-inf") return -std::numeric_limits<double>::infinity();
    if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  throw Error(one.span, "expected a number, not " + describe(one.value));
}

Expr constant_of(DType type, const Arguments::One& one) {
  if (type.is_float()) return fimm(type, number_of(one));
  const int64_t* value = one.value.as<int64_t>();
  if (!value || !fits_type(type, *value)) throw Error(one.span, "expected an integer that fits " + type.str());
  return imm(type, *value);
}

DType dtype_of(const Arguments::One& one) {
  const std::string* text = one.value.as<std::string>();
  std::optional<DType> type = text ? parse_dtype(*text) : std::nullopt;
  if (!type || !type->is_scalar() || type->is_handle()) throw Error(one.span, "expected the name of a scalar dtype");
  return *type;
}

/// The greatest or least value of a type.
Expr extreme(DType type, bool least) {
  if (!type.is_float()) return imm(type, least ? min_value(type) : max_value(type));
  double most = largest_float(type);
  return fimm(type, least ? -most : most);
}

}  // namespace

bool Evaluator::makes_constant(const std::string& path) {
  if (path == "float") return true;
  if (!of_tvm(path)) return false;
  std::string name = last_part(path);
  std::optional<DType> type = parse_dtype(name);
  return name == "undef" || name == "const" || name == "min_value" || name == "max_value" || name == "infinity" ||
         (type && type->is_scalar() && !type->is_handle());
}

std::optional<Value> Evaluator::constant_call(const std::string& path, const Arguments& args, const Span& place) const {
  std::string name = last_part(path);
  const std::vector<Arguments::One>& list = args.list;
  if (name == "undef") {
    if (list.size() > 1 || (list.size() == 1 && !list[0].keyword.empty() && list[0].keyword != "dtype")) {
      throw Error(place, "undef takes a dtype, or nothing");
    }
    return Value{Undefined{list.empty() ? std::nullopt : std::optional(dtype_of(list[0]))}};
  }
  if (path == "float" || name == "min_value" || name == "max_value" || name == "infinity") {
    if (list.size() != 1) throw Error(place, name + " takes one argument");
    if (path == "float") return Value{number_of(list[0])};
    DType type = dtype_of(list[0]);
    if (name != "infinity") return Value{extreme(type, name == "min_value")};
    if (!type.is_float()) throw Error(place, type.str() + " has no infinity");
    return Value{fimm(type, std::numeric_limits<double>::infinity())};
  }
  if (name == "const") {
    if (list.empty() || list.size() > 2) throw Error(place, "const takes a value and a dtype");
    if (list.size() == 1) return list[0].value;
    return Value{constant_of(dtype_of(list[1]), list[0])};
  }
  std::optional<DType> type = parse_dtype(name);
  if (!type || list.size() != 1) throw Error(place, name + " takes one value");
  return Value{constant_of(*type, list[0])};
}

}  // namespace hexproof::python
