// Choosing what the open evaluations of `before` gave so that it ends as `after` does: the choice of `before` is free,
// that of `after` is not. Each evaluation of `before` takes one value, however often it is used.
#include "verify/equiv/symbolic/terms/refine.h"

namespace hexproof::symbolic {
namespace {

class MatchingEvaluations {
 public:
  MatchingEvaluations(Terms& terms, Normalizer& normal) : t_(terms), normal_(normal) {}

  /// `x` is to be `y`: which evaluations would have to be which?
  void guess(Term x, Term y) {
    std::vector<std::pair<Term, Term>> open{{x, y}};
    while (!open.empty() && looked_.size() < kMaxPairs) {
      const auto [a, b] = open.back();
      open.pop_back();
      if (a == b || !looked_.insert(uint64_t{a} << 32 | b).second) continue;
      if (t_.is_evaluation(a)) {
        guesses_.try_emplace(a, b);
        open.emplace_back(t_.arg(a, 0), t_.operation(b));
        continue;
      }
      if (t_.op(a) != t_.op(b) || t_.type(a) != t_.type(b) || t_.arity(a) != t_.arity(b)) continue;
      if (t_.op(a) == Op::Call && t_.name(a) != t_.name(b)) continue;
      for (int i = t_.arity(a); i-- > 0;) open.emplace_back(t_.arg(a, i), t_.arg(b, i));
    }
  }

  /// What `after` evaluates.
  void offer(const std::vector<Term>& roots) {
    for (Term t : reachable(t_, roots)) {
      if (t_.is_evaluation(t)) offered_[normal_.normal(t_.arg(t, 0))].values.push_back(t);
    }
  }

  /// Chooses for all that `before` evaluates, operands first.
  void choose(const std::vector<Term>& roots) {
    for (Term t : reachable(t_, roots)) {
      Term out = t;
      std::vector<Term> args;
      bool changed = false;
      for (int i = 0; i < t_.arity(t); ++i) {
        args.push_back(done_.at(t_.arg(t, i)));
        changed |= args.back() != t_.arg(t, i);
      }
      if (changed) out = t_.with_args(t, args);
      if (t_.is_evaluation(t)) out = chosen(t, args[0], out);
      done_.emplace(t, out);
    }
  }
  Term operator()(Term t) const { return done_.at(t); }

 private:
  /// A value is one that the evaluation may have when the operations agree, as far as the flags tell them apart.
  Term chosen(Term evaluation, Term operation, Term otherwise) {
    const Term wanted = normal_.normal(operation);
    if (auto it = guesses_.find(evaluation); it != guesses_.end()) {
      if (t_.type(it->second) == t_.type(evaluation) && normal_.normal(t_.operation(it->second)) == wanted) {
        return it->second;
      }
    }
    auto it = offered_.find(wanted);
    if (it == offered_.end()) return otherwise;
    Offer& offer = it->second;
    return offer.values[std::min(offer.taken++, offer.values.size() - 1)];
  }

  static constexpr size_t kMaxPairs = 4'000'000;
  struct Offer {
    std::vector<Term> values = {};  // in the order in which they were evaluated
    size_t taken = 0;
  };
  Terms& t_;
  Normalizer& normal_;
  std::unordered_set<uint64_t> looked_;
  std::unordered_map<Term, Term> guesses_, done_;
  std::unordered_map<Term, Offer> offered_;
};

}  // namespace

std::unordered_set<Term> Refinement::match_evaluations() {
  std::unordered_set<Term> errors;
  if (!terms_.open().any()) return errors;
  Normalizer normal = normal_.without_cancelling();
  MatchingEvaluations matching(terms_, normal);
  std::vector<Term> before, after;
  for (const Cell& c : cells_) {
    matching.guess(c.before, c.after);
    before.push_back(c.before), after.push_back(c.after);
  }
  for (const ErrorItem& e : before_errors_) before.push_back(e.condition);
  for (const ErrorItem& e : after_errors_) after.push_back(e.condition);
  matching.offer(after);
  matching.choose(before);
  for (Cell& c : cells_) c.before = matching(c.before);
  for (const ErrorItem& e : before_errors_) errors.insert(matching(e.condition));
  return errors;
}

}  // namespace hexproof::symbolic
