// Passes as primitives: on the nest of one block, or by TVM's name on everything.
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

void Schedule::on_block(const BlockRef& block, const std::function<int(Strategy&)>& pass) {
  primitive([&] {
    path_of(block);  // Error when it is gone
    // The whole body has no block of that name; it may be one block, of another name.
    bool all = !block.loop && find_blocks(func(), current_name(block)).empty();
    Strategy strategy(derivation_, prover_, all || block.loop ? "" : current_name(block), primitive_, span_,
                      block.loop);
    if (pass(strategy)) return;
    if (strategy.refusal()) throw Refused(*strategy.refusal());
    throw NotApplicable(std::string("there is no place for it in ") + (block.loop ? "loop" : "block") + " '" +
                        current_name(block) + "'");
  });
}

void Schedule::hoist_expression(const BlockRef& block, const HoistOptions& options) {
  on_block(block, [&](Strategy& s) { return hexproof::hoist_expression(s, options); });
}

void Schedule::hoist_index_expressions(const BlockRef& block) { on_block(block, &hexproof::hoist_index_expressions); }

void Schedule::reduce_loop_extents(const BlockRef& block) { on_block(block, &hexproof::reduce_loop_extents); }

void Schedule::remove_no_op(const BlockRef& block) { on_block(block, &hexproof::remove_no_op); }

void Schedule::remove_branching_through_overcompute(const BlockRef& block, bool clamp) {
  on_block(block, [&](Strategy& s) { return hexproof::remove_branching_through_overcompute(s, clamp); });
}

void Schedule::remove_overcompute_through_branching(const BlockRef& block) {
  on_block(block, &hexproof::remove_overcompute_through_branching);
}

void Schedule::separate_conditions(const BlockRef& block) { on_block(block, &hexproof::separate_conditions); }

void Schedule::simplify_conditions(const BlockRef& block) { on_block(block, &hexproof::simplify_conditions); }

void Schedule::merge_complementary_conditions(const BlockRef& block) { on_block(block, &merge_conditions); }

void Schedule::introduce_conditionals(const BlockRef& block) { on_block(block, &hexproof::introduce_conditionals); }

void Schedule::apply_pass(const std::string& name) {
  const Pass* pass = pass_by_name(name);
  if (!pass) {
    std::vector<std::string> names;
    for (const Pass& p : all_passes()) names.push_back("tir." + p.name);
    fail("there is no pass '" + name + "'", nearest_names(name, names));
  }
  primitive([&] {
    Strategy strategy(derivation_, prover_, "", primitive_, span_);
    pass->run(strategy);
  });
}

}  // namespace hexproof
