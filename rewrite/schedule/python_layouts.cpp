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

IndexMap Evaluator::index_map(const Value& value, const Span& place) {
  const Function* f = value.as<Function>();
  if (!f) throw Error(place, "an index map is a lambda, not " + describe(value));
  IndexMap map;
  Arguments args;
  for (const std::string& param : f->params) {
    map.inputs.push_back(Var::fresh(param, kInt32));
    args.list.push_back({"", {Expr(map.inputs.back())}, place});
  }
  Value result = call_function(*f, args, place);
  Sequence one{.items = {result}, .tuple = true};
  const Sequence* outputs = result.as<Sequence>();
  for (const Value& output : (outputs ? *outputs : one).items) {
    if (output.as<AxisSeparator>()) {
      map.axis_separators.push_back(static_cast<int>(map.outputs.size()));
    } else if (const Expr* e = output.as<Expr>()) {
      map.outputs.push_back(*e);
    } else if (const int64_t* k = output.as<int64_t>(); k && fits_type(kInt32, *k)) {
      map.outputs.push_back(i32(*k));
    } else {
      throw Error(place, "an index map gives indices, not " + describe(output));
    }
  }
  if (map.outputs.empty()) throw Error(place, "the index map gives no indices");
  return map;
}

std::optional<Arg> Evaluator::pad_value(const Value& value, const Buffer& buffer, size_t ndim, const Span& place) {
  auto constant = [&](const Value& v) -> std::optional<Expr> {
    if (const int64_t* number = v.as<int64_t>()) return imm(kInt64, *number);
    if (const bool* truth = v.as<bool>()) return boolean(*truth);
    if (const double* number = v.as<double>()) return fimm(kFloat64, *number);
    if (const Undefined* undefined = v.as<Undefined>()) {
      if (undefined->dtype && *undefined->dtype != buffer->dtype) {
        throw Error(place, "the pad value has type " + undefined->dtype->str() + ", but '" + buffer->name + "' holds " +
                               buffer->dtype.str());
      }
      return undef(buffer->dtype);
    }
    if (const Expr* e = v.as<Expr>()) return *e;
    return std::nullopt;
  };
  if (value.as<None>()) return std::nullopt;
  const Function* f = value.as<Function>();
  if (!f) {
    std::optional<Expr> e = constant(value);
    if (!e) throw Error(place, "a pad value is None, a number, undef or a lambda, not " + describe(value));
    return Arg(*e);
  }
  if (f->params.size() != ndim) {
    throw Error(place, "the pad value takes " + std::to_string(f->params.size()) + " indices, but '" + buffer->name +
                           "' has " + std::to_string(ndim) + " in the new layout");
  }
  IndexMap map;
  Arguments args;
  for (const std::string& param : f->params) {
    map.inputs.push_back(Var::fresh(param, kInt32));
    args.list.push_back({"", {Expr(map.inputs.back())}, place});
  }
  // In the function the name of the buffer is the buffer, in the new layout.
  Scope& globals = scopes_.front();
  auto shadowed = globals.find(buffer->name);
  std::optional<Value> before = shadowed == globals.end() ? std::nullopt : std::optional(shadowed->second);
  globals[buffer->name] = {TransformedBuffer{buffer->name, buffer->dtype, ndim}};
  Value result = call_function(*f, args, place);
  globals.erase(buffer->name);
  if (before) globals[buffer->name] = *before;
  if (result.as<None>()) return std::nullopt;
  std::optional<Expr> e = constant(result);
  if (!e) throw Error(place, "a pad value gives a number, an expression, undef or None, not " + describe(result));
  if ((*e)->op == Op::Undef || (*e)->op == Op::IntImm || (*e)->op == Op::FloatImm) return Arg(*e);
  map.outputs.push_back(*e);
  return Arg(map);
}

}  // namespace hexproof::python
