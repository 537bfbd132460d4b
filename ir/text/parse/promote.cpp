#include <bit>
#include <cmath>

#include "ir/access_lanes.h"
#include "ir/base/codes.h"
#include "ir/own_lets.h"
#include "ir/reinterpret.h"
#include "ir/text/parse/value.h"

namespace hexproof::text {

std::string describe(const Value& value) {
  return std::visit(
      match{[](const None&) -> std::string { return "None"; },
            [](const Wide& v) { return "the integer " + to_string(v); },
            [](double) -> std::string { return "a float constant"; },
            [](bool v) -> std::string { return v ? "True" : "False"; },
            [](const std::string& s) { return "the string \"" + s.substr(0, 40) + "\""; },
            [](const Expr& e) { return "an expression of type " + e->dtype.str(); },
            [](const Buffer& b) { return "the buffer '" + b->name + "'"; },
            [](const List& l) -> std::string { return l.tuple ? "a tuple" : "a list"; },
            [](const Dict&) -> std::string { return "a dict"; }, [](const Slice&) -> std::string { return "a slice"; },
            [](const Region& r) { return "a region of the buffer '" + r.buffer->name + "'"; },
            [](const WeakUndef&) -> std::string { return "T.undef()"; },
            [](const TypeName& t) { return "the type " + t.dtype.str(); },
            [](const Path& p) { return "'" + p.name + "'"; },
            [](const Call& c) {
              return "'" + c.name.substr(c.name.starts_with('@') ? 1 : 0) + "(...)', which is a statement,";
            },
            [](const ThreadTag& t) { return "the thread axis \"" + t.tag + "\""; }},
      value.v);
}

Value make_value(Expr e, const Span& span) {
  if (e->depth > kMaxDepth) {
    throw CodedError(Code::Type, span,
                     "this expression is nested more than " + std::to_string(kMaxDepth) + " levels deep");
  }
  return Value{std::move(e), span};
}

DType dtype_named(const std::string& name, const Span& span) {
  if (auto type = parse_dtype(name)) return *type;
  for (const char* known : {"float8", "float4", "int4", "uint4", "int1", "uint1", "custom", "e4m3", "e5m2"}) {
    if (name.find(known) == 0) throw Unsupported(span, "the dtype \"" + name + "\"");
  }
  throw CodedError(Code::Type, span, "\"" + name + "\" is no dtype",
                   "dtypes are bool, int8 ... int64, uint8 ... uint64, float16, bfloat16, float32, float64");
}

DType to_dtype_name(const Value& value) {
  if (const auto* type = value.as<TypeName>()) return type->dtype;
  if (const auto* name = value.as<std::string>()) return dtype_named(*name, value.span);
  throw CodedError(Code::Type, value.span, "a dtype is expected, not " + describe(value),
                   "write it as a string: \"float32\"");
}

int64_t to_constant(const Value& value, const std::string& what) {
  if (const Wide* v = value.as<Wide>()) {
    if (fits_type(kInt64, *v)) return static_cast<int64_t>(*v);
  }
  if (const Expr* e = value.as<Expr>()) {
    if (const int64_t* v = as_int(*e)) return *v;
  }
  throw CodedError(Code::Type, value.span, what + " must be an integer constant, not " + describe(value));
}

Expr load_at(const Buffer& buffer, std::vector<Expr> indices, const Span& span) {
  int vectors = 0, lanes = 1;
  for (const Expr& index : indices) {
    vectors += index->dtype.lanes > 1;
    lanes = std::max<int>(lanes, index->dtype.lanes);
  }
  if (vectors > 1) throw Unsupported(span, "a load of vectors in two dimensions");
  if (!type_of_access(buffer->dtype, lanes))
    throw CodedError(Code::Type, span, too_many_lanes(buffer->name, buffer->dtype, lanes));
  return load(buffer, std::move(indices));
}

namespace {

Expr cells_of(const Value& value, const Region& region) {
  std::vector<Expr> indices;
  for (size_t axis = 0; axis < region.indices.size(); ++axis) {
    const Value& index = region.indices[axis];
    const Slice* slice = index.as<Slice>();
    if (!slice) {
      indices.push_back(to_expr(index));
      continue;
    }
    Value start = slice->start ? *slice->start : Value{Wide{0}, index.span};
    if (!slice->stop && slice->step)
      throw CodedError(Code::Type, index.span, "a vector load needs the end of its slice");
    Value stop = slice->stop ? *slice->stop : Value{region.buffer->shape[axis], index.span};
    Range range = to_range(start, stop, "a slice");
    const int64_t* length = as_int(range.extent);
    if (!length)
      throw CodedError(Code::Type, index.span, "the length of a slice that is loaded as a vector must be constant");
    int64_t step = slice->step ? to_constant(*slice->step, "the step of a slice") : 1;
    if (step <= 0) throw CodedError(Code::Type, index.span, "the step of a slice must be positive");
    int64_t lanes = *length <= 0 ? 0 : (*length - 1) / step + 1;
    if (lanes < 1 || lanes > 4096)
      throw CodedError(Code::Type, index.span, "a vector has 1 to 4096 lanes, not " + std::to_string(lanes));
    if (!fits_type(range.min->dtype, step))
      throw CodedError(Code::Type, index.span, "the step of a slice does not fit its type");
    indices.push_back(lanes == 1 ? range.min : ramp(range.min, imm(range.min->dtype, step), static_cast<int>(lanes)));
  }
  return load_at(region.buffer, std::move(indices), value.span);
}

Expr int_constant(Wide v, DType type, const Span& span) {
  if (type.is_float()) return fimm(type, static_cast<double>(v));
  if (type.is_handle()) throw CodedError(Code::Type, span, "an integer where a pointer is expected");
  if (!fits_type(type, v)) throw CodedError(Code::Type, span, to_string(v) + " does not fit " + type.str());
  return imm(type, v);
}

Expr constant_to(const Value& value, DType want) {
  DType type = want.element();
  Expr scalar;
  if (const Wide* v = value.as<Wide>()) scalar = int_constant(*v, type, value.span);
  if (const bool* v = value.as<bool>()) scalar = int_constant(*v ? 1 : 0, type, value.span);
  if (const double* v = value.as<double>()) {
    if (type.is_float()) {
      scalar = fimm(type, *v);
    } else if (std::isfinite(*v) && *v == std::trunc(*v) && std::fabs(*v) < 0x1p63) {
      scalar = int_constant(static_cast<Wide>(*v), type, value.span);
    } else {
      throw CodedError(Code::Type, value.span, "a constant that is not whole does not fit " + type.str());
    }
  }
  return want.is_scalar() ? scalar : broadcast(scalar, want.lanes);
}

/// Casts; an integer constant that the type holds exactly becomes a constant of it.
Expr cast_to(DType type, const Expr& e) {
  if (e->dtype == type) return e;
  if (e->op == Op::IntImm && type.is_scalar()) {
    Wide v = int_value(e);
    if (type.is_integer() && fits_type(type, v)) return imm(type, v);
    if (type.is_float() && v >= -2048 && v <= 2048) return fimm(type, static_cast<double>(v));
  }
  return cast(type, e);
}

void require_number(const Expr& e, const Span& span) {
  if (e->dtype.is_handle()) throw CodedError(Code::Type, span, "a number is expected, not a pointer or a string");
}

}  // namespace

Expr to_expr(const Value& value, std::optional<DType> want) {
  if (value.is_literal()) {
    if (want) return constant_to(value, *want);
    if (const Wide* v = value.as<Wide>()) {
      return int_constant(*v, fits_type(kInt32, *v) ? kInt32 : kInt64, value.span);
    }
    return constant_to(value, value.as<bool>() ? kBool : kFloat32);
  }
  if (const Expr* e = value.as<Expr>()) return *e;
  if (value.as<WeakUndef>()) return undef(want.value_or(kInt32));
  if (const Region* region = value.as<Region>()) {
    Expr cells = cells_of(value, *region);
    const DType type = region->dtype.with_lanes(cells->dtype.lanes);
    return reinterpret(type, std::move(cells));
  }
  if (const std::string* text = value.as<std::string>()) return string_imm(*text);
  std::string hint;
  if (value.as<Buffer>()) hint = "read a cell of it: " + (*value.as<Buffer>())->name + "[...]";
  throw CodedError(Code::Type, value.span, describe(value) + " has no value here", hint);
}

Expr cell_of(const Value& value) {
  if (const Region* region = value.as<Region>()) return cells_of(value, *region);
  if (value.cell) return value.cell;
  const Expr* e = value.as<Expr>();
  return e && (*e)->op == Op::Load ? *e : Expr();
}

std::pair<Expr, Expr> match_types(const Value& a, const Value& b, const Span& span) {
  auto weak = [](const Value& v) { return v.as<Wide>() || v.as<bool>() || v.as<WeakUndef>(); };
  Expr x, y;
  if (weak(a) && !weak(b) && !b.is_literal()) {
    y = to_expr(b);
    x = to_expr(a, y->dtype.is_handle() ? std::optional<DType>() : y->dtype);
  } else if (weak(b) && !weak(a) && !a.is_literal()) {
    x = to_expr(a);
    y = to_expr(b, x->dtype.is_handle() ? std::optional<DType>() : x->dtype);
  } else if (a.as<WeakUndef>() && b.is_literal()) {
    y = to_expr(b), x = to_expr(a, y->dtype);
  } else if (b.as<WeakUndef>() && a.is_literal()) {
    x = to_expr(a), y = to_expr(b, x->dtype);
  } else {
    auto wide_enough = [](const Value& v, const Value& other) -> std::optional<DType> {
      const Expr* e = other.as<Expr>();
      return v.as<double>() && e && (*e)->dtype.is_float() && (*e)->dtype.bits >= 32
                 ? std::optional<DType>((*e)->dtype.element())
                 : std::nullopt;
    };
    x = to_expr(a, wide_enough(a, b)), y = to_expr(b, wide_enough(b, a));
  }
  require_number(x, a.span), require_number(y, b.span);
  if (x->dtype.lanes == 1 && y->dtype.lanes != 1) x = broadcast(x, y->dtype.lanes);
  if (y->dtype.lanes == 1 && x->dtype.lanes != 1) y = broadcast(y, x->dtype.lanes);
  if (x->dtype.lanes != y->dtype.lanes) {
    throw CodedError(
        Code::Type, span,
        "vectors of " + std::to_string(x->dtype.lanes) + " and " + std::to_string(y->dtype.lanes) + " lanes");
  }
  DType s = x->dtype, t = y->dtype;
  if (s == t) return {x, y};
  bool take_t;
  if (s.is_float() != t.is_float()) {
    take_t = t.is_float();
  } else if (s.is_float() && s.bits == t.bits) {
    throw CodedError(Code::Type, span, "operands of " + s.str() + " and " + t.str(),
                     "convert one of them, or both to float32");
  } else if (s.bits != t.bits) {
    take_t = t.bits > s.bits;
  } else {
    take_t = t.is_uint();
  }
  return take_t ? std::pair{cast_to(t, x), y} : std::pair{x, cast_to(s, y)};
}

Expr to_dtype(const Value& value, DType want, const std::string& what) {
  Expr e = to_expr(value, want);
  if (e->dtype == want) return e;
  std::string mismatch = what + " is " + want.str() + ", the value is " + e->dtype.str();
  if (e->dtype.lanes != want.lanes) {
    throw CodedError(Code::Type, value.span, mismatch,
                     e->dtype.lanes == 1 ? "write T.Broadcast(value, " + std::to_string(want.lanes) + ")" : "");
  }
  bool to_integer = !want.is_float() && e->dtype.is_float();
  if (to_integer || want.is_handle() || e->dtype.is_handle() || want.is_bool()) {
    throw CodedError(Code::Type, value.span, mismatch, to_integer ? "write T.Cast(\"" + want.str() + "\", value)" : "");
  }
  return cast_to(want, e);
}

Expr to_index(const Value& value, const std::string& what) {
  Expr e = value.as<double>() ? Expr() : to_expr(value);
  if (!e || !e->dtype.is_integer()) {
    throw CodedError(Code::Type, value.span,
                     what + " must be an integer, not " + (e ? e->dtype.str() : describe(value)));
  }
  if (!e->dtype.is_scalar())
    throw CodedError(Code::Type, value.span, what + " must be a scalar, not " + e->dtype.str());
  return e;
}

Expr to_condition(const Value& value, const std::string& what) {
  Expr e = value.as<WeakUndef>() ? undef(kBool) : to_expr(value);
  if (!e->dtype.is_bool() || !e->dtype.is_scalar()) {
    throw CodedError(Code::Type, value.span, what + " must be a bool, not " + e->dtype.str(), "compare it: `... != 0`");
  }
  return e;
}

Range to_range(const Value& start, const Value& stop, const std::string& what) {
  const Wide *low = start.as<Wide>(), *high = stop.as<Wide>();
  if (low && high) {
    if (!fits_type(kInt32, *low) || !fits_type(kInt32, *high) || !fits_type(kInt32, *high - *low)) {
      throw CodedError(Code::Type, stop.span, what + " does not fit int32", "write T.int64(...)");
    }
    return {i32(static_cast<int64_t>(*low)), i32(static_cast<int64_t>(*high - *low))};
  }
  to_index(start, "the start of " + what), to_index(stop, "the end of " + what);
  auto [min, end] = match_types(start, stop, stop.span);
  if (is_int(min, 0)) return {min, end};
  if (end->op == Op::Add && same_up_to_lets(min, end->args[0])) return {min, end->args[1]};
  if (same_up_to_lets(min, end)) return {min, imm(min->dtype, 0)};
  if (end->op == Op::IntImm && min->op == Op::IntImm) {
    Wide extent = int_value(end) - int_value(min);
    if (fits_type(min->dtype, extent)) return {min, imm(min->dtype, extent)};
  }
  return {min, end - min};
}

}  // namespace hexproof::text
