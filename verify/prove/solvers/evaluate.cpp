#include "verify/prove/solvers/evaluate.h"

#include <bit>
#include <cmath>
#include <limits>

#include "ir/base/diagnostic.h"
#include "ir/buffer.h"
#include "ir/float_format.h"
#include "ir/reinterpret.h"
#include "verify/prove/solvers/arithmetic/interval.h"

namespace hexproof {

double float_from_bits(DType type, Wide bits) { return raw_to_float(type, static_cast<uint64_t>(bits)); }

Wide float_to_bits(DType type, double value) { return Wide{float_to_raw(type, value)}; }

namespace {

/// One operation in the precision of the type. Narrower types than float32 are computed in double, which is exact
/// enough for one rounding to be right (53 >= 2 * 11 + 2).
template <class F>
double float_op(DType type, double a, double b, F f) {
  if (type.bits == 32) return f(static_cast<float>(a), static_cast<float>(b));
  return round_float(type, f(a, b));
}

double int_to_float(DType type, Wide value) {
  if (type.bits == 64) return static_cast<double>(value);
  if (type.bits == 32) return static_cast<float>(value);
  return round_float(type, double_for_rounding(value));
}

enum class Exact : uint8_t { Sum, Difference, Product };

/// Nothing beyond 128 bits.
std::optional<Wide> computed(Exact what, Wide a, Wide b) {
  Wide out = 0;
  const bool overflows = what == Exact::Sum          ? __builtin_add_overflow(a, b, &out)
                         : what == Exact::Difference ? __builtin_sub_overflow(a, b, &out)
                                                     : __builtin_mul_overflow(a, b, &out);
  if (overflows) return std::nullopt;
  return out;
}

Wide exactly(Exact what, Wide a, Wide b) {
  const std::optional<Wide> out = computed(what, a, b);
  if (!out) throw Undefined("a number beyond 128 bits");
  return *out;
}

Wide power_of_two(Wide exponent) { return Wide{1} << static_cast<int>(exponent); }

Wide bits_of(Op op, Wide a, Wide b) { return op == Op::BitAnd ? a & b : op == Op::BitOr ? a | b : a ^ b; }

struct UndefNumbers {
  int* next;
  Expr operator()(const Expr& e) {
    if (e->op == Op::Undef) return call(e->dtype, "T.undef." + std::to_string((*next)++), {});
    bool any = false;
    visit_nodes(e, [&](const Expr& node) {
      any |= node->op == Op::Undef;
      return !any;
    });
    if (!any) return e;
    std::vector<Expr> args;
    for (const Expr& arg : e->args) args.push_back((*this)(arg));
    return with_args(e, std::move(args));
  }
};

Expr inline_lets(const Expr& e, VarMap& scope) {
  if (e->op == Op::Let) {
    Expr value = inline_lets(e->args[1], scope);
    const Var& var = e->args[0]->var();
    auto outer = scope.find(var);
    Expr shadowed = outer == scope.end() ? Expr{} : outer->second;
    scope[var] = value;
    Expr body = inline_lets(e->args[2], scope);
    if (shadowed) {
      scope[var] = shadowed;
    } else {
      scope.erase(var);
    }
    return body;
  }
  if (e->op == Op::Var) {
    auto it = scope.find(e->var());
    return it == scope.end() ? e : it->second;
  }
  if (e->args.empty()) return e;
  std::vector<Expr> args;
  bool changed = false;
  for (const Expr& arg : e->args) {
    args.push_back(inline_lets(arg, scope));
    changed |= args.back().get() != arg.get();
  }
  return changed ? with_args(e, std::move(args)) : e;
}

/// That the values of the lets in `e` have no error where they are evaluated, used or not; missing: there is none.
Expr lets_fit(const Expr& e) {
  auto both = [](const Expr& a, const Expr& b) { return !a ? b : !b ? a : land(a, b); };
  if (e->op == Op::Let) {
    const Expr& value = e->args[1];
    Expr body = lets_fit(e->args[2]);
    if (body) body = substitute(body, {{e->args[0]->var(), value}});
    return both(both(lets_fit(value), fits(value)), body);
  }
  if (e->op == Op::IfThenElse) {
    Expr yes = lets_fit(e->args[1]), no = lets_fit(e->args[2]);
    Expr sides = yes || no ? if_then_else(e->args[0], yes ? yes : boolean(true), no ? no : boolean(true)) : Expr();
    return both(lets_fit(e->args[0]), sides);
  }
  Expr out;
  for (const Expr& arg : e->args) out = both(out, lets_fit(arg));
  return out;
}

/// `fits` sees a formula with its lets put in: what is evaluated beyond their uses is said besides.
Expr with_strict_lets(const Expr& formula) {
  return rewrite_expr(formula, [](const Expr& e) {
    Expr lets = e->op == Op::Fits ? lets_fit(e->args[0]) : Expr();
    return lets ? land(lets, e) : e;
  });
}

}  // namespace

Expr prepare(const Expr& formula, int* undefs) {
  bool has_let = false, has_undef = false;
  visit_nodes(formula, [&](const Expr& e) {
    has_let |= e->op == Op::Let;
    has_undef |= e->op == Op::Undef;
    return true;
  });
  Expr out = has_let ? with_strict_lets(formula) : formula;
  if (has_undef) out = UndefNumbers{undefs}(out);
  VarMap scope;
  return has_let ? inline_lets(out, scope) : out;
}

Evaluator::Evaluator(Inputs& inputs)
    : in_([]() -> const Valuation& {
        static const Valuation none;
        return none;
      }()),
      inputs_(&inputs) {}

bool Evaluator::holds(const Expr& formula) { return eval(formula).i != 0; }

Wide Evaluator::bits(const Expr& e) {
  Value value = eval(e);
  return e->dtype.is_float() ? float_to_bits(e->dtype, value.f) : value.i;
}

Evaluator::Value Evaluator::input(const Expr& e) {
  Wide bits;
  if (inputs_) {
    bits = inputs_->value_of(e, *this);
  } else if (e->op == Op::Var) {
    auto it = in_.vars.find(e->var());
    if (it == in_.vars.end()) throw Undefined("no value of " + e->var().name());
    bits = it->second;
  } else {
    auto it = in_.terms.find(e);
    if (it == in_.terms.end()) throw Undefined("no value of a load or call");
    bits = it->second;
  }
  if (e->op == Op::Load && !inputs_) {
    std::vector<Wide> at;
    for (const Expr& index : e->args) at.push_back(eval(index).i);
    auto [cell, fresh] = cells_.emplace(std::pair{e->buffer(), std::move(at)}, bits);
    if (!fresh && cell->second != bits) throw Undefined("two values for one cell of " + e->buffer()->name);
  }
  if (e->dtype.is_float()) return {0, float_from_bits(e->dtype, bits)};
  if (!fits_type(e->dtype, bits)) throw Undefined("a value outside of its type");
  return {bits, 0};
}

Evaluator::Value Evaluator::eval_comparison(const Expr& e) {
  Value a = eval(e->args[0]), b = eval(e->args[1]);
  auto compare = [&](auto x, auto y) -> bool {
    if (e->op == Op::EQ) return x == y;
    if (e->op == Op::NE) return x != y;
    if (e->op == Op::LT) return x < y;
    if (e->op == Op::LE) return x <= y;
    return e->op == Op::GT ? x > y : x >= y;
  };
  return {e->args[0]->dtype.is_float() ? compare(a.f, b.f) : compare(a.i, b.i), 0};
}

Evaluator::Value Evaluator::eval_float(Op op, DType type, double a, double b) {
  if (op == Op::Add) return {0, float_op(type, a, b, [](auto x, auto y) { return x + y; })};
  if (op == Op::Sub) return {0, float_op(type, a, b, [](auto x, auto y) { return x - y; })};
  if (op == Op::Mul) return {0, float_op(type, a, b, [](auto x, auto y) { return x * y; })};
  if (op == Op::Div) return {0, float_op(type, a, b, [](auto x, auto y) { return x / y; })};
  if (op == Op::Min) return {0, a < b ? a : b};
  if (op == Op::Max) return {0, a > b ? a : b};
  throw Undefined("not an operator on floats");
}

Evaluator::Value Evaluator::eval_cast(const Expr& e) {
  DType to = e->dtype, from = e->args[0]->dtype;
  Value a = eval(e->args[0]);
  if (from.is_float()) {
    if (to.is_float()) return {0, round_float(to, a.f)};
    if (to.is_bool()) return {a.f != 0, 0};
    double whole = std::trunc(a.f);
    double least = std::ldexp(to.is_int() ? -1.0 : 0.0, to.bits - 1);
    double past = std::ldexp(1.0, to.is_int() ? to.bits - 1 : to.bits);
    if (!(whole >= least && whole < past)) throw Undefined("a cast to " + to.str() + " that does not fit");
    return {static_cast<Wide>(whole), 0};
  }
  if (to.is_float()) return {0, int_to_float(to, a.i)};
  if (to.is_bool()) return {a.i != 0, 0};
  return {wrap_to(to, a.i), 0};
}

Evaluator::Value Evaluator::eval(const Expr& e) {
  if (!e->dtype.is_scalar() || e->dtype.is_handle()) throw Undefined("a vector or a handle");
  auto wrapped = [&](Wide value) { return Value{wraps(e) ? wrap_to(e->dtype, value) : value, 0}; };
  auto divisor = [&](Wide b) {
    if (b == 0) throw Undefined("division by zero");
    return b;
  };
  auto amount = [&](Wide b) {
    if (b < 0 || b >= e->dtype.bits) throw Undefined("a shift by " + to_string(b));
    return b;
  };
  switch (e->op) {
    case Op::Var:
    case Op::Load:
      return input(e);
    case Op::Call: {
      if (!is_reinterpret(*e)) return input(e);
      const Value a = eval(e->args[0]);
      const DType from = e->args[0]->dtype;
      if (from.is_float()) return {wrap_to(e->dtype, static_cast<Wide>(float_to_raw(from, a.f))), 0};
      return {0, raw_to_float(e->dtype, static_cast<uint64_t>(a.i) & (~uint64_t{0} >> (64 - from.bits)))};
    }
    case HEXPROOF_CASES(Uninterpreted):
      return input(e);
    case Op::SameBits: {
      Value a = eval(e->args[0]), b = eval(e->args[1]);
      DType type = e->args[0]->dtype;
      if (!type.is_float()) return {a.i == b.i, 0};
      return {float_to_bits(type, a.f) == float_to_bits(type, b.f), 0};
    }
    case Op::IntImm:
      return {int_value(e), 0};
    case Op::FloatImm:
      return {0, e->float_value()};
    case HEXPROOF_CASES(Comparison):
      return eval_comparison(e);
    case Op::And:
    case Op::Or: {
      Wide decides = e->op == Op::Or;
      try {
        Value a = eval(e->args[0]);
        if (a.i == decides) return a;
      } catch (const Undefined&) {
        if (eval(e->args[1]).i == decides) return {decides, 0};
        throw;
      }
      return eval(e->args[1]);
    }
    case Op::Not:
      return {!eval(e->args[0]).i, 0};
    case HEXPROOF_CASES(Choice):
      return eval(eval(e->args[0]).i ? e->args[1] : e->args[2]);
    case Op::Cast:
      return eval_cast(e);
    case Op::Likely:
      return eval(e->args[0]);
    case Op::Fits:
      return {fits(e->args[0]), 0};
    case Op::BitNot: {
      Wide a = eval(e->args[0]).i;
      return {e->dtype.is_uint() ? max_value(e->dtype) - a : -1 - a, 0};
    }
    case HEXPROOF_CASES(Arithmetic):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift):
      break;
    case Op::StringImm:
    case Op::Undef:
    case Op::Let:
    case HEXPROOF_CASES(Vector):
      throw Undefined(std::string(info(e->op).name) + " in a formula");
  }
  Value x = eval(e->args[0]), y = eval(e->args[1]);
  if (e->dtype.is_float()) return eval_float(e->op, e->dtype, x.f, y.f);
  Wide a = x.i, b = y.i;
  Op op = e->op;
  if (op == Op::Add) return wrapped(exactly(Exact::Sum, a, b));
  if (op == Op::Sub) return wrapped(exactly(Exact::Difference, a, b));
  if (op == Op::Mul && wraps(e)) {  // of two uint64 it may be beyond Wide, and wraps all the same
    const auto product = static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b);
    return {wrap_to(e->dtype, static_cast<Wide>(product)), 0};
  }
  if (op == Op::Mul) return wrapped(exactly(Exact::Product, a, b));
  if (op == Op::Min) return {a < b ? a : b, 0};
  if (op == Op::Max) return {a > b ? a : b, 0};
  if (op == Op::FloorDiv) return wrapped(floor_div(a, divisor(b)));
  if (op == Op::FloorMod) return wrapped(floor_mod(a, divisor(b)));
  if (op == Op::TruncDiv) return wrapped(a / divisor(b));
  if (op == Op::TruncMod) return wrapped(a % divisor(b));
  if (op == Op::Shl) return wrapped(exactly(Exact::Product, a, power_of_two(amount(b))));
  if (op == Op::Shr) return {floor_div(a, power_of_two(amount(b))), 0};
  return {bits_of(op, a, b), 0};
}

bool Evaluator::fits(const Expr& e) {
  if (e->op == Op::IfThenElse) return fits(e->args[0]) && fits(eval(e->args[0]).i ? e->args[1] : e->args[2]);
  for (const Expr& arg : e->args) {
    if (!fits(arg)) return false;
  }
  if (!e->dtype.is_integer() || !e->dtype.is_scalar()) return true;
  Op op = e->op;
  if (is_division(op)) {
    Wide a = eval(e->args[0]).i, b = eval(e->args[1]).i;
    return b != 0 && !(e->dtype.is_int() && a == min_value(e->dtype) && b == -1);
  }
  if (op == Op::Shl || op == Op::Shr) {
    Wide b = eval(e->args[1]).i;
    if (b < 0 || b >= e->dtype.bits) return false;
  }
  if (op == Op::Cast && e->args[0]->dtype.is_float()) {
    try {
      eval(e);
    } catch (const Undefined&) {
      return false;
    }
  }
  bool may_overflow = op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Shl;
  if (!may_overflow || (in_.machine ? !in_.overflow_is_error : e->wraps)) return true;
  const Wide a = eval(e->args[0]).i, b = eval(e->args[1]).i;
  const std::optional<Wide> out = op == Op::Add   ? computed(Exact::Sum, a, b)
                                  : op == Op::Sub ? computed(Exact::Difference, a, b)
                                                  : computed(Exact::Product, a, op == Op::Shl ? power_of_two(b) : b);
  return out && fits_type(e->dtype, *out);
}

}  // namespace hexproof
