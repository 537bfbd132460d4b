// Expressions to bytecode, with the interval in which each integer lies.
#include <algorithm>
#include <bit>

#include "ir/interpreter/bytecode/compiler.h"
#include "ir/interpreter/math.h"

namespace hexproof::fast {

namespace {
bool is_power_of_two(Wide v) {
  return v > 0 && v <= max_value(kInt64) && std::has_single_bit(static_cast<uint64_t>(v));
}
}  // namespace

Value Compiler::expr(const Expr& e) {
  if (!e->dtype.is_scalar() || e->dtype.is_handle()) throw NotCompiled{};
  switch (e->op) {
    case Op::Var: {
      auto it = vars_.find(e->var().id());
      if (it == vars_.end()) throw NotCompiled{};
      return it->second;
    }
    case Op::IntImm:
      return constant({e->dtype, static_cast<uint64_t>(e->int_value())});
    case Op::FloatImm:
      return constant(float_scalar(e->dtype, e->float_value()));
    case Op::And:
    case Op::Or:
      if (in_assume_) {
        Value decided = constant(bool_scalar(e->op == Op::Or));
        auto rest = [&] { return expr(e->args[1]); };
        auto known = [&] { return decided; };
        return e->op == Op::Or ? choose(e->args[0], known, rest, kBool) : choose(e->args[0], rest, known, kBool);
      }
      [[fallthrough]];
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Value a = expr(e->args[0]);
      Value b = expr(e->args[1]);
      return binary(e->op, a, b, e->wraps);
    }
    case Op::Not:
    case Op::BitNot: {
      Value a = expr(e->args[0]);
      if (a.kind == Value::Constant) return constant(apply_unary(e->op, a.constant));
      if (e->op == Op::Not) return in_register(pure({.code = Code::Not, .a = reg(a)}), kBool);
      int64_t op = operation({.op = e->op, .type = e->dtype, .from = {}, .name = "", .args = {}});
      return in_register(pure({.code = Code::AnyUnary, .a = reg(a), .imm = op}), e->dtype);
    }
    case Op::Select:
      if (!in_assume_) {
        Value c = expr(e->args[0]), yes = expr(e->args[1]), no = expr(e->args[2]);
        return select(c, yes, no);
      }
      [[fallthrough]];
    case Op::IfThenElse:
      return choose(
          e->args[0], [&] { return expr(e->args[1]); }, [&] { return expr(e->args[2]); }, e->dtype);
    case Op::Cast:
      return cast(e->dtype, expr(e->args[0]));
    case Op::Let:
      bind(e->args[0]->var(), expr(e->args[1]));
      return expr(e->args[2]);
    case Op::Load:
      return load(e);
    case Op::Likely:
      return expr(e->args[0]);
    case Op::Call:
      return call(e);
    case Op::Undef:
    case Op::StringImm:
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw NotCompiled{};
}

Value Compiler::any_binary(Op op, const Value& a, const Value& b, bool wraps, bool can_fail) {
  int64_t operation_id = operation(
      {.op = op, .type = a.type, .from = {}, .mode = wraps ? Arith::Data : Arith::Index, .name = "", .args = {}});
  Instr instr{.code = Code::AnyBinary, .a = reg(a), .b = reg(b), .imm = operation_id};
  DType result = is_comparison(op) ? kBool : a.type;
  if (!can_fail) return in_register(pure(instr), result);
  instr.c = site();
  return in_register(here(instr), result);
}

Value Compiler::binary(Op op, const Value& a, const Value& b, bool wraps) {
  if (a.kind == Value::Constant && b.kind == Value::Constant) {
    ScalarResult r = apply_binary(op, a.constant, b.constant, wraps ? Arith::Data : Arith::Index);
    if (r) return constant(r.value);
    return any_binary(op, a, b, wraps, true);
  }
  if (a.type.is_float()) return float_binary(op, a, b);
  switch (op) {
    case HEXPROOF_CASES(Ring):
      return arithmetic(op, a, b, wraps);
    case HEXPROOF_CASES(IntegerDivision):
      return division(op, a, b);
    case HEXPROOF_CASES(Comparison):
      return comparison(op, a, b);
    case HEXPROOF_CASES(MinMax): {
      if (!within_64(a) || !within_64(b)) return any_binary(op, a, b, false, false);
      Wide lo = op == Op::Min ? std::min(a.lo, b.lo) : std::max(a.lo, b.lo);
      Wide hi = op == Op::Min ? std::min(a.hi, b.hi) : std::max(a.hi, b.hi);
      Code code = op == Op::Min ? Code::Min : Code::Max;
      return in_register(pure({.code = code, .a = reg(a), .b = reg(b)}), a.type, lo, hi);
    }
    case Op::And:
    case Op::BitAnd:
      return in_register(pure({.code = Code::And, .a = reg(a), .b = reg(b)}), a.type);
    case Op::Or:
    case Op::BitOr:
      return in_register(pure({.code = Code::Or, .a = reg(a), .b = reg(b)}), a.type);
    case Op::BitXor:
      return in_register(pure({.code = Code::Xor, .a = reg(a), .b = reg(b)}), a.type);
    case HEXPROOF_CASES(Shift): {
      bool in_range = b.lo >= 0 && b.hi < a.type.bits;
      return any_binary(op, a, b, wraps, !in_range || (op == Op::Shl && !wraps));
    }
    case Op::Div:
    case HEXPROOF_CASES(Leaf):
    case Op::Not:
    case Op::BitNot:
    case HEXPROOF_CASES(Choice):
    case HEXPROOF_CASES(Other):
    case HEXPROOF_CASES(Vector):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw NotCompiled{};
}

Value Compiler::arithmetic(Op op, const Value& a, const Value& b, bool wraps) {
  const DType type = a.type;
  // The product of two 64-bit intervals fits in 128 bits but for the corner of uint64, cut off here.
  const bool huge = !within_64(a) || !within_64(b);
  Wide lo = min_value(type), hi = max_value(type);
  bool exact = false;
  if (!huge) {
    Wide l, h;
    if (op == Op::Mul) {
      auto [least, most] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
      l = least, h = most;
    } else {
      l = op == Op::Add ? a.lo + b.lo : a.lo - b.hi;
      h = op == Op::Add ? a.hi + b.hi : a.hi - b.lo;
    }
    exact = fits_type(type, l) && fits_type(type, h) && fits_type(kInt64, h);
    if (exact) lo = l, hi = h;
  }
  if (exact) {
    std::optional<Value> sum;
    if (op != Op::Mul)
      sum = linear(type, lo, hi, a, 1, b, op == Op::Add ? 1 : -1);
    else if (a.kind == Value::Constant)
      sum = linear(type, lo, hi, b, static_cast<int64_t>(a.lo), b, 0);
    else if (b.kind == Value::Constant)
      sum = linear(type, lo, hi, a, static_cast<int64_t>(b.lo), a, 0);
    if (sum) return *sum;
  }
  if (!exact && !wraps) return any_binary(op, a, b, wraps, true);
  Code code = op == Op::Add ? Code::Add : op == Op::Sub ? Code::Sub : Code::Mul;
  int result = pure({.code = code, .a = reg(a), .b = reg(b)});
  if (!exact && type.bits < 64) {
    result = pure({.code = type.is_int() ? Code::SignExtend : Code::ZeroExtend, .a = result, .imm = 64 - type.bits});
  }
  return in_register(result, type, lo, hi);
}

Value Compiler::division(Op op, const Value& a, const Value& b) {
  const bool floors = op == Op::FloorDiv || op == Op::FloorMod;
  const bool quotient = op == Op::FloorDiv || op == Op::TruncDiv;
  const bool plain = b.kind == Value::Constant && b.lo > 0 && within_64(a) && within_64(b) && (floors || a.lo >= 0);
  if (!plain) {
    bool by_zero = b.lo <= 0 && b.hi >= 0;
    bool overflow = a.type.is_int() && b.lo <= -1 && b.hi >= -1 && a.lo == min_value(a.type);
    return any_binary(op, a, b, false, by_zero || overflow);
  }
  const Wide by = b.lo, lo = floor_div(a.lo, by), hi = floor_div(a.hi, by);
  if (lo == hi) {  // the quotient is known
    if (quotient) return constant(int_scalar(a.type, lo));
    Value q = constant(int_scalar(kInt64, lo));
    if (auto rest = linear(a.type, 0, by - 1, a, 1, q, -static_cast<int64_t>(by))) return *rest;
  }
  const int64_t d = static_cast<int64_t>(by);
  const bool power = is_power_of_two(by);
  if (quotient) {
    Instr instr = power
                      ? Instr{.code = Code::ShiftRight, .a = reg(a), .imm = std::countr_zero(static_cast<uint64_t>(d))}
                      : Instr{.code = Code::FloorDivBy, .a = reg(a), .imm = d};
    return in_register(pure(instr), a.type, lo, hi);
  }
  Instr instr = power ? Instr{.code = Code::Mask, .a = reg(a), .imm = d - 1}
                      : Instr{.code = Code::FloorModBy, .a = reg(a), .imm = d};
  return in_register(pure(instr), a.type, 0, by - 1);
}

Value Compiler::comparison(Op op, const Value& a, const Value& b) {
  if (!within_64(a) || !within_64(b)) return any_binary(op, a, b, false, false);
  if (op == Op::GT) return comparison(Op::LT, b, a);
  if (op == Op::GE) return comparison(Op::LE, b, a);
  const bool apart = a.hi < b.lo || b.hi < a.lo;
  std::optional<bool> known;
  if (op == Op::LT && (a.hi < b.lo || a.lo >= b.hi)) known = a.hi < b.lo;
  if (op == Op::LE && (a.hi <= b.lo || a.lo > b.hi)) known = a.hi <= b.lo;
  if (apart && op == Op::EQ) known = false;
  if (apart && op == Op::NE) known = true;
  if (known) return constant(bool_scalar(*known));
  Code code = op == Op::LT ? Code::Less : op == Op::LE ? Code::LessEqual : op == Op::EQ ? Code::Equal : Code::NotEqual;
  return in_register(pure({.code = code, .a = reg(a), .b = reg(b)}), kBool);
}

Value Compiler::float_binary(Op op, const Value& a, const Value& b) {
  struct Row {
    Op op;
    Code narrow, wide;
    bool swap;
  };
  static constexpr Row kRows[] = {
      {Op::Add, Code::AddF32, Code::AddF64, false},  {Op::Sub, Code::SubF32, Code::SubF64, false},
      {Op::Mul, Code::MulF32, Code::MulF64, false},  {Op::Div, Code::DivF32, Code::DivF64, false},
      {Op::Min, Code::MinF32, Code::MinF64, false},  {Op::Max, Code::MaxF32, Code::MaxF64, false},
      {Op::LT, Code::LessF32, Code::LessF64, false}, {Op::LE, Code::LessEqualF32, Code::LessEqualF64, false},
      {Op::GT, Code::LessF32, Code::LessF64, true},  {Op::GE, Code::LessEqualF32, Code::LessEqualF64, true}};
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return r.op == op; });
  if (row == std::end(kRows) || a.type.bits < 32) return any_binary(op, a, b, false, false);
  Instr instr{
      .code = a.type.bits == 32 ? row->narrow : row->wide, .a = reg(row->swap ? b : a), .b = reg(row->swap ? a : b)};
  return in_register(pure(instr), is_comparison(op) ? kBool : a.type);
}

Value Compiler::cast(DType to, const Value& a) {
  if (a.kind == Value::Constant) {
    if (ScalarResult r = apply_cast(to, a.constant)) return constant(r.value);
  }
  const DType from = a.type;
  if (!from.is_float() && !to.is_float() && !to.is_bool() && within_64(a)) {
    if (fits_type(to, a.lo) && fits_type(to, a.hi)) {  // the same number
      Value same = a;
      same.type = to;
      return same;
    }
    if (to.bits < 64) {
      Code code = to.is_int() ? Code::SignExtend : Code::ZeroExtend;
      return in_register(pure({.code = code, .a = reg(a), .imm = 64 - to.bits}), to);
    }
  }
  if (!from.is_float() && within_64(a) && to.is_float() && to.bits >= 32) {
    return in_register(pure({.code = to.bits == 32 ? Code::ToFloat32 : Code::ToFloat64, .a = reg(a)}), to);
  }
  Instr instr{.code = Code::AnyCast,
              .a = reg(a),
              .imm = operation({.op = Op::Cast, .type = to, .from = from, .name = "", .args = {}})};
  bool can_fail = from.is_float() && !to.is_float() && !to.is_bool();
  if (!can_fail) return in_register(pure(instr), to);
  instr.c = site();
  return in_register(here(instr), to);
}

Value Compiler::select(const Value& c, const Value& yes, const Value& no) {
  if (c.kind == Value::Constant) {
    return c.constant.truth() ? yes : no;
  }
  int result = pure({.code = Code::Choose, .a = reg(c), .b = reg(yes), .c = reg(no)});
  return in_register(result, yes.type, std::min(yes.lo, no.lo), std::max(yes.hi, no.hi));
}

Value Compiler::choose(const Expr& condition, const std::function<Value()>& yes, const std::function<Value()>& no,
                       DType type) {
  Value c = expr(condition);
  if (c.kind == Value::Constant) {
    return c.constant.truth() ? yes() : no();
  }
  const int result = new_register(static_cast<int>(regions_.size()) - 1);
  Wide lo = 0, hi = 0;
  bool first = true;
  auto side = [&](const std::function<Value()>& value) {
    Value v = value();
    emit({.code = Code::Move, .dst = result, .a = reg(v)});
    lo = first ? v.lo : std::min(lo, v.lo);
    hi = first ? v.hi : std::max(hi, v.hi);
    first = false;
  };
  branch(
      c, [&] { side(yes); }, [&] { side(no); });
  return in_register(result, type, lo, hi);
}

Value Compiler::call(const Expr& e) {
  AnyOperation op{.op = Op::Call, .type = e->dtype, .from = {}, .name = e->text(), .args = {}};
  std::vector<Scalar> sample;
  for (const Expr& arg : e->args) {
    Value v = expr(arg);
    op.args.emplace_back(reg(v), v.type);
    sample.push_back(zero_scalar(v.type));
  }
  bool known = apply_call(op.name, op.type, sample).has_value();  // depends on the types only
  Instr instr{.code = Code::AnyCall, .imm = operation(std::move(op))};
  if (known) return in_register(pure(instr), e->dtype);
  instr.c = site();
  return in_register(here(instr), e->dtype);
}

}  // namespace hexproof::fast
