#include "verify/prove/theorem.h"

#include <chrono>
#include <set>

#include "ir/visit.h"
#include "verify/prove/solvers/evaluate.h"
#include "verify/prove/solvers/portfolio.h"

namespace hexproof {
namespace {

constexpr uint64_t kSimpleLimit = 1'000'000, kBitsLimit = 100'000'000, kHardBitsLimit = 20'000'000,
                   kTheoremLimit = 500'000;

bool is_arithmetic(const Expr& e) { return e->dtype.is_integer() && !e->args.empty() && !is_application(e->op); }

/// Every integer operation in what is given stands inside a Fits that is given (and not in a branch).
bool given_fits(const std::vector<Expr>& given) {
  std::set<const ExprNode*> covered;
  std::vector<Expr> known;
  for (const Expr& fact : given) {
    if (fact->op != Op::Fits) continue;
    visit_nodes(fact, [&](const Expr& e) {
      if (is_arithmetic(e)) known.push_back(e);
      return e->op != Op::IfThenElse;
    });
  }
  bool all = true;
  for (const Expr& fact : given) {
    if (fact->op == Op::Fits) continue;
    visit_nodes(fact, [&](const Expr& e) {
      if (is_arithmetic(e)) all &= std::find(known.begin(), known.end(), e) != known.end();
      return all;
    });
  }
  return all;
}

/// Products and quotients of two variables: hard for bit-vectors.
bool is_hard(const std::vector<Expr>& formulas) {
  bool hard = false;
  for (const Expr& formula : formulas) {
    visit_nodes(formula, [&](const Expr& e) {
      bool product = e->dtype.is_integer() && (e->op == Op::Mul || is_division(e->op));
      hard |= product && !as_int(e->args[0]) && !as_int(e->args[1]);
      return !hard;
    });
  }
  return hard;
}

bool has_float(const std::vector<Expr>& formulas) {
  bool found = false;
  for (const Expr& formula : formulas) {
    visit_nodes(formula, [&](const Expr& e) { return found |= e->dtype.is_float(), !found; });
  }
  return found;
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Mathematical integers, with nothing assumed but what is said.
Answer over_integers(const std::vector<Expr>& given, const Expr& goal) {
  EncodeOptions integers;
  EncodeOptions wide{.reading = Reading::WideBits};
  std::vector<Expr> all = given;
  all.push_back(goal);
  std::vector<Attempt> attempts;
  attempts.push_back({"z3", integers, Engine::Z3Simple, kSimpleLimit});
  if (!is_hard(all)) attempts.push_back({"z3-bv", wide, Engine::Z3Bits, kBitsLimit});
  attempts.push_back({"cvc5", integers, Engine::Cvc5, kTheoremLimit});
  if (is_hard(all)) attempts.push_back({"z3-bv", wide, Engine::Z3Bits, kHardBitsLimit});
  return decide(given, goal, attempts).answer;
}

Answer in_machine(const std::vector<Expr>& given, const Expr& goal, bool overflow_is_error) {
  EncodeOptions machine{.reading = Reading::Machine, .overflow_is_error = overflow_is_error};
  std::vector<Attempt> attempts = {{"z3-bv", machine, Engine::Z3Bits, kBitsLimit},
                                   {"cvc5", machine, Engine::Cvc5, kTheoremLimit}};
  std::vector<Expr> all = given;
  all.push_back(goal);
  // cvc5 is the quicker one on floating-point arithmetic.
  if (has_float(all)) std::swap(attempts[0], attempts[1]);
  return decide(given, goal, attempts).answer;
}

/// The parts of a conjunction one by one: proved when all are.
template <class Solve>
Answer each_part(const Expr& goal, Solve solve) {
  std::vector<Expr> goals;
  split_conjunction(goal, &goals);
  Answer out;
  out.verdict = Verdict::Proved;
  for (const Expr& part : goals) {
    Answer answer = solve(part);
    answer.rlimit += out.rlimit;
    if (answer.verdict == Verdict::Refuted) return answer;
    if (answer.verdict == Verdict::Unknown || out.verdict == Verdict::Proved) out = answer;
  }
  return out;
}

Answer prove_prepared(const std::vector<Expr>& given, const Expr& goal) {
  std::vector<Expr> all = given;
  all.push_back(goal);
  if (is_hard(all) && given_fits(given)) {
    // Over the integers, the goal's own arithmetic must fit for the two readings to agree.
    Answer answer = each_part(land(fits(goal), goal), [&](const Expr& part) { return over_integers(given, part); });
    if (answer.verdict == Verdict::Proved) return answer;
  }
  return in_machine(given, goal, true);
}

}  // namespace

Answer prove_theorem(const Obligation& theorem) {
  auto start = std::chrono::steady_clock::now();
  int undefs = 0;
  std::vector<Expr> given;
  for (const Expr& e : theorem.given) split_conjunction(prepare(e, &undefs), &given);
  Answer answer =
      each_part(prepare(theorem.goal, &undefs), [&](const Expr& part) { return prove_prepared(given, part); });
  answer.milliseconds = since(start);
  return answer;
}

Answer prove_rule(const std::string&, const Expr& lhs, const Expr& rhs, const std::vector<Expr>& when, RuleUse use) {
  auto start = std::chrono::steady_clock::now();
  int undefs = 0;
  std::vector<Expr> given;
  for (const Expr& e : when) split_conjunction(prepare(e, &undefs), &given);
  Expr before = prepare(lhs, &undefs), after = prepare(rhs, &undefs);
  given.push_back(fits(before));
  Answer answer = each_part(land(fits(after), same_bits(before, after)), [&](const Expr& part) {
    return use == RuleUse::Index ? over_integers(given, part) : in_machine(given, part, false);
  });
  answer.milliseconds = since(start);
  return answer;
}

}  // namespace hexproof
