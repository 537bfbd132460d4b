// Solvers tried one after the other on one question.
#pragma once
#include <span>

#include "verify/prove/solvers/smt/door.h"

namespace hexproof {

enum class Engine : uint8_t { Z3Simple, Z3Bits, Cvc5 };

struct Attempt {
  const char* solver;  // as Answer::solver names it
  EncodeOptions encode;
  Engine engine = Engine::Z3Simple;
  uint64_t rlimit = 1'000'000;
};

struct Decision {
  Answer answer;           // without times
  bool repeatable = true;  // false: a wall-clock limit had a part in it, so it must not be cached
};

/// Evaluates the formula under a solver's values: Refuted with a model when what is given holds and the goal does
/// not, else Unknown with the reason.
enum class Confirmed : uint8_t {
  Refuted,
  GoalHasNoValue,  // under these values: it divides by zero, or shifts out of range
  No,
};
Confirmed confirm(const std::vector<Expr>& given, const Expr& goal, const EncodeOptions& options, const Script& script,
                  const SolverAnswer& from, Answer* answer);

/// Does `given` imply `goal`? The first attempt that proves it, or finds values that evaluation confirms,
/// answers. Formulas are prepared; all attempts read integers with the meaning that the caller wants.
Decision decide(const std::vector<Expr>& given, const Expr& goal, std::span<const Attempt> attempts);

}  // namespace hexproof
