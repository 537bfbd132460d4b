#include "ir/expr.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <optional>
#include <set>

#include "ir/access_lanes.h"
#include "ir/arith_class.h"
#include "ir/base/diagnostic.h"
#include "ir/base/mutant.h"
#include "ir/buffer.h"
#include "ir/float_format.h"

namespace hexproof {

Var Var::make(std::string name, DType type, bool data, bool any_value) {
  static std::atomic<uint32_t> next{1};
  Var var;
  var.node_ = std::make_shared<const Node>(Node{next++, std::move(name), type, data, any_value});
  return var;
}

Var Var::fresh(std::string name, DType type, bool data) { return make(std::move(name), type, data, false); }
Var Var::any_value(DType type) { return make("any value", type, false, true); }

bool operator<(const Buffer& a, const Buffer& b) { return (a ? a->id : 0) < (b ? b->id : 0); }

namespace {

uint64_t mix(uint64_t seed, uint64_t value) {
  seed ^= value + 0x9e3779b97f4a7c15ull + (seed << 6) + (seed >> 2);
  seed *= 0xff51afd7ed558ccdull;
  return seed ^ (seed >> 32);
}

uint64_t type_key(DType t) { return uint64_t(t.code) << 32 | uint64_t(t.bits) << 16 | t.lanes; }

bool depends_on_data(Op op, const std::vector<Expr>& args, const decltype(ExprNode::payload)& payload) {
  if (is_application(op) || op == Op::Undef) return true;
  if (op == Op::Var) return std::get<Var>(payload).is_data();
  if (op == Op::Let) return args.at(2)->data;
  return std::any_of(args.begin(), args.end(), [](const Expr& arg) { return arg->data; });
}

Expr make(Op op, DType type, std::vector<Expr> args, decltype(ExprNode::payload) payload = {},
          std::optional<bool> wraps = {}) {
  uint64_t hash = mix(uint64_t(op), type_key(type));
  uint32_t depth = 1;
  for (const Expr& arg : args) {
    HEXPROOF_CHECK(arg, "operand of " + std::string(info(op).name) + " is missing");
    hash = mix(hash, arg->hash);
    depth = std::max(depth, arg->depth + 1);
  }
  struct PayloadHash {
    uint64_t operator()(std::monostate) const { return 0; }
    uint64_t operator()(int64_t v) const { return static_cast<uint64_t>(v); }
    uint64_t operator()(FloatBits v) const { return std::bit_cast<uint64_t>(v.value); }
    uint64_t operator()(const Var& v) const { return v.id(); }
    uint64_t operator()(const Buffer& b) const { return b->id; }
    uint64_t operator()(const std::string& s) const { return std::hash<std::string>{}(s); }
  };
  hash = mix(hash, std::visit(PayloadHash{}, payload));
  bool data = depends_on_data(op, args, payload), wrapping = may_wrap(op, type) && wraps.value_or(data);
  hash = mix(hash, wrapping);
  return Expr(std::make_shared<const ExprNode>(
      ExprNode{op, type, std::move(args), std::move(payload), hash, depth, data, wrapping}));
}

std::string types(const Expr& a, const Expr& b) { return a->dtype.str() + " and " + b->dtype.str(); }

}  // namespace

Expr::Expr(const Var& var) : Expr(make(Op::Var, var.dtype(), {}, var)) {}

bool operator==(FloatBits a, FloatBits b) {
  if (HEXPROOF_MUTANT("constant/zeros-are-one", false, a.value == b.value)) return true;
  return std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
}

namespace {

/// Pairs that are known to be equal: nodes that are shared stand in a tree more often than it has nodes.
struct EqualPairs {
  size_t compared = 0;
  std::set<std::pair<const ExprNode*, const ExprNode*>> known = {};
};

bool equal(const Expr& a, const Expr& b, EqualPairs* pairs) {
  if (a.get() == b.get()) return true;
  if (!a || !b || a->hash != b->hash || a->op != b->op || a->dtype != b->dtype || a->args.size() != b->args.size() ||
      a->wraps != b->wraps || !(a->payload == b->payload)) {
    return false;
  }
  constexpr size_t kSmall = 256;
  const bool many = ++pairs->compared > kSmall;
  if (many && pairs->known.count({a.get(), b.get()})) return true;
  for (size_t i = 0; i < a->args.size(); ++i) {
    if (!equal(a->args[i], b->args[i], pairs)) return false;
  }
  if (many) pairs->known.emplace(a.get(), b.get());
  return true;
}

}  // namespace

bool operator==(const Expr& a, const Expr& b) {
  EqualPairs pairs;
  return equal(a, b, &pairs);
}

Expr imm(DType type, Wide value) {
  HEXPROOF_CHECK(type.is_scalar() && (type.is_integer() || type.is_bool()),
                 "an integer constant of type " + type.str());
  HEXPROOF_CHECK(fits_type(type, value), to_string(value) + " does not fit " + type.str());
  return make(Op::IntImm, type, {}, static_cast<int64_t>(value));
}

Wide int_value(const Expr& e) {
  int64_t raw = e->int_value();
  return e->dtype.is_uint() ? Wide{static_cast<uint64_t>(raw)} : Wide{raw};
}

Expr fimm(DType type, double value) {
  HEXPROOF_CHECK(type.is_scalar() && type.is_float(), "a float constant of type " + type.str());
  value = round_float(type, value);
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  return make(Op::FloatImm, type, {}, FloatBits{value});
}

Expr zero(DType type) {
  if (!type.is_scalar()) return broadcast(zero(type.element()), type.lanes);
  return type.is_float() ? fimm(type, 0.0) : imm(type, 0);
}
Expr string_imm(std::string text) { return make(Op::StringImm, kHandle, {}, std::move(text)); }
Expr undef(DType type) { return make(Op::Undef, type, {}); }

namespace {
bool fit(Operands operands, DType type) {
  switch (operands) {
    case Operands::Number:
      return type.is_integer() || type.is_float();
    case Operands::Integer:
      return type.is_integer();
    case Operands::Float:
      return type.is_float();
    case Operands::Bool:
      return type.is_bool();
    case Operands::Value:
      return !type.is_handle();
    case Operands::Own:
      return false;
  }
  return false;
}
}  // namespace

Expr unary(Op op, Expr a) {
  HEXPROOF_CHECK(info(op).arity == 1 && fit(info(op).operands, a->dtype),
                 std::string(info(op).name) + " of " + a->dtype.str());
  DType type = a->dtype;
  return make(op, type, {std::move(a)});
}

/// The lanes of a ramp are a sum and a product.
bool may_wrap(Op op, DType type) {
  bool arithmetic = op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Shl || op == Op::Ramp;
  return type.is_integer() && arithmetic;
}

namespace {
Expr binary_operation(Op op, Expr a, Expr b, std::optional<bool> wraps) {
  DType type = a->dtype;
  HEXPROOF_CHECK(type == b->dtype, std::string(info(op).name) + " of " + types(a, b));
  HEXPROOF_CHECK(info(op).arity == 2 && fit(info(op).operands, type), std::string(info(op).name) + " of " + type.str());
  DType result = is_comparison(op) ? kBool.with_lanes(type.lanes) : type;
  return make(op, result, {std::move(a), std::move(b)}, {}, wraps);
}
}  // namespace

Expr binary(Op op, Expr a, Expr b) { return binary_operation(op, std::move(a), std::move(b), std::nullopt); }
Expr binary(Op op, Expr a, Expr b, bool wraps) { return binary_operation(op, std::move(a), std::move(b), wraps); }

Expr all(const std::vector<Expr>& conditions) {
  Expr result;
  for (const Expr& c : conditions) result = result ? land(result, c) : c;
  return result ? result : boolean(true);
}

namespace {
Expr choice(Op op, Expr condition, Expr yes, Expr no) {
  HEXPROOF_CHECK(condition->dtype.is_bool() && yes->dtype == no->dtype, "a choice of " + types(yes, no));
  DType type = yes->dtype;
  HEXPROOF_CHECK(condition->dtype.lanes == 1 || condition->dtype.lanes == type.lanes, "lanes of a choice");
  return make(op, type, {std::move(condition), std::move(yes), std::move(no)});
}
}  // namespace

Expr select(Expr condition, Expr yes, Expr no) {
  return choice(Op::Select, std::move(condition), std::move(yes), std::move(no));
}
Expr if_then_else(Expr condition, Expr yes, Expr no) {
  HEXPROOF_CHECK(condition->dtype.is_scalar(), "the condition of if_then_else is a vector");
  return choice(Op::IfThenElse, std::move(condition), std::move(yes), std::move(no));
}

Expr cast(DType type, Expr value) {
  HEXPROOF_CHECK(type.lanes == value->dtype.lanes && !type.is_handle() && !value->dtype.is_handle(),
                 "a cast from " + value->dtype.str() + " to " + type.str());
  return make(Op::Cast, type, {std::move(value)});
}

Expr let(const Var& var, Expr value, Expr body) {
  HEXPROOF_CHECK(var.dtype() == value->dtype, "let " + var.name() + ": the types differ");
  DType type = body->dtype;
  return make(Op::Let, type, {Expr(var), std::move(value), std::move(body)});
}

Expr load(const Buffer& buffer, std::vector<Expr> indices) {
  HEXPROOF_CHECK(indices.size() == buffer->shape.size(), "load of " + buffer->name + ": number of indices");
  int lanes = 1;
  for (const Expr& index : indices) {
    HEXPROOF_CHECK(index->dtype.is_integer(), "load of " + buffer->name + ": the type of an index");
    HEXPROOF_CHECK(lanes == 1 || index->dtype.lanes == 1, "load of " + buffer->name + ": two vector indices");
    lanes = std::max<int>(lanes, index->dtype.lanes);
  }
  const std::optional<DType> type = type_of_access(buffer->dtype, lanes);
  if (!type) throw Error(too_many_lanes(buffer->name, buffer->dtype, lanes));
  return make(Op::Load, *type, std::move(indices), buffer);
}

namespace {
Expr make_ramp(Expr base, Expr stride, int lanes, std::optional<bool> wraps) {
  HEXPROOF_CHECK(base->dtype == stride->dtype && base->dtype.is_integer() && base->dtype.is_scalar(),
                 "a ramp of " + types(base, stride));
  DType type = base->dtype.with_lanes(lanes);
  return make(Op::Ramp, type, {std::move(base), std::move(stride)}, {}, wraps);
}
}  // namespace

Expr ramp(Expr base, Expr stride, int lanes) {
  return make_ramp(std::move(base), std::move(stride), lanes, std::nullopt);
}

Expr with_class(const Expr& e, bool wraps) {
  HEXPROOF_CHECK(may_wrap(e->op, e->dtype), std::string(info(e->op).name) + " of " + e->dtype.str() + " has no class");
  if (e->wraps == wraps) return e;
  if (e->op == Op::Ramp) return make_ramp(e->args[0], e->args[1], e->dtype.lanes, wraps);
  return binary(e->op, e->args[0], e->args[1], wraps);
}

Expr broadcast(Expr value, int lanes) {
  HEXPROOF_CHECK(value->dtype.is_scalar(), "a broadcast of a vector");
  DType type = value->dtype.with_lanes(lanes);
  return make(Op::Broadcast, type, {std::move(value)});
}

Expr likely(Expr condition) {
  HEXPROOF_CHECK(condition->dtype.is_bool(), "likely of " + condition->dtype.str());
  DType type = condition->dtype;
  return make(Op::Likely, type, {std::move(condition)});
}

Expr call(DType type, std::string name, std::vector<Expr> args) {
  return make(Op::Call, type, std::move(args), std::move(name));
}

Expr fits(Expr e) { return make(Op::Fits, kBool, {std::move(e)}); }

Expr same_bits(Expr a, Expr b) {
  HEXPROOF_CHECK(a->dtype == b->dtype, "same_bits of " + types(a, b));
  return make(Op::SameBits, kBool, {std::move(a), std::move(b)});
}

Expr uninterpreted(Op op, DType type, std::string name, std::vector<Expr> args) {
  HEXPROOF_CHECK(is_uninterpreted(op), std::string(info(op).name) + " is no uninterpreted function");
  return make(op, type, std::move(args), std::move(name));
}

Expr with_args(const Expr& e, std::vector<Expr> args) {
  switch (e->op) {
    case HEXPROOF_CASES(Leaf):
      return e;
    case Op::Not:
    case Op::BitNot:
      return unary(e->op, std::move(args.at(0)));
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift):
      return binary(e->op, std::move(args.at(0)), std::move(args.at(1)), e->wraps);
    case HEXPROOF_CASES(Choice):
      return choice(e->op, std::move(args.at(0)), std::move(args.at(1)), std::move(args.at(2)));
    case Op::Cast:
      return cast(e->dtype, std::move(args.at(0)));
    case Op::Let:
      return let(args.at(0)->var(), std::move(args.at(1)), std::move(args.at(2)));
    case Op::Load:
      return load(e->buffer(), std::move(args));
    case Op::Ramp:
      return make_ramp(std::move(args.at(0)), std::move(args.at(1)), e->dtype.lanes, e->wraps);
    case Op::Broadcast:
      return broadcast(std::move(args.at(0)), e->dtype.lanes);
    case Op::Likely:
      return likely(std::move(args.at(0)));
    case Op::Call:
      return call(e->dtype, e->text(), std::move(args));
    case HEXPROOF_CASES(Uninterpreted):
      return uninterpreted(e->op, e->dtype, e->text(), std::move(args));
    case Op::Fits:
      return fits(std::move(args.at(0)));
    case Op::SameBits:
      return same_bits(std::move(args.at(0)), std::move(args.at(1)));
  }
  internal_error(__FILE__, __LINE__, "no such operator");
}

}  // namespace hexproof
