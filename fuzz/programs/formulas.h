// Random small formulas, and the values that break them: what the prover says is held against its own meaning.
#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "verify/prove/prover.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

struct Formula {
  std::vector<Var> vars;
  std::vector<std::pair<int, int>> ranges;  // of vars, inclusive; they stand in `given`, too
  std::vector<Expr> given;
  Expr goal;
};

/// What is given holds at the point, and the goal is false.
struct Needle {
  std::vector<Expr> given;
  Expr goal;
  Valuation point;
};

/// Formulas over three variables with small ranges; index arithmetic, and data that wraps (a load of a one-cell
/// buffer); functions of which nothing is known, over operands of several types. What is given is what a program gives
/// that has evaluated it; or, with `bare`, what is true of mathematical integers and was evaluated by nobody.
class FormulaGenerator {
 public:
  explicit FormulaGenerator(uint64_t seed) : random_(seed) {}
  Formula formula(bool bare = false);
  /// A goal that is false at one point, which few others share, of variables with all ranges that types have; nothing
  /// where the point that was drawn shows no such goal.
  std::optional<Needle> needle();

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  Expr constant();
  Expr integer(int depth);
  Expr truth(int depth);
  Expr function(const Expr& operand);
  Wide some_value(Wide lo, Wide hi);

  std::mt19937 random_;
  DType type_;
  std::vector<Var> vars_;
  Expr cell_;
  bool data_ = false, functions_ = false;
};

/// Do some values break the formula: what is given holds there, and the goal has a value, false? All values of the
/// variables are tried with all of the cell, or with edges of its type where it has more than 8 bits; and one meaning
/// of each function.
bool is_broken(const Formula& formula);
/// As SMT-LIB.
std::string show(const Formula& formula);
/// Were all values tried? Else a refutation may be right where nothing was found.
bool is_enumerated(const Formula& formula);

/// Asks the prover a random formula: what is wrong with the answer, with the formula; empty: nothing.
std::string probe_prover(uint64_t seed, Prover& prover);

/// The same for a formula that is false somewhere, and nearly nowhere else (FormulaGenerator::needle): samples do not
/// refute it, so that solvers must.
std::string probe_prover_with_needle(uint64_t seed, Prover& prover);

}  // namespace hexproof
