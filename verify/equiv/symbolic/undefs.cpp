// Choosing the undef values of `before` so that it ends as `after` does: the choice of `before` is free, that of
// `after` is not.
#include "verify/equiv/symbolic/terms/refine.h"

namespace hexproof::symbolic {
namespace {

class Matching {
 public:
  explicit Matching(Terms& terms) : t_(terms) {}

  /// Finds values for the undefs in `x` that may make it `y`; keeps those that were chosen before.
  void match(Term x, Term y) {
    if (x == y || !t_.has_undef(x)) return;
    if (t_.op(x) == Op::Undef) {
      if (t_.type(x) == t_.type(y)) chosen_.try_emplace(x, y);
      return;
    }
    const bool alike = t_.op(x) == t_.op(y) && t_.type(x) == t_.type(y) && t_.arity(x) == t_.arity(y);
    if (alike && t_.op(x) == Op::Select && t_.arg(x, 0) == t_.arg(y, 0)) {
      match(t_.arg(x, 1), t_.arg(y, 1));
      return match(t_.arg(x, 2), t_.arg(y, 2));
    }
    if (t_.op(x) == Op::Select) {  // whichever arm is taken, it is to be y
      match(t_.arg(x, 1), y);
      return match(t_.arg(x, 2), y);
    }
    if (t_.type(x).is_integer() && (t_.op(x) == Op::Add || t_.op(x) == Op::Sub)) {
      Term a = t_.arg(x, 0), b = t_.arg(x, 1);
      const bool left = t_.has_undef(a), right = t_.has_undef(b);
      if (left && !right) return match(a, t_.binary(t_.op(x) == Op::Add ? Op::Sub : Op::Add, y, b));
      if (right && !left) {
        return match(b, t_.op(x) == Op::Add ? t_.binary(Op::Sub, y, a) : t_.binary(Op::Sub, a, y));
      }
    }
    if (!alike) return;
    for (int i = 0; i < t_.arity(x); ++i) match(t_.arg(x, i), t_.arg(y, i));
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
  Terms& t_;
  std::unordered_map<Term, Term> chosen_, done_;
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
