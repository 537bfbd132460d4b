// What is evaluated, in which order and under which condition: the one definition, which the interpreter follows and on
// which everything that reasons about evaluation is written.
#pragma once
#include <functional>
#include <utility>
#include <vector>

#include "ir/stmt.h"

namespace hexproof {

/// What an expression is to the statement that evaluates it.
enum class Operand : uint8_t {
  Value,        // stored, bound or thrown away
  Index,        // of a store
  LoopMin,      // where a loop starts
  LoopExtent,   // how often it runs; the end itself is never evaluated
  Condition,    // of a branch, or a block's predicate
  Assumed,      // of an assume: `and`, `or` and T.Select choose in it as T.if_then_else does
  Extent,       // of an allocation or a view
  Stride,       // of an allocation or a view
  Offset,       // of an allocation or a view
  Constant,     // an element of constant memory
  Binding,      // of a block variable
  DomainStart,  // of a reduction variable, where the block has an init: does the init run?
  Inflight      // how many groups a wait leaves in flight
};

/// Calls `f` on the expressions that executing `stmt` evaluates itself (not in its parts), in the order of evaluation.
/// Regions, annotations, domains that decide nothing and the sizes of what is declared elsewhere are not evaluated.
void for_each_operand(const Stmt& stmt, const std::function<void(Operand, const Expr&)>& f);

/// Where in an expression something is evaluated.
struct Evaluation {
  /// A condition that decided it.
  struct Guard {
    Expr condition;
    bool negated = false;
  };
  std::vector<Guard> guards;               // outermost first
  std::vector<std::pair<Var, Expr>> lets;  // the variables that T.Let has bound around, outermost first
  Expr user;                               // the operation that it is an operand of; missing for the whole expression
};
/// Calls `f` on every subexpression that evaluating `e` evaluates, operands first and from left to right, with the
/// conditions under which it does: the sides of T.if_then_else. All else is strict: the value of a T.Let is evaluated
/// once, before the body, whether the body uses it or not; `and`, `or` and T.Select evaluate all their operands.
void for_each_evaluated(const Expr& e, const std::function<void(const Expr&, const Evaluation&)>& f);

/// The load of `A[i]` in `A[i] == T.undef()`, which permits to read the cell where it stands in an assume: from then on
/// it holds some value. Nothing for any other expression.
Expr permitted_cell(const Expr& e);

/// Is a number needed of what a statement evaluates as this? One that depends on T.undef() is an error there.
bool needs_a_number(Operand operand);
/// The operands of `e` itself of which a number is needed, each with what it is ("a condition", "an index", "index
/// arithmetic"): they decide what is evaluated, where an access lands, or whether an operation is an error.
std::vector<std::pair<Expr, const char*>> operands_that_decide(const Expr& e);
/// Calls `f` in the same way on what an assume, as `decided_in_order` gives its condition, decides by itself. That a
/// cell may be read is no condition on its value.
void for_each_decided(const Expr& decided, const std::function<void(const Expr&, const char*)>& f);

/// Calls `f` on the buffer of each cell that executing `stmt` itself (not its parts) may change: of a store, and of the
/// cells that an assume permits to read. Whoever asks whether two statements meet asks this, or the accesses of both.
void for_each_written(const Stmt& stmt, const std::function<void(const Buffer&)>& f);

/// The condition of an assume as an expression that is strict where it is evaluated: its `and`, `or` and T.Select of
/// scalars become T.if_then_else. (Those of vectors evaluate all their operands.)
Expr decided_in_order(const Expr& assumed);

}  // namespace hexproof
