// Passes as primitives: on the nest of one block, or by TVM's name on everything.
#include "rewrite/schedule/schedule.h"

namespace hexproof {
namespace {

bool has_floats(const PrimFunc& func) {
  bool found = false;
  for (const Buffer& buffer : func.buffer_params()) found = found || buffer->dtype.is_float();
  return found;
}

}  // namespace

std::optional<Refused> Schedule::asks_for_flags(const std::string& block, const std::function<int(Strategy&)>& pass) {
  if (!has_floats(func())) return std::nullopt;
  static const std::vector<std::string> kTried = {"nsz", "nnan ninf", "nnan ninf nsz", "reassoc"};
  for (const std::string& flags : kTried) {
    PrimFunc granted = func();
    std::vector<std::string> all = granted.granted_flags();
    for (const std::string& flag : fast_math_flags(flags, "schedule")) {
      if (!granted.granted(flag)) all.push_back(flag);
    }
    granted.attrs[kFastMathAttribute] = join_flags(all);
    Derivation trial(granted);
    Strategy strategy(trial, prover_, block, primitive_, span_);
    if (!pass(strategy) || trial.steps().empty()) continue;
    try {
      apply(trial.steps()[0].rule, trial.steps()[0].args);
    } catch (const Refused& refused) {
      Obligation obligation = refused.obligation;
      obligation.why += " (it would be proved with `" + flags + "` granted)";
      return Refused(obligation, refused.answer);
    } catch (const NotApplicable&) {
    }
  }
  return std::nullopt;
}

void Schedule::on_block(const BlockRef& block, const std::function<int(Strategy&)>& pass) {
  primitive([&] {
    bool all = !stmt_at(func(), path_of(block)).as<Block>();
    Strategy strategy(derivation_, prover_, all ? "" : current_name(block), primitive_, span_);
    if (pass(strategy)) return;
    if (std::optional<Refused> refused = asks_for_flags(all ? "" : current_name(block), pass)) throw Refused(*refused);
    if (strategy.refusal()) throw Refused(*strategy.refusal());
    throw NotApplicable("there is no place for it in block '" + current_name(block) + "'");
  });
}

void Schedule::hoist_expression(const BlockRef& block, const HoistOptions& options) {
  on_block(block, [&](Strategy& s) { return hexproof::hoist_expression(s, options); });
}

void Schedule::reduce_loop_extents(const BlockRef& block) { on_block(block, &hexproof::reduce_loop_extents); }

void Schedule::remove_no_op(const BlockRef& block) { on_block(block, &hexproof::remove_no_op); }

void Schedule::remove_branching_through_overcompute(const BlockRef& block, bool clamp) {
  on_block(block, [&](Strategy& s) { return hexproof::remove_branching_through_overcompute(s, clamp); });
}

void Schedule::remove_overcompute_through_branching(const BlockRef& block) {
  on_block(block, &hexproof::remove_overcompute_through_branching);
}

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
