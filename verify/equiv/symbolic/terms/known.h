// What is known to hold on the path that runs: conditions, and the ranges of integers that follow from them.
#pragma once
#include <optional>

#include "verify/equiv/symbolic/terms/terms.h"
#include "verify/prove/solvers/arithmetic/interval.h"

namespace hexproof::symbolic {

class Known {
 public:
  explicit Known(Terms& terms) : terms_(terms) {}

  /// `condition` (a bool term) holds from here on, until `forget` goes back before it.
  void add(Term condition);
  size_t mark() const { return undo_.size(); }
  void forget(size_t mark);

  /// Is it decided by what is known?
  std::optional<bool> decide(Term condition) { return decide(condition, 0); }
  /// Bounds of an integer or bool.
  Interval range(Term t) { return range(t, 0); }

 private:
  struct Undo {
    Term condition;  // or, with a range:
    bool is_range = false;
    std::optional<Interval> old = {};
  };
  std::optional<bool> decide(Term condition, int depth);
  Interval range(Term t, int depth);
  void learn(Term t, Interval range);
  void learn_from(Term condition);  // no conjunction

  Terms& terms_;
  std::unordered_map<Term, int> holds_;
  std::unordered_map<Term, Interval> ranges_;
  std::vector<Undo> undo_;
};

}  // namespace hexproof::symbolic
