// Terms: what a cell holds, as an expression over the content of the arguments on entry.
//
// A term is an expression without lets in which a load is the content of a cell of `before`'s argument on entry (an
// operation wraps where the program's does, whatever memory turned out to hold), and in which some calls have a meaning
// of their own:
//   acc#k()          the accumulator of a fold, inside its step
//   fold#k(init, ..) a loop that goes over one cell again and again; see Folds
// Choices by T.if_then_else are between cases. Of other uninterpreted functions a term holds two kinds, by who makes
// them: functions of their operands, the same ones at every moment of a run (`same_function`: evaluations, what padding
// holds on entry), and values of one moment (of_one_moment), of which each iteration of a loop has another one.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/facts/facts.h"

namespace hexproof::parametric {

/// foldl over all values of `loops` in lexicographic order for which `guards` hold: acc becomes step; `init` at first.
struct Fold {
  std::vector<LoopRange> loops;  // a bound may depend on the loops before it
  std::vector<Expr> guards;
  Expr acc;
  Expr step;  // over acc and loops
  Expr init;
};

/// The ranges of all loops, and the guards.
std::vector<Expr> domain(const Fold& fold);

/// The folds of all terms. What a fold takes from outside stands in the operands of its call, so that substitution in
/// a term needs no care.
class Folds {
 public:
  Expr close(const Fold& fold);
  /// The fold with variables and an accumulator of its own.
  Fold open(const Expr& call);
  /// Does the term hold a value of one moment, inside of folds, too?
  bool holds_moment(const Expr& term) const;
  /// Do the bounds or the guards of the fold, which say what its iterations are? Then it is no fold.
  bool goes_by_moment(const Fold& fold) const;

 private:
  struct Closed {
    std::vector<Expr> params;  // variables and accumulators, in the place of the operands from the second on
    Fold fold;                 // init is missing
    bool of_moment = false;    // what an iteration does holds a value of one moment
  };
  const Closed& of(const Expr& call) const;
  std::vector<Closed> closed_;
};

bool is_fold(const Expr& e);
bool is_choice(const Expr& e);
Expr fresh_acc(DType type);
/// A value of one moment, of which nothing is known, the same one wherever it stands: `unknown` of what an operation
/// gave, `any_value` of an undef or of a cell that nobody wrote.
Expr unknown(const char* what, DType type);
Expr any_value(const char* what, DType type);
/// A function that has one value for equal operands at every moment of a run.
Expr same_function(const std::string& name, DType type, std::vector<Expr> operands);
bool is_same_function(const Expr& e);
std::string_view same_function_name(const Expr& e);
/// Is the node a value of one moment? All that is uninterpreted is, but for functions of which the opposite is said:
/// folds, accumulators, which stand for what iterations before gave, and `same_function`. What is said of such a value
/// holds of every value that it may have. That is what two moments need not have in common, so no term holds it that is
/// put into another moment.
bool of_one_moment(const Expr& node);
/// The term with an unknown value for each undef in it: each was chosen when it was evaluated, and whoever uses the
/// value uses that one choice.
Expr chosen(const Expr& term);

/// All arithmetic in it as index arithmetic: the same value where that fits.
Expr as_index(const Expr& e);

using TermMap = std::vector<std::pair<Expr, Expr>>;
/// Variables and calls without operands replaced, all at once.
Expr replace(const Expr& e, const TermMap& map);
std::vector<Expr> replace(const std::vector<Expr>& list, const TermMap& map);
LoopRange replace(const LoopRange& loop, const TermMap& map);
/// The loop variables with these values.
TermMap values(const Fold& fold, const std::vector<Expr>& at);
bool mentions(const Expr& e, const Expr& leaf);

}  // namespace hexproof::parametric
