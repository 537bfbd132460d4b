#include "fuzz/oracle.h"

#include "fuzz/granted/granted.h"
#include "fuzz/inside.h"
#include "fuzz/programs/arguments.h"
#include "fuzz/programs/program.h"
#include "fuzz/steps/module_steps.h"
#include "fuzz/steps/primitive_steps.h"
#include "fuzz/te/te_campaign.h"
#include "rewrite/layout/interface.h"
#include "rewrite/passes/passes.h"
#include "verify/prove/effort.h"

namespace hexproof {
namespace {

constexpr uint64_t kMaxSteps = 2'000'000;

/// What the steps of a case change: its function, or that as a module.
struct CaseState {
  Derivation derivation;
  std::optional<ModuleCase> module = {};

  const PrimFunc& current() const { return module ? module->chosen() : derivation.current(); }
};

void apply_to_module(CaseState& state, const StepRequest& step, Prover& prover) {
  const std::string name = step.args.at("name").get<std::string>();
  if (!state.derivation.steps().empty()) throw NotApplicable("the function has steps of its own");
  if (!state.module) state.module.emplace(state.derivation.source(), prover);
  bool changed = false;
  try {
    changed = state.module->apply(step.args);
  } catch (const Error&) {
  } catch (const Unsupported&) {
  }
  if (!changed) throw NotApplicable(step.rule + " " + name + " changes nothing");
}

/// A rule of the kernel; or "pass", "primitive" or "te", which call several.
void apply(Derivation& derivation, const StepRequest& step, Prover& prover) {
  if (step.rule == kTensorStep) {
    apply_tensor_step(derivation, step, prover);
    return;
  }
  if (step.rule != "pass" && step.rule != "primitive") {
    std::optional<Args> args;
    try {
      args = to_args(step.args, &derivation.current());
    } catch (const Error& e) {  // it names what this program does not have, or has a number of no index
      throw NotApplicable(e.what());
    }
    derivation.apply(step.rule, *args, prover);
    return;
  }
  size_t steps = derivation.steps().size();
  const std::string name = step.args.at("name").get<std::string>();
  auto not_so = [&] { throw NotApplicable(step.rule + " " + name + " changes nothing"); };
  try {
    if (step.rule == "pass") {
      const Pass* pass = pass_by_name(name);
      if (!pass) throw Error("there is no pass '" + name + "'");
      Strategy strategy(derivation, prover, step.args.value("block", ""));
      pass->run(strategy);
    } else {
      apply_primitive(derivation, step.args, prover);
    }
  } catch (const Error&) {
    not_so();  // no such block, or nothing in it to work on
  } catch (const Unsupported&) {
    not_so();
  }
  if (derivation.steps().size() == steps) not_so();
}

/// The same within the bounds for one step.
void apply_within(CaseState& state, const StepRequest& step, Prover& prover, const OracleOptions& oracle) {
  DepthScope depth(oracle.deep ? Depth::Full : Depth::Cheap);
  std::optional<Allowance> units;
  if (oracle.units > 0) units.emplace(oracle.units);
  if (step.rule == kModuleStep) return apply_to_module(state, step, prover);
  if (state.module) throw NotApplicable("the function is a module");
  apply(state.derivation, step, prover);
}

/// The error that a function meets by itself, whoever calls it; empty: none seen.
std::string error_by_itself(const PrimFunc& func, uint64_t seed) {
  constexpr int kRuns = 4;
  for (int k = 0; k < kRuns; ++k) {
    try {
      RunArguments arguments = arguments_of(func, k == 0 ? seed : next_random(seed));
      const RunResult ran = run(func, arguments.buffers, arguments.scalars, {.max_steps = kMaxSteps});
      if (ran.error && ran.error->kind != ErrorKind::FalseAssume) return ran.error->str();
    } catch (const Unsupported&) {
    }
  }
  return "";
}

/// What a module means in the end; false: it was not proved.
bool link_module(const ModuleCase& module, Trial& trial, const OracleOptions& oracle) {
  std::optional<Allowance> units;
  if (oracle.units > 0) units.emplace(oracle.units);
  try {
    trial.after = module.linked();
  } catch (const Refused&) {
  } catch (const Error&) {        // calls that no longer fit
  } catch (const Unsupported&) {  // of what starts asynchronous copies by now
  }
  trial.interface = module.interface();
  return trial.after.has_value();
}

std::string difference(const PrimFunc& func, const std::vector<Tensor>& want, const std::vector<Tensor>& got) {
  std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < want.size(); ++b) {
    int64_t at = first_difference(want[b], got[b]);
    if (at >= 0) return "element " + std::to_string(at) + " of '" + buffers[b]->name + "'";
  }
  return "";
}

/// Where a value stands before, whichever, and none after.
std::string lost_value(const PrimFunc& func, const std::vector<Tensor>& want, const std::vector<Tensor>& got) {
  std::vector<Buffer> buffers = func.buffer_params();
  for (size_t b = 0; b < want.size(); ++b) {
    const int64_t at = first_lost(want[b], got[b]);
    if (at >= 0) return "element " + std::to_string(at) + " of '" + buffers[b]->name + "'";
  }
  return "";
}

}  // namespace

Values values_of_seed(uint64_t input_seed) { return input_seed % 4 == 1 ? Values::Ordinary : Values::EdgeHeavy; }

Trial try_in_interpreter(const PrimFunc& before, uint64_t input_seed, const StepSource& next, Prover& prover,
                         const OracleOptions& oracle) {
  Trial trial{.fuzz_case = {.program = before, .steps = {}, .input_seed = input_seed}};
  std::vector<Tensor> inputs, expected;
  RunOptions options{.max_steps = kMaxSteps};
  std::optional<Inside> inside;
  try {
    RunArguments arguments = arguments_of(before, input_seed, values_of_seed(input_seed));
    const bool granted = !before.granted_flags().empty();
    if (granted) arguments.buffers = granted_inputs(before, input_seed);
    trial.scalars = arguments.scalars;
    inputs = std::move(arguments.buffers), expected = inputs;
    if (granted) trial.allowed = allowed_outcomes(before, inputs);
    if (granted && !trial.allowed) trial.outcome = Outcome::Erroneous;
    if (!granted && oracle.inside > 0 && input_seed % oracle.inside == 0) {
      inside.emplace(before, inputs, trial.scalars, options, prover, oracle.evaluations);
      if (!inside->finding.empty()) {
        trial.outcome = Outcome::Unsound;
        trial.finding = inside->finding;
        return trial;
      }
    }
    RunResult ran = run(before, expected, trial.scalars, options);
    if (ran.error || ran.out_of_steps) trial.outcome = Outcome::Erroneous;
  } catch (const Unsupported&) {
    trial.outcome = Outcome::Erroneous;
  } catch (const Error&) {  // arguments that it does not take, as strides with which elements overlap
    trial.outcome = Outcome::Erroneous;
  }
  if (trial.outcome == Outcome::Erroneous) return trial;
  CaseState state{Derivation(before)};
  Derivation& derivation = state.derivation;
  while (std::optional<StepRequest> step = next(state.current())) {
    trial.fuzz_case.steps.push_back(*step);
    try {
      size_t steps = derivation.steps().size();
      apply_within(state, *step, prover, oracle);
      trial.accepted.push_back(*step);
      for (size_t k = steps; k < derivation.steps().size(); ++k) trial.applied.push_back(derivation.steps()[k].rule);
    } catch (const Refused&) {
      ++trial.refused;
      trial.refused_steps.push_back(*step);
    } catch (const NotApplicable&) {
      ++trial.not_applicable;
    } catch (const std::exception& e) {
      // A rule says no in the two ways above; anything else is a bug of ours, and is shrunk like one.
      trial.accepted.push_back(*step);
      trial.outcome = Outcome::Unsound;
      trial.finding = "'" + step->rule + "' failed: " + e.what();
      return trial;
    }
  }
  if (trial.accepted.empty()) trial.outcome = Outcome::NoStep;
  if (!state.module) {
    trial.after = derivation.current();
    trial.interface = derivation.interface();
  } else if (!link_module(*state.module, trial, oracle)) {
    trial.outcome = Outcome::NoStep;
    return trial;
  } else {
    for (const PrimFunc& callee : state.module->callees()) {
      const std::string error = error_by_itself(callee, input_seed);
      if (error.empty()) continue;
      trial.outcome = Outcome::Unsound;
      trial.finding = "'" + callee.name + "' of the module reaches an error by itself: " + error;
      return trial;
    }
  }
  try {
    trial.packed_inputs = pack_all(before, trial.interface, inputs, Moment::Start, trial.scalars);
    trial.expected = pack_all(before, trial.interface, expected, Moment::End, trial.scalars);
  } catch (const InternalError& e) {
    trial.outcome = Outcome::Unsound;
    trial.finding = std::string("the interface relation has no values: ") + e.what();
    return trial;
  }
  if (trial.accepted.empty()) return trial;
  if (trial.allowed) {
    // (Of outcomes in another layout nothing is said.)
    if (!trial.interface.empty()) return trial;
    trial.finding = forbidden_outcome(*trial.allowed, *trial.after, inputs);
    if (!trial.finding.empty()) trial.outcome = Outcome::Unsound;
    return trial;
  }
  // (Values at cells whose padding is named no more are those that stand there: any would do.)
  fill_as_named(before, *trial.after, trial.scalars, &trial.packed_inputs);
  if (inside && !state.module) {
    inside->look_at(derivation);
    if (!inside->finding.empty()) {
      trial.outcome = Outcome::Unsound;
      trial.finding = inside->finding;
      return trial;
    }
  }
  std::vector<Tensor> got = trial.packed_inputs;
  RunResult result;
  try {
    result = run(*trial.after, got, trial.scalars, options);
  } catch (const Unsupported& e) {
    trial.outcome = Outcome::Unsound;
    trial.finding = std::string("the transformed program does not run any more: ") + e.what();
    return trial;
  }
  if (result.error) {
    trial.outcome = Outcome::Unsound;
    trial.finding = "the transformed program reaches an error: " + result.error->str();
  } else if (result.out_of_steps) {  // nothing is seen: another order of few iterations may pass by very many
    trial.outcome = Outcome::Erroneous;
    trial.after.reset();
  } else if (std::string where = difference(*trial.after, trial.expected, got); !where.empty()) {
    trial.outcome = Outcome::Unsound;
    trial.finding = "in the interpreter, before and after differ at " + where;
  } else if (std::string lost = lost_value(*trial.after, trial.expected, got); !lost.empty()) {
    trial.outcome = Outcome::Unsound;
    trial.finding = "in the interpreter, " + lost + " holds a value before, and none after";
  }
  return trial;
}

void add_to_batch(Trial& trial, HostBatch& batch) {
  if (!trial.after || trial.outcome == Outcome::Unsound) return;
  try {
    trial.host_index = batch.add(*trial.after);
  } catch (const Unsupported&) {
  }
}

void judge_on_host(Trial& trial, HostBatch& batch) {
  if (!trial.host_index || trial.outcome == Outcome::Unsound) return;
  std::vector<Tensor> got = trial.packed_inputs;
  try {
    batch.run(*trial.host_index, got, trial.scalars);
  } catch (const Unsupported&) {
    return;  // an argument with strides: only the interpreter knows
  }
  if (trial.allowed) {
    if (!trial.interface.empty() || trial.allowed->all.count(values_of(got, trial.after->granted("nsz")))) return;
    trial.outcome = Outcome::Unsound;
    trial.finding = "the host's code gives what the granted flags do not allow";
    return;
  }
  if (std::string where = difference(*trial.after, trial.expected, got); !where.empty()) {
    trial.outcome = Outcome::Unsound;
    trial.finding = "the host's code and the interpreter differ at " + where;
  }
}

Trial judge(const PrimFunc& program, uint64_t input_seed, const StepSource& next, Prover& prover,
            const OracleOptions& options) {
  Trial trial = try_in_interpreter(program, input_seed, next, prover, options);
  HostBatch batch;
  add_to_batch(trial, batch);
  batch.compile();
  judge_on_host(trial, batch);
  return trial;
}

Trial judge(const FuzzCase& c, Prover& prover, const OracleOptions& options) {
  size_t at = 0;
  StepSource listed = [&](const PrimFunc&) {
    return at < c.steps.size() ? std::optional(c.steps[at++]) : std::nullopt;
  };
  return judge(c.program, c.input_seed, listed, prover, options);
}

}  // namespace hexproof
