// The iteration of a write that hits the cell of a read: its indices are solved for its loops, one after the other.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "verify/access/constant_bounds.h"
#include "verify/access/footprint_witness.h"
#include "verify/access/linear.h"

namespace hexproof {

/// What equal terms of a writer's index do: `h + rh` has no single inverse. RestTakesAll is the earliest iteration of
/// the first: what it leaves is as much as the others can take.
enum class Overlap { Clamp, FirstTakesAll, RestTakesAll };

class IterationSolver {
 public:
  /// `unrolled`: indices that go round one circle are to be equal as they are before they do.
  IterationSolver(const Access& write, const Access& read, const ConstantBounds& bounds, const VarMap& hints,
                  Overlap overlap, bool unrolled);
  /// `free_value`: 0 takes the hint or else the first, 1 the first, 2 the last value of a loop that stays open.
  std::optional<Witness> solve(int free_value);
  /// Did a loop stay open, so that another choice makes another witness?
  bool open() const { return open_; }
  bool overlapped() const { return overlapped_; }
  /// Is there an index that goes round as the read's does?
  bool circles() const { return circles_; }

 private:
  static constexpr Wide kFar = Wide{1} << 70;  // beyond every integer type

  /// An unknown of an equation: a loop of the write, or digits of a sum of such: X // low % (high / low).
  struct Unknown {
    Expr atom;
    Wide coefficient;
    Wide count = 0;  // how many values; 0: not known
    bool flipped = false;
    bool inverted = true;  // false: too hard, the loops in it stay open
  };
  bool has_unknown(const Expr& e) const;
  /// Solves written == wanted for the unknowns in `written`, as far as it can.
  void equation(const Expr& written, const Expr& wanted);
  /// i * n in the write against x * n in the read, for a symbolic n: i is x.
  void take_symbolic(std::vector<Unknown>* unknowns, Linear* known, DType type);
  /// The number of values of an unknown; makes its coefficient positive and its least value zero.
  void measure(Unknown* u, Linear* known);
  /// x = quotient * c + remainder with 0 <= remainder < c; parts that c divides need no division.
  std::pair<Linear, Linear> divide(const Linear& x, Wide c, DType type);
  void assign(const Unknown& u, const Linear& value, DType type);
  /// What a digit X // low % (high / low) is of, and low.
  static std::pair<Expr, Wide> digit_of(const Expr& atom);
  void assemble_digits();
  /// X ^ M == value, where M is known: X is value ^ M.
  void undo_flips();
  /// X ^ M == value, where M is of the same loop as X: of its upper digits, which are known by now, or of a loop that
  /// is X, whose upper bits are those of the value.
  void undo_flips_of_digits();
  /// `io == c` in a guard: that is the iteration.
  void guard_equation(const Expr& guard);
  void fail() { failed_ = true; }

  const Access &write_, &read_;
  const ConstantBounds& bounds_;
  const VarMap& hints_;
  Overlap overlap_;
  bool unrolled_;
  std::map<Var, const LoopRange*> loops_;
  VarMap values_;
  std::vector<std::pair<Expr, Linear>> digits_;
  DType digit_type_ = kInt32;
  std::vector<std::pair<Expr, Wide>> taken_;  // of what, and from where on, digits are known
  std::vector<std::pair<Expr, Expr>> flips_;  // an exclusive or, and what it is to be
  bool open_ = false, overlapped_ = false, circles_ = false, failed_ = false;
};

}  // namespace hexproof
