#include "verify/equiv/parametric/evaluation.h"

#include <cmath>

#include "ir/interpreter/math.h"
#include "verify/equiv/parametric/fold.h"

namespace hexproof::parametric {

namespace {

constexpr std::string_view kEvaluation = "evaluation.", kOfFold = ".fold", kCopied = ".copied";

/// The place in the program that an evaluation belongs to, be it one iteration or the last one of a loop.
std::string place_of_evaluation(const Expr& e) { return e->text().substr(0, e->text().find(kOfFold)); }

/// Of the last iteration of a loop, in a name that does not tell it from another cell's: the cells may be copies.
bool may_be_copied(const Expr& e) { return e->text().find(kCopied) != std::string::npos; }

bool is_arithmetic(Op op) { return op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div; }

/// (What is no constant may be any number.)
bool may_be(const Expr& e, double number) { return e->op != Op::FloatImm || std::fabs(e->float_value()) == number; }

/// Is one of these operations where the float comes from, through choices, casts, changes of the sign, and what gives
/// one of its operands: a sum with a zero, a quotient by one? What is not known may come from any.
bool comes_from(const Expr& e, const std::function<bool(const Expr&)>& wanted, int depth = 0) {
  if (!e->dtype.is_float()) return false;
  if (wanted(e) || depth > 64) return true;
  auto arg = [&](size_t k) { return comes_from(e->args[k], wanted, depth + 1); };
  if (is_choice(e)) return arg(1) || arg(2);
  if (e->op == Op::Min || e->op == Op::Max) return arg(0) || arg(1);
  if (e->op == Op::Cast) return arg(0);
  const Expr made = operation(e);
  if (made->op == Op::Call && changes_the_sign_alone(made->text())) return comes_from(made->args[0], wanted, depth + 1);
  if (made->op == Op::Div && may_be(made->args[1], 1) && comes_from(made->args[0], wanted, depth + 1)) return true;
  if (made->op == Op::Add || made->op == Op::Sub) {
    for (size_t k : {0, 1}) {
      if (may_be(made->args[k], 0) && comes_from(made->args[1 - k], wanted, depth + 1)) return true;
    }
  }
  return e->op == Op::Fold || e->op == Op::Accumulator || (e->op == Op::Opaque && !is_evaluation(e));
}

/// Equal iterations as one goal; nothing when there is none that says so.
Expr same_iterations(const Expr& a, const Expr& b) {
  if (a->args.size() != b->args.size()) return {};
  Expr out = boolean(true);
  for (size_t k = 1; k < a->args.size(); ++k) {
    if (is_data(a->args[k]) || is_data(b->args[k])) return {};
    out = land(out, equal_integers(a->args[k], b->args[k]));
  }
  return out;
}

}  // namespace

bool is_evaluation(const Expr& e) { return is_same_function(e) && same_function_name(e).starts_with(kEvaluation); }
char side_of_evaluation(const Expr& e) { return same_function_name(e).at(kEvaluation.size()); }
Expr operation(const Expr& e) { return is_evaluation(e) ? e->args[0] : e; }

Expr regrouped_operand(const Expr& term, const OpenRounding& open) {
  const Expr made = operation(term);
  return made->op == Op::Call || (made->op == Op::Div && open.nsz) ? term : made;
}

Expr evaluation(const std::string& name, const Expr& operation, const std::vector<Expr>& iterations) {
  std::vector<Expr> args{operation};
  args.insert(args.end(), iterations.begin(), iterations.end());
  return same_function(std::string(kEvaluation) + name, operation->dtype, std::move(args));
}

Expr evaluation_of_fold(const Expr& last, const Expr& fold, const std::vector<LoopRange>& loops, const Buffer& buffer,
                        const std::vector<Expr>& cell, bool stored) {
  // The name says which of the iterations around are the last ones of what, and how many arguments name the cell.
  std::string name = std::string(same_function_name(last)) + std::string(kOfFold) + std::string(stored ? "" : kCopied);
  std::vector<Expr> args{fold};
  for (size_t k = 1; k < last->args.size(); ++k) {
    bool inside = false;
    for (const LoopRange& loop : loops) inside |= mentions(last->args[k], Expr(loop.var));
    if (inside) {
      name += "," + std::to_string(k);
    } else {
      args.push_back(last->args[k]);
    }
  }
  for (const LoopRange& loop : loops) args.push_back(loop.min), args.push_back(loop.extent);
  args.insert(args.end(), cell.begin(), cell.end());
  name += "@" + std::to_string(buffer->id) + "/" + std::to_string(cell.size());
  return same_function(name, fold->dtype, std::move(args));
}

bool left_open(const Expr& e, const OpenRounding& open) {
  if (!open.any()) return false;
  if (e->op == Op::Call) return is_left_open(e, open);
  if (!e->dtype.is_float() || !is_arithmetic(e->op)) return false;
  if (e->op == Op::Div && open.nsz && is_left_open(e, {.nsz = true})) return true;
  auto either = [&](const std::function<bool(const Expr&)>& wanted) {
    return comes_from(e->args[0], wanted) || comes_from(e->args[1], wanted);
  };
  if (open.reassoc) return either([](const Expr& x) { return is_arithmetic(x->op) || is_evaluation(x); });
  const bool sum = e->op == Op::Add || e->op == Op::Sub;
  return open.contract && sum && either([](const Expr& x) { return operation(x)->op == Op::Mul; });
}

bool same_evaluation(const Expr& a, const Expr& b, Scenario& scenario) {
  const Expr goal = a->text() == b->text() ? same_iterations(a, b) : Expr();
  return goal && scenario.proves(goal);
}

bool one_to_one_value(const std::vector<Stood>& stood, const std::set<Var>& shared, Scenario& scenario) {
  // The second of two may stand in another cell: with variables of its own.
  auto renamed = [&](const Stood& s) {
    VarMap other;
    auto collect = [&](const Expr& e) {
      for (const Var& v : free_vars(e)) {
        if (!shared.count(v)) other.try_emplace(v, Expr(Var::fresh(v.name(), v.dtype())));
      }
    };
    collect(s.before), collect(s.after);
    for (const Expr& e : s.given) collect(e);
    Stood out{substitute(s.before, other), substitute(s.after, other), {}};
    for (const Expr& e : s.given) out.given.push_back(substitute(e, other));
    return out;
  };
  auto index_only = [](std::vector<Expr> facts) {
    std::erase_if(facts, [](const Expr& e) { return is_data(e); });
    return facts;
  };
  for (size_t i = 0; i < stood.size(); ++i) {
    const Stood& one = stood[i];
    for (size_t k = i; k < stood.size(); ++k) {
      if (place_of_evaluation(one.before) != place_of_evaluation(stood[k].before)) continue;
      if (one.before->text() != stood[k].before->text()) return false;
      const Stood two = renamed(stood[k]);
      const Expr met = may_be_copied(one.before) ? boolean(true) : same_iterations(one.before, two.before);
      if (!met) return false;
      Scenario::Under first(scenario, index_only(one.given)), second(scenario, index_only(two.given)),
          both(scenario, met);
      if (scenario.impossible() || same_evaluation(one.after, two.after, scenario)) continue;
      if (!scenario.proves(boolean(false))) return false;
    }
  }
  return true;
}

}  // namespace hexproof::parametric
