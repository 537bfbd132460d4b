// Where the values of an index lie while some loops run and others stand still: guesses, which obligations confirm.
#pragma once
#include <map>
#include <optional>

#include "verify/access/linear.h"

namespace hexproof::te {

/// From `least` on, at most `width` more. `least` speaks of what stands still.
struct Interval {
  Linear least;
  int64_t width = 0;
};

/// What a variable runs over: from `least` on, `extent` values where that is a number.
struct Run {
  Expr least;
  std::optional<int64_t> extent;
  bool fixed = false;  // it stands still
};

class Intervals {
 public:
  explicit Intervals(std::map<Var, Run> runs) : runs_(std::move(runs)) {}

  /// Nothing when none of constant width is found.
  std::optional<Interval> over(const Expr& e) const;
  std::optional<Interval> over(const Linear& sum) const;
  /// The least and the greatest value, as numbers, all variables running.
  std::optional<std::pair<int64_t, int64_t>> range(const Linear& sum) const;
  /// The smallest interval that was found around these: the base is one of theirs, perhaps less a number.
  std::optional<Interval> around(const std::vector<Interval>& all) const;

 private:
  std::optional<Interval> atom(const Expr& e) const;
  std::optional<Interval> quotient(const Interval& in, int64_t divisor) const;
  std::optional<Interval> remainder(const Interval& in, int64_t divisor) const;
  std::optional<std::pair<int64_t, int64_t>> atom_range(const Expr& e) const;
  std::map<Var, Run> runs_;
};

}  // namespace hexproof::te
