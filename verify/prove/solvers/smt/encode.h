// Formulas as SMT-LIB 2 scripts that z3 and cvc5 read alike.
#pragma once
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

/// How integers are read.
enum class Reading : uint8_t {
  /// Integers of SMT-LIB; every division has an explicit quotient and remainder. Data arithmetic wraps by them too.
  Mathematical,
  /// The same meaning in bit-vectors that are wide enough that nothing wraps; needs constant bounds of everything.
  WideBits,
  /// Bit-vectors at the width of each dtype; all arithmetic is data and wraps, and fits() counts every overflow.
  Machine,
};

/// A part of the formula that a model gives a value to: `name` in the script.
struct ScriptInput {
  std::string name;
  DType type;
  Expr term;  // Var, Load or Call; missing for what the encoding abstracts
};

struct Script {
  std::string logic;
  std::string text;  // declarations, definitions and assertions; satisfiable exactly by counterexamples
  std::vector<ScriptInput> inputs;
  Reading reading = Reading::Mathematical;
  int width = 0;           // of integers, WideBits
  bool abstracts = false;  // something stands for any value: a model may be spurious
  bool nonlinear = false;
  bool floats = false;
};

/// The formula does not fit the reading (unbounded for WideBits) or holds what is not modelled.
class NotEncodable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct EncodeOptions {
  Reading reading = Reading::Mathematical;
  bool overflow_is_error = true;  // Machine: does fits() count the overflow of +, -, *, << ?
  bool total_goal = false;  // also ask that the goal has no division by zero (a counterexample must be error-free)
};

/// given and not goal. Formulas must be prepared (solve/evaluate.h). Names are canonical: v0, v1, ... in order of first
/// occurrence.
Script encode(const std::vector<Expr>& given, const Expr& goal, const EncodeOptions& options = {});

/// Splits top-level conjunctions (also `likely`).
void split_conjunction(const Expr& e, std::vector<Expr>* out);

}  // namespace hexproof
