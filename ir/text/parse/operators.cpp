// Operators of Python: on literals as Python computes them, else as nodes of the IR.
#include <cmath>

#include "ir/base/codes.h"
#include "ir/text/parse/value.h"

namespace hexproof::text {
namespace {

[[noreturn]] void bad_literals(Op op, const Span& span) {
  throw CodedError(Code::Type, span, "no value is known of '" + std::string(info(op).text) + "' of these constants");
}

Value fold_ints(Op op, Wide a, Wide b, const Span& span) {
  Wide out = 0;
  constexpr Wide kLimit = Wide{1} << 100;
  switch (op) {
    case Op::Add:
      out = a + b;
      break;
    case Op::Sub:
      out = a - b;
      break;
    case Op::Mul:
      if (__builtin_mul_overflow(a, b, &out)) bad_literals(op, span);
      break;
    case Op::Div:
      if (b == 0) throw CodedError(Code::Type, span, "division by zero");
      return Value{static_cast<double>(a) / static_cast<double>(b), span};
    case Op::FloorDiv:
    case Op::FloorMod:
      if (b == 0) throw CodedError(Code::Type, span, "division by zero");
      out = floor_div(a, b);
      if (op == Op::FloorMod) out = a - b * out;
      break;
    case Op::Shl:
      if (b < 0 || b > 64 || __builtin_mul_overflow(a, Wide{1} << static_cast<int>(b), &out)) bad_literals(op, span);
      break;
    case Op::Shr:
      if (b < 0) bad_literals(op, span);
      out = b > 120 ? (a < 0 ? -1 : 0) : a >> static_cast<int>(b);
      break;
    case Op::BitAnd:
      out = a & b;
      break;
    case Op::BitOr:
      out = a | b;
      break;
    case Op::BitXor:
      out = a ^ b;
      break;
    case Op::EQ:
      return Value{a == b, span};
    case Op::NE:
      return Value{a != b, span};
    case Op::LT:
      return Value{a < b, span};
    case Op::LE:
      return Value{a <= b, span};
    case Op::GT:
      return Value{a > b, span};
    case Op::GE:
      return Value{a >= b, span};
    case HEXPROOF_CASES(Leaf):
    case Op::TruncDiv:
    case Op::TruncMod:
    case HEXPROOF_CASES(MinMax):
    case HEXPROOF_CASES(Boolean):
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      bad_literals(op, span);
  }
  if (out > kLimit || out < -kLimit) throw CodedError(Code::Type, span, "this constant is too large");
  return Value{out, span};
}

Value fold_floats(Op op, double a, double b, const Span& span) {
  if (op == Op::Add) return Value{a + b, span};
  if (op == Op::Sub) return Value{a - b, span};
  if (op == Op::Mul) return Value{a * b, span};
  if (op == Op::Div) {
    if (b == 0) throw CodedError(Code::Type, span, "division by zero");
    return Value{a / b, span};
  }
  if (op == Op::EQ) return Value{a == b, span};
  if (op == Op::NE) return Value{a != b, span};
  if (op == Op::LT) return Value{a < b, span};
  if (op == Op::LE) return Value{a <= b, span};
  if (op == Op::GT) return Value{a > b, span};
  if (op == Op::GE) return Value{a >= b, span};
  bad_literals(op, span);
}

double as_double(const Value& v) {
  if (const double* d = v.as<double>()) return *d;
  if (const Wide* w = v.as<Wide>()) return static_cast<double>(*w);
  return *v.as<bool>() ? 1 : 0;
}
Wide as_wide(const Value& v) { return v.as<Wide>() ? *v.as<Wide>() : Wide{*v.as<bool>()}; }

Value boolean_op(Op op, const Value& a, const Value& b, const Span& span) {
  if (a.as<bool>() && b.as<bool>()) {
    bool x = *a.as<bool>(), y = *b.as<bool>();
    return Value{op == Op::And ? x && y : x || y, span};
  }
  if (a.as<WeakUndef>()) return boolean_op(op, Value{undef(kBool), a.span}, b, span);
  if (b.as<WeakUndef>()) return boolean_op(op, a, Value{undef(kBool), b.span}, span);
  auto check = [&](const Value& v) {
    Expr e = to_expr(v);
    if (!e->dtype.is_bool()) {
      throw CodedError(Code::Type, v.span,
                       "an operand of '" + std::string(info(op).text) + "' must be a bool, not " + e->dtype.str());
    }
  };
  check(a), check(b);
  auto [x, y] = match_types(a, b, span);
  return make_value(binary(op, x, y), span);
}

}  // namespace

namespace {
bool is_undef(const Value& v) { return v.as<WeakUndef>() || (v.as<Expr>() && (*v.as<Expr>())->op == Op::Undef); }
}  // namespace

Value apply_binary(Op op, const Value& a, const Value& b, const Span& span) {
  if (op == Op::And || op == Op::Or) return boolean_op(op, a, b, span);
  if (a.is_literal() && b.is_literal() && is_infix(op)) {
    if (a.as<double>() || b.as<double>()) return fold_floats(op, as_double(a), as_double(b), span);
    return fold_ints(op, as_wide(a), as_wide(b), span);
  }
  if (a.as<std::string>() && b.as<std::string>() && (op == Op::EQ || op == Op::NE)) {
    return Value{(*a.as<std::string>() == *b.as<std::string>()) == (op == Op::EQ), span};
  }
  if (a.as<std::string>() || b.as<std::string>()) {
    throw CodedError(Code::Type, span,
                     "operator '" + std::string(info(op).text) + "' of " + describe(a) + " and " + describe(b));
  }
  // `V[i] == T.undef()` says that the cell holds some value, as whatever it is seen.
  if (op == Op::EQ && a.cell && is_undef(b))
    return apply_binary(op, Value{a.cell, a.span}, Value{WeakUndef{}, b.span}, span);
  if (op == Op::EQ && b.cell && is_undef(a))
    return apply_binary(op, Value{WeakUndef{}, a.span}, Value{b.cell, b.span}, span);
  auto [x, y] = match_types(a, b, span);
  DType type = x->dtype;
  if (type.is_bool()) {
    if (op == Op::BitAnd) op = Op::And;
    if (op == Op::BitOr) op = Op::Or;
    if (op == Op::BitXor) op = Op::NE;
  }
  std::string hint;
  bool ok = true;
  switch (op) {
    case Op::Div:
      ok = type.is_float();
      hint = "on integers write //, or T.truncdiv for C's division";
      break;
    case HEXPROOF_CASES(IntegerDivision):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift):
      ok = type.is_integer();
      break;
    case HEXPROOF_CASES(Ring):
    case HEXPROOF_CASES(MinMax):
    case HEXPROOF_CASES(Order):
      ok = !type.is_bool();
      break;
    case Op::EQ:
    case Op::NE:
    case Op::And:
    case Op::Or:
      break;
    case HEXPROOF_CASES(Leaf):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      internal_error(__FILE__, __LINE__, "not a binary operator");
  }
  if (!ok) {
    throw CodedError(Code::Type, span, "operator '" + std::string(info(op).text) + "' does not work on " + type.str(),
                     hint);
  }
  return make_value(binary(op, x, y), span);
}

Value apply_unary(const std::string& op, const Value& a, const Span& span) {
  if (op == "-") {
    if (const Wide* v = a.as<Wide>()) return Value{-*v, span};
    if (const double* v = a.as<double>()) return Value{-*v, span};
    return apply_binary(Op::Mul, a, Value{Wide{-1}, span}, span);
  }
  if (op == "+") {
    if (!a.is_literal()) to_expr(a);
    return a;
  }
  if (op == "not") {
    if (const bool* v = a.as<bool>()) return Value{!*v, span};
    Expr e = to_expr(a);
    if (!e->dtype.is_bool())
      throw CodedError(Code::Type, a.span, "the operand of 'not' must be a bool, not " + e->dtype.str());
    return make_value(lnot(e), span);
  }
  if (const Wide* v = a.as<Wide>()) return Value{-*v - 1, span};
  Expr e = to_expr(a);
  if (e->dtype.is_bool()) return make_value(lnot(e), span);
  if (!e->dtype.is_integer())
    throw CodedError(Code::Type, a.span, "the operand of '~' must be an integer, not " + e->dtype.str());
  return make_value(unary(Op::BitNot, e), span);
}

}  // namespace hexproof::text
