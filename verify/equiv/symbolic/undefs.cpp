// Choosing the undef values of `before` so that it ends as `after` does: the choice of `before` is free, that of
// `after` is not.
#include <set>
#include <utility>
#include <vector>

#include "verify/equiv/symbolic/terms/refine.h"

namespace hexproof::symbolic {
namespace {

class Matching {
 public:
  explicit Matching(Terms& terms) : t_(terms) {}

  /// Finds values for the undefs in `x` that may make it `y`; keeps those that were chosen before.
  void match(Term x, Term y) {
    // Pairs that are still to be matched, the next one last: a term may be as deep as a loop runs long.
    std::vector<std::pair<Term, Term>> open{{x, y}};
    while (!open.empty()) {
      auto [mine, its] = open.back();
      open.pop_back();
      if (mine == its || !t_.has_undef(mine) || !seen_.insert({mine, its}).second) continue;
      std::vector<std::pair<Term, Term>> parts = parts_of(mine, its);
      open.insert(open.end(), parts.rbegin(), parts.rend());
    }
  }

  Term substitute(Term root) {
    if (!t_.has_undef(root)) return root;
    for (Term t : reachable(t_, {root})) {
      if (done_.count(t)) continue;
      Term out = t;
      if (auto it = chosen_.find(t); it != chosen_.end()) {
        out = it->second;
      } else if (t_.has_undef(t) && t_.arity(t) > 0) {
        std::vector<Term> args;
        for (int i = 0; i < t_.arity(t); ++i) args.push_back(done_.at(t_.arg(t, i)));
        out = t_.with_args(t, args);
      }
      done_.emplace(t, out);
    }
    return done_.at(root);
  }

 private:
  /// What has to match for `x` to be `y`.
  std::vector<std::pair<Term, Term>> parts_of(Term x, Term y) {
    if (t_.op(x) == Op::Undef) {
      if (t_.type(x) == t_.type(y)) chosen_.try_emplace(x, y);
      return {};
    }
    const bool alike = t_.op(x) == t_.op(y) && t_.type(x) == t_.type(y) && t_.arity(x) == t_.arity(y);
    if (alike && t_.op(x) == Op::Select && t_.arg(x, 0) == t_.arg(y, 0)) {
      return {{t_.arg(x, 1), t_.arg(y, 1)}, {t_.arg(x, 2), t_.arg(y, 2)}};
    }
    // Whichever arm is taken, it is to be y.
    if (t_.op(x) == Op::Select) return {{t_.arg(x, 1), y}, {t_.arg(x, 2), y}};
    if (t_.type(x).is_integer() && (t_.op(x) == Op::Add || t_.op(x) == Op::Sub)) {
      Term a = t_.arg(x, 0), b = t_.arg(x, 1);
      const bool left = t_.has_undef(a), right = t_.has_undef(b);
      if (left && !right) return {{a, t_.binary(t_.op(x) == Op::Add ? Op::Sub : Op::Add, y, b)}};
      if (right && !left) {
        return {{b, t_.op(x) == Op::Add ? t_.binary(Op::Sub, y, a) : t_.binary(Op::Sub, a, y)}};
      }
    }
    std::vector<std::pair<Term, Term>> out;
    for (int i = 0; alike && i < t_.arity(x); ++i) out.emplace_back(t_.arg(x, i), t_.arg(y, i));
    return out;
  }

  Terms& t_;
  std::unordered_map<Term, Term> chosen_, done_;
  std::set<std::pair<Term, Term>> seen_;
};

}  // namespace

void Refinement::match_undefs() {
  Matching matching(terms_);
  for (const Cell& c : cells_) matching.match(c.before, c.after);
  std::vector<Cell> open;
  for (Cell& c : cells_) {
    c.matched = matching.substitute(c.before);
    if (c.matched != c.after) open.push_back(c);
  }
  cells_ = std::move(open);
}

}  // namespace hexproof::symbolic
