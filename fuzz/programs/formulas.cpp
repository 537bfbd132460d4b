#include "fuzz/programs/formulas.h"

#include <algorithm>

#include "ir/buffer.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/visit.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

Formula FormulaGenerator::formula(bool bare) {
  Formula f;
  type_ = pick(3) == 0 ? kUInt8 : pick(2) == 0 ? kInt8 : kInt32;
  vars_.clear();
  for (int i = 0; i < 3; ++i) {
    Var v = Var::fresh(std::string(1, static_cast<char>('x' + i)), type_);
    int lo = type_.is_uint() ? pick(3) : pick(9) - 6, hi = lo + pick(9);
    f.vars.push_back(v);
    f.ranges.push_back({lo, hi});
    f.given.push_back(le(imm(type_, lo), v));
    f.given.push_back(pick(2) ? le(v, imm(type_, hi)) : lt(v, imm(type_, hi + 1)));
    vars_.push_back(v);
  }
  cell_ = load(make_buffer("A", type_, {i32(1)}), {i32(0)});
  data_ = pick(4) == 0, functions_ = pick(4) == 0;
  for (int i = pick(3); i > 0; --i) {
    Expr e = truth(2);
    if (!bare) f.given.push_back(fits(e));
    f.given.push_back(std::move(e));
  }
  f.goal = pick(6) == 0 ? fits(integer(3)) : truth(3);
  return f;
}

Expr FormulaGenerator::constant() { return imm(type_, type_.is_uint() ? pick(10) : pick(13) - 4); }

/// Of the operand in some type: which function it is hangs on that.
Expr FormulaGenerator::function(const Expr& operand) {
  static const DType kTypes[] = {kInt8, kInt32, kUInt8, kInt16};
  const DType type = pick(3) == 0 ? type_ : kTypes[random_() % std::size(kTypes)];
  return call(type_, pick(4) ? "f" : "g", {cast(type, operand)});
}

Expr FormulaGenerator::integer(int depth) {
  if (depth == 0 || pick(5) == 0) {
    int which = pick(data_ ? 5 : 4);
    return which < 3 ? Expr(vars_[which]) : which == 3 ? constant() : cell_;
  }
  static const Op ops[] = {Op::Add,      Op::Add,      Op::Sub,      Op::Mul,      Op::FloorDiv, Op::FloorMod,
                           Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod, Op::Min,      Op::Max,
                           Op::BitAnd,   Op::BitOr,    Op::BitXor,   Op::Shl,      Op::Shr};
  if (functions_ && pick(12) == 0) return function(integer(depth - 1));
  switch (pick(9)) {
    case 0:
      return pick(2) ? select(truth(depth - 1), integer(depth - 1), integer(depth - 1))
                     : if_then_else(truth(depth - 1), integer(depth - 1), integer(depth - 1));
    case 1:
      return cast(type_, cast(pick(2) ? kInt8 : kUInt16, integer(depth - 1)));
    case 2: {  // mixed radix
      int c = 2 + pick(7);
      Expr flat = vars_[0] * imm(type_, c) + (pick(2) ? Expr(vars_[1]) : floormod(vars_[1], imm(type_, c)));
      return pick(2) ? floordiv(flat, imm(type_, c)) : floormod(flat, imm(type_, c));
    }
    case 3:
      return pick(2) ? unary(Op::BitNot, integer(depth - 1)) : cast(type_, truth(depth - 1));
    default: {
      Op op = ops[random_() % std::size(ops)];
      Expr b =
          (is_division(op) || op == Op::Shl || op == Op::Shr) && pick(3) ? imm(type_, 1 + pick(6)) : integer(depth - 1);
      return binary(op, integer(depth - 1), b);
    }
  }
}

Expr FormulaGenerator::truth(int depth) {
  switch (depth <= 0 ? 7 : pick(9)) {
    case 0:
      return land(truth(depth - 1), truth(depth - 1));
    case 1:
      return lor(truth(depth - 1), truth(depth - 1));
    case 2:
      return lnot(truth(depth - 1));
    default: {
      static const Op ops[] = {Op::EQ, Op::EQ, Op::NE, Op::LT, Op::LE, Op::GT, Op::GE};
      Op op = ops[random_() % std::size(ops)];
      int d = std::max(0, depth - 1);
      if (pick(8) == 0) return binary(op, integer(d) + vars_[0], vars_[0] + integer(d));
      if (functions_ && pick(4) == 0) {
        const Expr operand = integer(d);
        return binary(op, function(operand), function(operand));
      }
      return binary(op, integer(d), integer(d));
    }
  }
}

namespace {

/// The calls of a formula, those of operands first.
std::vector<Expr> calls_of(const Formula& f) {
  std::vector<Expr> out;
  auto look = [&](const Expr& top) {
    visit_expr(top, [&](const Expr& e) {
      if (e->op == Op::Call) out.push_back(e);
      return true;
    });
  };
  for (const Expr& e : f.given) look(e);
  look(f.goal);
  std::stable_sort(out.begin(), out.end(), [](const Expr& a, const Expr& b) { return a->depth < b->depth; });
  return out;
}

/// A function as its name, its operands and their types have it.
Wide some_result(const Expr& call, const std::vector<Wide>& operands) {
  uint64_t state = std::hash<std::string>{}(call->text());
  for (size_t k = 0; k < operands.size(); ++k) {
    const DType type = call->args[k]->dtype;
    state = next_random(state) + (uint64_t(type.code) << 16 | type.bits);
    state = next_random(state) + static_cast<uint64_t>(operands[k]);
  }
  return wrap_to(call->dtype, static_cast<Wide>(next_random(state) >> 8));
}

void give_results(const std::vector<Expr>& calls, Valuation* valuation) {
  for (const Expr& call : calls) valuation->terms.erase(call);
  for (const Expr& call : calls) {
    Evaluator evaluator(*valuation);
    std::vector<Wide> operands;
    try {
      for (const Expr& arg : call->args) operands.push_back(evaluator.bits(arg));
    } catch (const Undefined&) {
      continue;
    }
    valuation->terms[call] = some_result(call, operands);
  }
}

}  // namespace

bool is_broken(const Formula& f) {
  Valuation valuation;
  const std::vector<Expr> calls = calls_of(f);
  Expr cell;
  auto find_cell = [&](const Expr& e) {
    visit_expr(e, [&](const Expr& x) {
      if (x->op == Op::Load) cell = x;
      return true;
    });
  };
  for (const Expr& e : f.given) find_cell(e);
  find_cell(f.goal);
  DType type = f.vars[0].dtype();
  std::vector<Wide> cells{0};
  if (cell) {
    cells.clear();
    if (type.bits == 8) {
      for (Wide v = min_value(type); v <= max_value(type); ++v) cells.push_back(v);
    } else {
      cells = {min_value(type), -3, 0, 1, 2, 7, 100, max_value(type) - 1, max_value(type)};
    }
  }
  for (int x = f.ranges[0].first; x <= f.ranges[0].second; ++x) {
    for (int y = f.ranges[1].first; y <= f.ranges[1].second; ++y) {
      for (int z = f.ranges[2].first; z <= f.ranges[2].second; ++z) {
        for (Wide c : cells) {
          valuation.vars = {{f.vars[0], x}, {f.vars[1], y}, {f.vars[2], z}};
          if (cell) valuation.terms[cell] = c;
          give_results(calls, &valuation);
          Evaluator evaluator(valuation);
          try {
            bool holds = true;
            for (const Expr& e : f.given) holds = holds && evaluator.holds(e);
            if (holds && !evaluator.holds(f.goal)) return true;
          } catch (const Undefined&) {
          }
        }
      }
    }
  }
  return false;
}

std::string show(const Formula& f) {
  return to_smtlib({.rule = "", .why = "", .where = {}, .given = f.given, .goal = f.goal});
}

bool is_enumerated(const Formula& f) {
  if (!calls_of(f).empty()) return false;
  if (f.vars[0].dtype().bits == 8) return true;
  bool loads = false;
  auto look = [&](const Expr& e) {
    loads |= e->op == Op::Load;
    return !loads;
  };
  for (const Expr& e : f.given) visit_expr(e, look);
  visit_expr(f.goal, look);
  return !loads;
}

std::string probe_prover(uint64_t seed, Prover& prover) {
  const Formula f = FormulaGenerator(seed).formula(seed % 3 == 0);
  const OpenRoundingScope integers_alone{OpenRounding{}};
  const Answer answer =
      prover.prove({.rule = "probe", .why = "a random formula", .where = {}, .given = f.given, .goal = f.goal});
  if (answer.verdict == Verdict::Unknown || (answer.verdict == Verdict::Refuted && !is_enumerated(f))) return "";
  if ((answer.verdict == Verdict::Refuted) == is_broken(f)) return "";
  return std::string(answer.verdict == Verdict::Proved ? "proved, and some values break it: "
                                                       : "refuted, and no values break it: ") +
         "by " + answer.solver + "\n" + show(f);
}

}  // namespace hexproof
