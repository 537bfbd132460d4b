// Passes: what TVM does by this name, as strategies over rules of the kernel. Each does what can be proved, and leaves
// the rest. Each returns how many rules it applied.
#pragma once
#include <string>
#include <vector>

#include "rewrite/passes/strategy.h"

namespace hexproof {

/// Which conditions HoistExpression moves (flags, RFC 0077).
enum class HoistConditional : uint8_t {
  None = 0,
  IfElseStmt = 1 << 0,         // the condition of an if
  IfElseExpr = 1 << 1,         // that of T.if_then_else or T.Select
  BooleanExpression = 1 << 2,  // any bool, so parts of conditions too
  UsingBlockVar = 1 << 3,      // also those on variables of blocks and of thread-bound loops
};
/// Which bindings it moves.
enum class HoistLetBinding : uint8_t {
  None = 0,
  RequiredByConditional = 1 << 0,  // one that a condition needs in order to move
  LetStmt = 1 << 1,
  LetExpr = 1 << 2,
};
template <class Flag>
constexpr uint8_t flags(std::initializer_list<Flag> list) {
  uint8_t out = 0;
  for (Flag f : list) out = static_cast<uint8_t>(out | static_cast<uint8_t>(f));
  return out;
}
template <class Flag>
constexpr bool has(uint8_t flags, Flag f) {
  return (flags & static_cast<uint8_t>(f)) != 0;
}
struct HoistOptions {
  uint8_t conditionals =
      flags({HoistConditional::IfElseStmt, HoistConditional::IfElseExpr, HoistConditional::BooleanExpression});
  uint8_t bindings =
      flags({HoistLetBinding::RequiredByConditional, HoistLetBinding::LetStmt, HoistLetBinding::LetExpr});
  Var loop = {};    // out of this loop at most; missing: as far as it goes
  Var out_of = {};  // out of this loop only (and its copies in branches that moved in front of it), and no other
};

/// Conditions and bindings as far outwards as can be proved, out of loops. A condition that is decided where it
/// arrives (`io == 2` where `io == 0` holds) leaves no branch.
int hoist_expression(Strategy& s, const HoistOptions& options);
/// Index arithmetic that is the same in every iteration of a loop is bound in front of it (RFC 77, "Future
/// possibilities": HoistExpression for portions of expressions that are no conditions).
int hoist_index_expressions(Strategy& s);
/// Loops that run only where their body does something; then guards that the new ranges decide, and loops of one
/// iteration, go.
int reduce_loop_extents(Strategy& s);
/// Stores without effect, and what is left empty.
int remove_no_op(Strategy& s);
/// Statements without effect.
int remove_empty(Strategy& s);
/// Expression rules on the conditions of ifs, and decided branches.
int simplify_conditions(Strategy& s);
/// Expression rules, decided branches, branches that are equal, neighbouring branches on equal or complementary
/// conditions, stores of what is there as it stands there (`B[i] = B[i]`); until nothing changes.
int simplify_everything(Strategy& s);
/// Neighbouring branches on equal or complementary conditions into one.
int merge_branches(Strategy& s);
/// merge_branches, and a branch whose sides are then equal goes.
int merge_conditions(Strategy& s);
/// Neighbouring loops into one, wherever that is proved.
int merge_adjacent_loops(Strategy& s);
/// Nested ifs into one, and its comparisons of index arithmetic over several loops (`io * 8 + ii < 18`) into conditions
/// on one loop each (`not (io == 2 and ii >= 2)`), which hoist and simplify by themselves.
int separate_conditions(Strategy& s);
/// Branches whose condition need not be asked; where an access would leave its buffer without it, its indices are
/// clamped first, if `clamp`.
int remove_branching_through_overcompute(Strategy& s, bool clamp = true);
/// The first step of that pass's inverse: each store that a later one overwrites with a constant under a condition
/// stores that constant there, and what it stored elsewhere.
int introduce_conditionals(Strategy& s);
/// The inverse: what leaves no trace under a condition is computed only where that does not hold.
int remove_overcompute_through_branching(Strategy& s);

/// A pass by its name in TVM, without "tir." and what stands before it.
struct Pass {
  std::string name;
  std::string summary;
  int (*run)(Strategy& s);
};
const std::vector<Pass>& all_passes();
/// Nothing when there is none of that name; "tir.", "tir.transform." and "tvm.tir.transform." may stand before it.
const Pass* pass_by_name(const std::string& name);

}  // namespace hexproof
