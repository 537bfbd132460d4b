// Operations on floats of which the granted flags leave open what they give.
#include <cmath>

#include "ir/base/mutant.h"
#include "ir/interpreter/math.h"
#include "verify/equiv/symbolic/terms/terms.h"

namespace hexproof::symbolic {

namespace {

/// Is one of these operations where `t` comes from, through choices, casts, changes of the sign, and what gives one of
/// its operands: a sum with a zero, a quotient by one?
template <class Wanted>
bool comes_from(const Terms& terms, Term root, const Wanted& wanted) {
  std::vector<Term> open{root};
  std::unordered_map<Term, bool> seen;
  while (!open.empty()) {
    const Term t = open.back();
    open.pop_back();
    if (!terms.type(t).is_float() || !seen.emplace(t, true).second) continue;
    const Op op = terms.op(t);
    if (wanted(t) || HEXPROOF_MUTANT("open/undefs-are-numbers", op == Op::Undef, false)) return true;
    if (op == Op::Select) open.push_back(terms.arg(t, 1)), open.push_back(terms.arg(t, 2));
    if (op == Op::Min || op == Op::Max) open.push_back(terms.arg(t, 0)), open.push_back(terms.arg(t, 1));
    if (op == Op::Cast) open.push_back(terms.arg(t, 0));
    const Term made = terms.operation(t);
    if (terms.op(made) == Op::Call && changes_the_sign_alone(terms.name(made))) open.push_back(terms.arg(made, 0));
    // (What is no constant may be any number.)
    const auto may_be = [&](Term x, double number) {
      return !terms.is_constant(x) || std::fabs(terms.value(x).d()) == number;
    };
    if (terms.op(made) == Op::Div && may_be(terms.arg(made, 1), 1)) open.push_back(terms.arg(made, 0));
    if (terms.op(made) == Op::Add || terms.op(made) == Op::Sub) {
      for (int k : {0, 1}) {
        if (may_be(terms.arg(made, k), 0)) open.push_back(terms.arg(made, 1 - k));
      }
    }
  }
  return false;
}

}  // namespace

bool Terms::left_open(Term t) const {
  if (!open_.any()) return false;
  if (op(t) == Op::Call) {
    if (!open_.nsz || arity(t) == 0) return false;
    std::vector<DType> types;
    for (int i = 0; i < arity(t); ++i) types.push_back(type(arg(t, i)));
    const Term last = arg(t, arity(t) - 1);
    const bool nonzero = type(last).is_float() && is_constant(last) && value(last).d() != 0;
    return sees_sign_of_zero(name(t), type(t), types, nonzero);
  }
  if (!type(t).is_float()) return false;
  const bool sum = op(t) == Op::Add || op(t) == Op::Sub, quotient = op(t) == Op::Div;
  if (!sum && !quotient && op(t) != Op::Mul) return false;
  const Term a = arg(t, 0), b = arg(t, 1);
  if (quotient && open_.nsz && !(is_constant(b) && value(b).d() != 0)) return true;
  auto either = [&](const auto& wanted) { return comes_from(*this, a, wanted) || comes_from(*this, b, wanted); };
  if (open_.reassoc) {
    return either([&](Term x) {
      const Op o = op(x);
      return o == Op::Add || o == Op::Sub || o == Op::Mul || o == Op::Div || is_evaluation(x);
    });
  }
  return open_.contract && sum && either([&](Term x) { return op(operation(x)) == Op::Mul; });
}

Term Terms::evaluation(Term operation, uint32_t number) {
  return call(kEvaluation, type(operation), {operation, constant(int_scalar(kInt64, number))});
}

}  // namespace hexproof::symbolic
