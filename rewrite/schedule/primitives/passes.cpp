// Passes: on the nest of a block or loop, by TVM's name on a function, and what cleans up.
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {
namespace {

const std::map<std::string, uint8_t>& conditional_flags() {
  static const std::map<std::string, uint8_t> names{
      {"None", 0},
      {"IfElseStmt", hexproof::flags({HoistConditional::IfElseStmt})},
      {"IfElseExpr", hexproof::flags({HoistConditional::IfElseExpr})},
      {"BooleanExpression", hexproof::flags({HoistConditional::BooleanExpression})},
      {"UsingBlockVar", hexproof::flags({HoistConditional::UsingBlockVar})}};
  return names;
}

const std::map<std::string, uint8_t>& binding_flags() {
  static const std::map<std::string, uint8_t> names{
      {"None", 0},
      {"RequiredByConditional", hexproof::flags({HoistLetBinding::RequiredByConditional})},
      {"RequiredByCondition", hexproof::flags({HoistLetBinding::RequiredByConditional})},
      {"LetStmt", hexproof::flags({HoistLetBinding::LetStmt})},
      {"LetExpr", hexproof::flags({HoistLetBinding::LetExpr})}};
  return names;
}

Value on_nest(PrimitiveCall& c, void (Schedule::*pass)(const BlockRef&)) {
  const BlockRef nest = c.nest("block");
  (c.schedule().*pass)(nest);
  return {None{}};
}

Value on_function(PrimitiveCall& c, void (Schedule::*pass)()) {
  (c.schedule().*pass)();
  return {None{}};
}

}  // namespace

Value hoist_expression(PrimitiveCall& c) {
  HoistOptions options;
  if (c.args.find("loop")) options.loop = c.args.loop("loop").var;
  if (c.args.find("out_of")) options.out_of = c.args.loop("out_of").var;
  if (auto given = c.args.flags("conditionals", conditional_flags())) options.conditionals = *given;
  if (auto given = c.args.flags("bindings", binding_flags())) options.bindings = *given;
  const BlockRef nest = c.nest("block");
  c.schedule().hoist_expression(nest, options);
  return {None{}};
}

Value remove_branching_through_overcompute(PrimitiveCall& c) {
  const BlockRef nest = c.nest("block");
  c.schedule().remove_branching_through_overcompute(nest, c.args.flag("clamp", true));
  return {None{}};
}

Value hoist_index_expressions(PrimitiveCall& c) { return on_nest(c, &Schedule::hoist_index_expressions); }
Value reduce_loop_extents(PrimitiveCall& c) { return on_nest(c, &Schedule::reduce_loop_extents); }
Value remove_no_op(PrimitiveCall& c) { return on_nest(c, &Schedule::remove_no_op); }
Value separate_conditions(PrimitiveCall& c) { return on_nest(c, &Schedule::separate_conditions); }
Value simplify_conditions(PrimitiveCall& c) { return on_nest(c, &Schedule::simplify_conditions); }
Value merge_complementary_conditions(PrimitiveCall& c) { return on_nest(c, &Schedule::merge_complementary_conditions); }
Value remove_overcompute_through_branching(PrimitiveCall& c) {
  return on_nest(c, &Schedule::remove_overcompute_through_branching);
}
Value introduce_conditionals(PrimitiveCall& c) { return on_nest(c, &Schedule::introduce_conditionals); }

Value apply_pass(PrimitiveCall& c) {
  c.schedule().apply_pass(c.args.text("name", "the name of a pass"));
  return {None{}};
}

Value simplify(PrimitiveCall& c) { return on_function(c, &Schedule::simplify); }
Value remove_branches(PrimitiveCall& c) { return on_function(c, &Schedule::remove_branches); }
Value remove_unit_loops(PrimitiveCall& c) { return on_function(c, &Schedule::remove_unit_loops); }
Value inline_lets(PrimitiveCall& c) { return on_function(c, &Schedule::inline_lets); }
Value lower_blocks(PrimitiveCall& c) { return on_function(c, &Schedule::lower_blocks); }
Value sink_allocations(PrimitiveCall& c) { return on_function(c, &Schedule::sink_allocations); }
Value compact_buffers(PrimitiveCall& c) { return on_function(c, &Schedule::compact_buffers); }
Value flatten_buffers(PrimitiveCall& c) { return on_function(c, &Schedule::flatten_buffers); }
Value flatten_buffer(PrimitiveCall& c) { return on_function(c, &Schedule::flatten_buffers); }

}  // namespace hexproof::calls
