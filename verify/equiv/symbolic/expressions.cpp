// Expressions of a symbolic run. The order of evaluation and every error are those of ir/interpreter/walk/walk_expr.h.
#include <cmath>

#include "ir/interpreter/math.h"
#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {
namespace {

Scalar apply(const Code* e, const Scalar& a, const Scalar& b) {
  ScalarResult r = apply_binary(e->op, a, b, e->source->wraps ? Arith::Data : Arith::Index);
  if (!r) faults::operation(r.error, e->op, a, b);
  return r.value;
}

/// Does index arithmetic on these values leave its type of at most 32 bits?
Term overflows(Terms& terms, Op op, Term a, Term b) {
  const DType type = terms.type(a);
  DType wide = type.is_uint() && op == Op::Mul ? kUInt64 : kInt64;
  Term exact = terms.binary(op, terms.cast(wide, a), terms.cast(wide, b));
  Term low = type.is_uint() && op == Op::Mul
                 ? Terms::kFalse
                 : terms.binary(Op::LT, exact, terms.constant(int_scalar(wide, min_value(type))));
  return terms.lor(low, terms.binary(Op::LT, terms.constant(int_scalar(wide, max_value(type))), exact));
}

Scalar apply_cast_checked(DType to, const Scalar& a) {
  ScalarResult r = apply_cast(to, a);
  if (!r) faults::cast(r.error, to, a);
  return r.value;
}

/// Exact functions that are folded on constants; others stay opaque.
bool is_exact(const std::string& name) {
  for (const char* exact :
       {"isnan", "isinf", "isfinite", "abs", "fabs", "popcount", "floor", "ceil", "trunc", "sqrt", "reinterpret"}) {
    if (name == exact || name == std::string("T.") + exact || name == std::string("tir.") + exact) return true;
  }
  return false;
}

}  // namespace

Wide Executor::exact(const Code* e, const char* where) {
  if (!e->data) return wide_value(number(e));
  Term t = checked(term(e), where);
  Interval range = known_.range(t);
  if (!range.is_point()) {
    throw Unsupported(current_->stmt->span, std::string(where) + " that depends on the content of a buffer",
                      "a constant, or a number that does not depend on data, is supported");
  }
  return range.lo;
}

int64_t Executor::whole(const Code* e, const char* where) {
  const Wide wide = exact(e, where);
  if (!fits_type(kInt64, wide)) {
    throw Fault{ErrorKind::Overflow, "the number " + to_string(wide) + " in " + where + " is beyond int64"};
  }
  return static_cast<int64_t>(wide);
}

Term Executor::checked(Term t, const char* where) {
  if (t_.has_undef(t)) {
    error_if(t_.depends_on_undef(t), std::string("a value that depends on T.undef() stands in ") + where);
  }
  return t;
}

Term Executor::condition(const Code* e) { return checked(term(e), "a condition"); }

Scalar Executor::number(const Code* e) {
  HEXPROOF_CHECK(!e->data, "data as a number");
  switch (e->op) {
    case Op::Var:
      return scalars_[e->slot];
    case Op::IntImm:
    case Op::FloatImm:
      return e->value;
    case Op::EQ:
    case Op::And:
    case Op::Or:
      if (in_assume_) return t_.value(term(e));
      [[fallthrough]];
    case HEXPROOF_CASES(Arithmetic):
    case Op::NE:
    case HEXPROOF_CASES(Order):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Scalar a = number(e->args[0]);
      return apply(e, a, number(e->args[1]));
    }
    case Op::Not:
    case Op::BitNot:
      return apply_unary(e->op, number(e->args[0]));
    case Op::Select: {
      if (in_assume_) return number(e->args[number(e->args[0]).truth() ? 1 : 2]);
      Scalar c = number(e->args[0]), yes = number(e->args[1]), no = number(e->args[2]);
      return c.truth() ? yes : no;
    }
    case Op::IfThenElse:
      return number(e->args[number(e->args[0]).truth() ? 1 : 2]);
    case Op::Cast:
      return apply_cast_checked(e->type, number(e->args[0]));
    case Op::Let:
      bind(e->slot, e->args[1]->data, e->args[1]);
      return number(e->args[2]);
    case Op::Likely:
      return number(e->args[0]);
    case Op::StringImm:
    case Op::Undef:
    case Op::Load:
    case HEXPROOF_CASES(Vector):
    case Op::Call:
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw Unsupported(current_->stmt->span, "a value of the kind " + std::string(info(e->op).name));
}

/// An operation on data: its errors become conditions.
Term Executor::binary(Op op, Term a, Term b) {
  const DType type = t_.type(a);
  if (is_division(op)) {
    error_if(t_.binary(Op::EQ, b, t_.zero(type)), describe(ScalarError::DivisionByZero));
    if (type.is_int()) {
      Term least = t_.constant(int_scalar(type, min_value(type))), minus = t_.constant(int_scalar(type, -1));
      error_if(t_.land(t_.binary(Op::EQ, b, minus), t_.binary(Op::EQ, a, least)),
               describe(ScalarError::DivisionOverflow));
    }
  }
  if (op == Op::Shl || op == Op::Shr) {
    Term low = type.is_int() ? t_.binary(Op::LT, b, t_.constant(zero_scalar(type))) : Terms::kFalse;
    Term high = t_.binary(Op::LT, t_.constant(int_scalar(type, type.bits - 1)), b);
    error_if(t_.lor(low, high), describe(ScalarError::ShiftRange));
  }
  // Under `reassoc` the operation is regrouped with those that made its operands, whatever these gave.
  if (t_.open().reassoc && type.is_float() && !is_comparison(op) && op != Op::Min && op != Op::Max) {
    // (Which infinity a quotient is, or which sign a function saw, is no grouping.)
    for (Term* operand : {&a, &b}) {
      const Term made = t_.operation(*operand);
      const bool quotient = t_.op(made) == Op::Div && t_.open().nsz;
      if (t_.op(made) != Op::Call && !quotient) *operand = made;
    }
  }
  return evaluated(t_.binary(op, a, b));
}

Term Executor::cast(DType to, Term a) {
  const DType from = t_.type(a);
  if (from.is_float() && to.is_integer()) {
    // trunc(a) lies in the type: a < 2^n and a > -2^n - 1, or a >= -2^n where no number lies between these two.
    double end = std::ldexp(1.0, to.is_int() ? to.bits - 1 : to.bits);
    double low = to.is_int() ? -end - 1 : -1.0;
    auto is = [&](double v) { return t_.constant(float_scalar(from, v)); };
    bool exact = float_scalar(from, low).d() == low && low != -end;
    bool infinite = std::isinf(float_scalar(from, -end).d());
    Term above = exact ? t_.binary(Op::LT, is(low), a) : t_.binary(infinite ? Op::LT : Op::LE, is(-end), a);
    error_if(t_.lnot(t_.land(t_.binary(Op::LT, a, is(end)), above)), describe(ScalarError::CastRange));
  }
  return t_.cast(to, a);
}

Term Executor::call(const Code* e, const std::vector<Term>& args) {
  const std::string& name = e->source->text();
  if (args.size() == 1 && e->type.is_bool() && t_.type(args[0]).is_float()) {
    // These are comparisons.
    const DType type = t_.type(args[0]);
    const Term x = args[0], most = t_.constant(float_scalar(type, HUGE_VAL)),
               least = t_.constant(float_scalar(type, -HUGE_VAL));
    if (name == "isnan") return t_.binary(Op::NE, x, x);
    if (name == "isfinite") return t_.land(t_.binary(Op::LT, least, x), t_.binary(Op::LT, x, most));
    if (name == "isinf") return t_.lor(t_.binary(Op::EQ, x, least), t_.binary(Op::EQ, x, most));
  }
  if (is_exact(name)) {
    std::vector<Scalar> values;
    for (Term a : args) {
      if (t_.is_constant(a)) values.push_back(t_.value(a));
    }
    if (values.size() == args.size()) {
      if (auto value = apply_call(name, e->type.element(), values)) return t_.constant(*value);
    }
  }
  return evaluated(t_.call(name, e->type.element(), args));
}

/// `and`, `or` in an assume: the right operand only where the left one does not decide.
Term Executor::short_circuit(const Code* e) {
  Term left = condition(e->args[0]);
  const bool is_or = e->op == Op::Or;
  Term right = t_.truth(is_or), open = is_or ? t_.lnot(left) : left;
  Ways ways = fork(
      open, [&] { right = term(e->args[1]); }, [&] {});
  if (ways == Ways::Second) return left;
  // A choice, not `or`: where the left operand decides, the value does not depend on an undef in the right one.
  return ways == Ways::First ? right : t_.select(open, right, t_.truth(is_or));
}

/// `A[i] == T.undef()` in an assume allows to read A[i]: an uninitialised cell then holds some value.
Term Executor::permits_undef(const Code* e) {
  const Code* cell = e->args[e->args[0]->op == Op::Undef ? 1 : 0];
  const BufferNode& buffer = *cell->source->buffer();
  for (const std::vector<Index>& element : elements(cell->args)) {
    View& v = view(cell->slot, buffer);
    for (const Candidate& c : candidates(v, buffer, element, false)) {
      for (int lane = 0; lane < buffer.dtype.lanes; ++lane) {
        size_t at = position(v, buffer, c.indices, lane, false);
        touch(v, buffer, c.indices, at, true, c.condition);  // it conflicts as a write does
        Memory& m = *v.memory;
        if (m.filled[at] == Terms::kTrue) continue;
        Term any = t_.undef(m.element, undefs_++ * 2 + side_);
        // (What no store filled is no value of the type.)
        const bool empty = m.filled[at] == Terms::kFalse;
        Term held = empty ? any : t_.select(c.condition, t_.select(m.filled[at], m.cells[at], any), m.cells[at]);
        write(m, at, held, t_.lor(m.filled[at], c.condition));
      }
    }
  }
  return Terms::kTrue;
}

Term Executor::term(const Code* e) {
  if (!e->data && !(in_assume_ && e->type.is_bool())) return t_.constant(number(e));
  switch (e->op) {
    case Op::Var:
      return e->data ? values_[e->slot] : t_.constant(scalars_[e->slot]);
    case Op::IntImm:
    case Op::FloatImm:
      return t_.constant(e->value);
    case Op::Undef:
      return t_.undef(e->type, undefs_++ * 2 + side_);
    case Op::And:
    case Op::Or:
      if (in_assume_) return short_circuit(e);
      [[fallthrough]];
    case Op::EQ:
      if (in_assume_ && e->op == Op::EQ) {
        const Code *a = e->args[0], *b = e->args[1];
        if ((a->op == Op::Undef && b->op == Op::Load) || (b->op == Op::Undef && a->op == Op::Load)) {
          return permits_undef(e);
        }
      }
      [[fallthrough]];
    case HEXPROOF_CASES(Arithmetic):
    case Op::NE:
    case HEXPROOF_CASES(Order):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      if (!e->args[0]->data && !e->args[1]->data) {  // two numbers, in an assume
        Scalar a = number(e->args[0]);
        return t_.constant(apply(e, a, number(e->args[1])));
      }
      Term a = term(e->args[0]), b = term(e->args[1]), out = binary(e->op, a, b);
      if (!may_wrap(e->op, e->type) || e->source->wraps) return out;
      if (e->type.bits > 32) {
        throw Unsupported(current_->stmt->span, "T.nowrap on the content of a buffer, in " + e->type.str());
      }
      error_if(overflows(t_, e->op, a, b), describe(ScalarError::Overflow));
      return out;
    }
    case Op::Not:
    case Op::BitNot:
      return t_.unary(e->op, term(e->args[0]));
    case Op::Select:
      if (!in_assume_) {
        Term c = term(e->args[0]), yes = term(e->args[1]);
        return t_.select(c, yes, term(e->args[2]));
      }
      [[fallthrough]];
    case Op::IfThenElse: {
      Term c = condition(e->args[0]), yes = 0, no = 0;
      Ways ways = fork(
          c, [&] { yes = term(e->args[1]); }, [&] { no = term(e->args[2]); });
      return ways == Ways::First ? yes : ways == Ways::Second ? no : t_.select(c, yes, no);
    }
    case Op::Cast:
      return cast(e->type, term(e->args[0]));
    case Op::Let:
      bind(e->slot, e->args[1]->data, e->args[1]);
      return term(e->args[2]);
    case Op::Load:
      return load_scalar(e);
    case Op::Likely:
      return term(e->args[0]);
    case Op::Call: {
      std::vector<Term> args;
      for (const Code* a : e->args) {
        if (!a->type.is_scalar()) throw Unsupported(current_->stmt->span, "the call of " + e->source->text());
        args.push_back(term(a));
      }
      return call(e, args);
    }
    case Op::StringImm:
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw Unsupported(current_->stmt->span, "a value of the kind " + std::string(info(e->op).name));
}

}  // namespace hexproof::symbolic
