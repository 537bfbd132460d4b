// Evaluations of which the granted flags leave open what they give, as terms: a function (`same_function`) named
// "evaluation.SIDE NUMBER" of the operation and of the iterations in which it is evaluated. Equal iterations, one
// evaluation, one value; two evaluations are never concluded to be equal.
//
// `after` may take any rounding in each of its evaluations, and `before` must be able to take the same: each evaluation
// of `before` takes the value of one of `after`. Cells are compared one by one, so what stood for what is recorded, and
// in the end no evaluation of `before` may have stood for two (one_to_one_value).
#pragma once
#include <string>
#include <vector>

#include "verify/equiv/parametric/scenario.h"

namespace hexproof::parametric {

bool is_evaluation(const Expr& term);
/// Of which program: 'b' or 'a'.
char side_of_evaluation(const Expr& evaluation);
/// The operation that is evaluated; any other term is itself.
Expr operation(const Expr& term);
/// What an operation that `reassoc` regroups sees of an operand: the operations that made it, whatever these gave.
/// Which sign a function saw, or which infinity a quotient is under `nsz`, is no grouping: of these it sees the value.
Expr regrouped_operand(const Expr& term, const OpenRounding& open);
Expr evaluation(const std::string& name, const Expr& operation, const std::vector<Expr>& iterations);
/// The evaluation of the last iteration of loops that goes into a cell, as the value `fold` that they leave there.
/// Which iteration that is hangs on the cell. `stored`: a store puts what it gives there, and nothing else does, so
/// that no other cell has it.
Expr evaluation_of_fold(const Expr& last, const Expr& fold, const std::vector<LoopRange>& loops, const Buffer& buffer,
                        const std::vector<Expr>& cell, bool stored);
/// Is it an operation on floats that the flags leave open? How its operands were computed is seen through choices,
/// casts and loops.
bool left_open(const Expr& operation, const OpenRounding& open);

/// What stood for what, under what was known there.
struct Stood {
  Expr before, after;
  std::vector<Expr> given;
};
/// Is it one evaluation of `after` wherever it is one of `before`?
bool one_to_one_value(const std::vector<Stood>& stood, const std::set<Var>& shared, Scenario& scenario);
/// Are the two the same evaluation?
bool same_evaluation(const Expr& a, const Expr& b, Scenario& scenario);

}  // namespace hexproof::parametric
