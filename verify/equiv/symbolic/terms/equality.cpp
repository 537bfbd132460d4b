#include "verify/equiv/symbolic/terms/equality.h"

#include <algorithm>

#include "verify/equiv/symbolic/evaluate.h"

namespace hexproof::symbolic {
namespace {

constexpr int kMaxCases = 200;         // conditions split on the way to one question
constexpr size_t kMaxSteps = 200'000;  // pairs looked at, in all
constexpr uint64_t kSmall = 80;        // operators: asked of a solver at once
constexpr uint64_t kMaxSimplify = 20'000;
constexpr size_t kMaxFacts = 24;
constexpr int kMaxStructural = 1500;  // cases looked at before a solver is asked

}  // namespace

Term Equality::simplify(Term root, const std::vector<Term>& given) {
  Known known(t_);
  for (Term g : given) known.add(g);
  std::unordered_map<Term, Term> done;
  for (Term t : reachable(t_, {root})) {
    if (t_.type(t).is_bool()) {
      if (std::optional<bool> value = known.decide(t)) {
        // A condition that depends on undef stays: it must not be taken for one that does not.
        if (!t_.has_undef(t)) {
          done[t] = t_.truth(*value);
          continue;
        }
      }
    }
    Term out = t;
    bool changed = false;
    std::vector<Term> args;
    for (int i = 0; i < t_.arity(t); ++i) {
      args.push_back(done.at(t_.arg(t, i)));
      changed |= args.back() != t_.arg(t, i);
    }
    if (changed) out = t_.with_args(t, args);
    done[t] = out;
  }
  return done.at(root);
}

std::vector<Term> Equality::relevant(const std::vector<Term>& given, std::vector<Term> roots) const {
  std::vector<Term> out = given;
  roots.insert(roots.end(), given.begin(), given.end());
  for (Term fact : facts_.about(roots, kMaxFacts)) out.push_back(fact);
  return out;
}

Reply Equality::never(Term condition) {
  Term c = normal_.normal(condition);
  if (c == Terms::kFalse) return {Verdict::Proved, {}, {}};
  return questions_.implies(relevant({}, {condition}), t_.lnot(condition),
                            "after reaches no error that before does not");
}

/// Equal in each case of the conditions that they choose by, without a solver.
bool Equality::by_cases(Term a, Term b, std::vector<Term>& given, int* budget) {
  if (a == b) return true;
  if (--*budget < 0) return false;
  Term choice = t_.op(a) == Op::Select ? a : t_.op(b) == Op::Select ? b : kNoTerm;
  if (choice == kNoTerm || t_.has_undef(t_.arg(choice, 0))) {
    if (normal_.normal(a) == normal_.normal(b)) return true;
    if (t_.op(a) != t_.op(b) || t_.type(a) != t_.type(b) || t_.arity(a) != 2 || t_.op(a) == Op::Call) return false;
    return by_cases(t_.arg(a, 0), t_.arg(b, 0), given, budget) && by_cases(t_.arg(a, 1), t_.arg(b, 1), given, budget);
  }
  for (Term c : {t_.arg(choice, 0), t_.lnot(t_.arg(choice, 0))}) {
    given.push_back(c);
    bool equal = by_cases(simplify(a, given), simplify(b, given), given, budget);
    given.pop_back();
    if (!equal) return false;
  }
  return true;
}

Reply Equality::same(Term a, Term b, const std::vector<Term>& given, int depth) {
  if (a == b) return {Verdict::Proved, {}, {}};
  if (t_.is_constant(a) && t_.is_constant(b) && given.empty()) return {Verdict::Refuted, {}, {}};
  Term x = normal_.normal(a), y = normal_.normal(b);
  if (x == y) return {Verdict::Proved, {}, {}};
  const uint64_t key = uint64_t{std::min(x, y)} << 32 | std::max(x, y);
  if (given.empty()) {
    auto it = seen_.find(key);
    if (it != seen_.end()) return it->second;
  }
  if (++steps_ > kMaxSteps) return {Verdict::Unknown, "too many cases", {}};
  auto done = [&](Reply reply) {
    if (given.empty()) seen_[key] = reply;
    return reply;
  };
  const char* why = "the cell holds the same value";
  auto ask = [&] { return questions_.same(relevant(given, {a, b}), a, b, why); };
  if (depth == 0) {
    std::vector<Term> facts = relevant(given, {a, b});
    int budget = kMaxStructural;
    if (by_cases(a, b, facts, &budget)) return done({Verdict::Proved, {}, {}});
  }
  uint64_t size = questions_.written_size(a, kMaxSimplify) + questions_.written_size(b, kMaxSimplify);
  bool asked = false;
  Reply whole;
  whole.reason = "the values differ in a way that is not understood";
  if (size <= kSmall) {
    whole = ask(), asked = true;
    if (whole.verdict != Verdict::Unknown) return done(whole);
  }
  // By cases, where one of them is a choice.
  Term choice = t_.op(a) == Op::Select ? a : t_.op(b) == Op::Select ? b : kNoTerm;
  if (choice != kNoTerm && depth < kMaxCases && size < 2 * kMaxSimplify && !t_.has_undef(t_.arg(choice, 0))) {
    bool all = true;
    for (Term c : {t_.arg(choice, 0), t_.lnot(t_.arg(choice, 0))}) {
      std::vector<Term> more = given;
      more.push_back(c);
      // What is known of all inputs may decide the case.
      std::vector<Term> facts = relevant(more, {a, b});
      Reply part = same(simplify(a, facts), simplify(b, facts), more, depth + 1);
      if (part.verdict == Verdict::Proved) continue;
      if (part.verdict == Verdict::Refuted && !part.values.empty()) return part;
      // Perhaps there is no such case.
      if (part.verdict == Verdict::Refuted) {
        Reply none = questions_.implies(facts, Terms::kFalse, "the case does not arise");
        if (none.verdict == Verdict::Proved) continue;
        if (none.verdict == Verdict::Refuted) return none;
      }
      all = false;
      break;
    }
    if (all) return done({Verdict::Proved, {}, {}});
  }
  if (depth < kMaxCases && equal_operands(a, b, given, depth)) return done({Verdict::Proved, {}, {}});
  if (!asked) whole = ask();
  return done(whole);
}

/// Equal operators over equal operands, down the longest chain of equal operators (a reduction is one).
bool Equality::equal_operands(Term a, Term b, const std::vector<Term>& given, int depth) {
  auto alike = [&](Term p, Term q) {
    return t_.op(p) == t_.op(q) && t_.type(p) == t_.type(q) && t_.arity(p) > 0 && t_.arity(p) == t_.arity(q) &&
           (t_.op(p) != Op::Call || t_.name(p) == t_.name(q));
  };
  if (!alike(a, b)) return false;
  std::vector<std::pair<Term, Term>> pairs;
  while (a != b && alike(a, b) && t_.arity(a) == 2) {
    const Op op = t_.op(a);
    bool commutes = op == Op::Add || op == Op::Mul || op == Op::EQ || op == Op::And || op == Op::Or ||
                    (!t_.type(a).is_float() && (op == Op::Min || op == Op::Max));
    auto larger = [&](Term x) {
      constexpr uint64_t kMost = uint64_t{1} << 40;
      return questions_.written_size(t_.arg(x, 1), kMost) > questions_.written_size(t_.arg(x, 0), kMost) ? 1 : 0;
    };
    const int i = larger(a);
    int k = commutes ? larger(b) : i;
    if (commutes && (t_.arg(a, i) == t_.arg(b, 1 - k) || t_.arg(a, 1 - i) == t_.arg(b, k))) k = 1 - k;
    pairs.emplace_back(t_.arg(a, 1 - i), t_.arg(b, 1 - k));
    a = t_.arg(a, i);
    b = t_.arg(b, k);
  }
  if (a != b) {
    if (alike(a, b) && t_.arity(a) != 2) {
      for (int i = 0; i < t_.arity(a); ++i) pairs.emplace_back(t_.arg(a, i), t_.arg(b, i));
    } else {
      pairs.emplace_back(a, b);
    }
  }
  for (auto it = pairs.rbegin(); it != pairs.rend(); ++it) {
    auto [p, q] = *it;
    if (t_.type(p) != t_.type(q) || same(p, q, given, depth + 1).verdict != Verdict::Proved) return false;
  }
  return true;
}

}  // namespace hexproof::symbolic
