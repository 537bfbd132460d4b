// Perfectly nested loops with plain `if`s between them.
#pragma once
#include <vector>

#include "rewrite/site/places.h"

namespace hexproof {

/// `count` loops of which each is all that stands in the one around it, but for `if`s without an else.
struct Nest {
  std::vector<For> loops;  // outermost first
  /// The conditions of the `if`s between the loops, outermost first. None depends on a buffer's content, so each can
  /// be asked later, deeper inside, with the same answer; `guard_depth` loops stand around it.
  std::vector<Expr> guards;
  std::vector<size_t> guard_depth;
  Stmt body;       // what stands in the innermost loop
  Path body_path;  // of the body, in the function
};

/// The nest that starts at `at`; NotApplicable when there is none of that depth.
Nest nest_at(const PrimFunc& func, const Path& at, size_t count);
/// `body` under the guards, the first outermost.
Stmt guarded(const std::vector<Expr>& guards, Stmt body, const Span& span);
/// NotApplicable when the start or the extent of a loop mentions the variable of another, or depends on data.
void require_independent_bounds(const PrimFunc& func, const Nest& nest);
/// A start or an extent is no error where it is evaluated: it fits its type, and is at most 2^63 - 1 (what a program
/// counts is counted in int64).
Expr bound_is_no_error(const Expr& e);
/// Starts and extents that were evaluated under outer loops and guards, and now are evaluated without them:
/// each must be free of errors under `given` alone.
void owe_bounds(const std::string& rule, const PrimFunc& func, const Stmt& stmt, const Facts& facts,
                const std::vector<For>& loops, std::vector<Obligation>* needs);
/// The ranges of the loops as formulas, with lets inlined.
std::vector<Expr> ranges_of(const Facts& facts, const std::vector<For>& loops);

}  // namespace hexproof
