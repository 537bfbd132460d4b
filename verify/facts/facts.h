// What is known at a place of a program: loop ranges, branch conditions, lets, block bindings, assumes.
#pragma once
#include <functional>
#include <vector>

#include "ir/evaluation.h"
#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof {

/// A statement of a function by the index of each part on the way down (see children()).
using Path = std::vector<int>;
Stmt stmt_at(const PrimFunc& func, const Path& path);
PrimFunc replace_at(const PrimFunc& func, const Path& path, const Stmt& after);

/// Where the elements of a buffer lie: its extents, strides (none: compact, row-major) and offset in elements, as they
/// were evaluated where it was declared. Over loops, scalars and opaque values, as everything that facts give out.
struct BufferLayout {
  std::vector<Expr> shape, strides;
  Expr offset;  // missing: zero
  friend bool operator==(const BufferLayout&, const BufferLayout&) = default;
};
/// As the buffer says it: right where it mentions nothing but constants and scalars.
BufferLayout layout_of(const Buffer& buffer);
BufferLayout substitute(BufferLayout layout, const VarMap& map);
/// Does a part of it depend on what memory holds?
bool reads_memory(const BufferLayout& layout);

/// A loop around a place, outermost first.
struct LoopRange {
  Var var;
  Expr min, extent;
  ForKind kind = ForKind::Serial;
};

/// Facts in scope at a place, outermost first. Let-bound variables and block variables are *inlined* in
/// everything that the facts and footprints give out: formulas mention loop variables, scalars and loads only.
///
/// A let (or block) variable whose value reads memory is replaced by that value only when nothing in its scope may
/// write what it reads; else, and when the value holds an `undef`, it becomes an opaque value (`opaque_value`).
struct Facts {
  std::vector<LoopRange> loops;
  std::vector<Expr> conditions;  // branch conditions, block predicates, assumes, extents of shapes >= 0
  std::vector<Expr> evaluated;   // fits(e): index arithmetic that was evaluated on the way here, so without an error
  VarMap inlined;                // let and block variable -> its value over loops and scalars
  std::map<Buffer, BufferLayout>
      layouts;  // of the buffers declared around whose layout mentions more than loops and scalars

  /// Everything as formulas: min <= var, var < min + extent, the conditions, and what was evaluated.
  std::vector<Expr> given() const;
  /// The same without the ranges of the loops.
  std::vector<Expr> known() const;
  /// Where the elements of a buffer in scope lie.
  BufferLayout layout(const Buffer& buffer) const;
  /// `e` with let and block variables inlined.
  Expr resolve(const Expr& e) const { return substitute(e, inlined); }
  Stmt resolve(const Stmt& s) const { return substitute(s, inlined); }
};

/// What holds free of charge at the start of the function: shapes are >= 0, buffers fit in memory.
Facts entry_facts(const PrimFunc& func);
/// The facts at a place. A condition that reads a buffer is kept only while no store on the way there
/// (in the same branch, or in a later part of a loop around it) may write that buffer.
Facts facts_at(const PrimFunc& func, const Path& path);
/// Every statement, in order, with its path and facts; `f` returns whether to go into its parts.
void walk_with_facts(const PrimFunc& func, const std::function<bool(const Stmt&, const Path&, const Facts&)>& f);

/// Every subexpression that evaluating `e` evaluates (for_each_evaluated; resolved, with lets put in), operands first,
/// with what is known there: the branches of `T.if_then_else` are under its condition, all else only under `facts`.
void walk_expr_with_facts(const Expr& e, const Facts& facts, const std::function<void(const Expr&, const Facts&)>& f);

/// That `e`, which was evaluated, had no error: fits(x) for the largest parts x of it that are index arithmetic and are
/// surely evaluated. `e` is resolved; of the condition of an assume, `decided_in_order`.
std::vector<Expr> evaluated(const Expr& e);

/// The conjuncts of `condition` (of its negation, when `negated`), with hints removed. A conjunct that holds an
/// `undef` says nothing of a value and is left out.
std::vector<Expr> conjuncts(const Expr& condition, bool negated = false);
/// The *value* of `e`: every `T.Let` inside put in for its variable (an opaque value where the bound value is an
/// `undef`). What is evaluated is another question: for_each_evaluated.
Expr inline_lets(const Expr& e, const std::vector<LoopRange>& loops);
/// The same of a part of an expression that is evaluated at `at`: the lets around it are put in, too.
Expr value_at(const Expr& e, const Evaluation& at, const std::vector<LoopRange>& loops);
/// Some value, the same one whenever the loops around have the same values: a call of a function that nothing is
/// known of. It is data, so nothing is concluded from its arithmetic being free of overflow.
Expr opaque_value(const std::string& name, DType type, const std::vector<LoopRange>& loops);
/// What stands for a variable bound to `value`: the value itself, when `scope` and `also` (all that runs while it is
/// bound) leave alone what it reads; else the value with those reads made opaque, named after the variable.
Expr bound_value(const Var& var, const Expr& value, const std::vector<LoopRange>& loops, const Stmt& scope,
                 const Stmt& also = {});
/// May `value` stand for the variable that is bound to it, when `scope` (and `also`) is all that runs meanwhile?
bool may_inline(const Expr& value, const Stmt& scope, const Stmt& also = {});
/// Has the expression, written out, more than `limit` nodes?
bool larger_than(const Expr& e, size_t limit);
/// Is the tree larger than what is ever put in for a variable?
bool too_large(const Expr& value);
/// The memory that `e` reads (layouts of its views, too), and that `stmt` may change (for_each_written): the data
/// variables of the buffers.
std::set<Var> data_read(const Expr& e);
/// Is it a load whose value, or place, one of these memories decides?
bool loads_from(const Expr& load, const std::set<Var>& memory);
std::set<Var> data_written(const Stmt& stmt);
/// min <= var and var < min + extent, in a form that has no overflow where the loop runs. Exact: it is given of what
/// runs, and asked or made a condition of what must have run.
std::vector<Expr> range_of(const LoopRange& loop);
/// Constant folding of one operation on integers or bools, as far as it fits its type; else the plain operation.
Expr fold(const Expr& e);

Place place_of(const PrimFunc& func, const Stmt& stmt);

}  // namespace hexproof
