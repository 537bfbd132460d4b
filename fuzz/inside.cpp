#include "fuzz/inside.h"

#include "fuzz/programs/arguments.h"
#include "rewrite/layout/interface.h"
#include "verify/check/assert_static/assert_static.h"

namespace hexproof {

Inside::Inside(const PrimFunc& program, const std::vector<Tensor>& inputs, const std::vector<int64_t>& scalars,
               const RunOptions& options, Prover& prover, uint64_t evaluations)
    : options_(options), evaluations_(evaluations), scalars_(scalars), inputs_(inputs) {
  StaticClaims claims = static_claims(program);
  CheckReport report = check(program, prover);
  add_proved(&claims, report);
  block_claims_ = claims.block_claims;
  std::vector<Tensor> tensors = inputs;
  AssertedRun ran = run_asserting(claims, tensors, scalars, {.run = options, .evaluations = evaluations_});
  if (ran.failure) {
    finding = "in the program: " + ran.failure->str();
  } else if (ran.result.error && !ran.assume_is_false && report.finding == Finding::Proved) {
    finding = "check proved the program free of errors, and it reaches one: " + ran.result.error->str();
  }
}

void Inside::look_at(const Derivation& derivation) {
  for (const Step& step : derivation.steps()) {
    run_one(step.before, &step);
    if (!finding.empty()) return;
    // To the layout of the next program. (Symbolic extents are left to the comparison of results.)
    if (!step.interface_changes.empty() && !step.before.scalars().empty()) return;
    for (const InterfaceChange& change : step.interface_changes) {
      size_t buffer = 0;
      for (size_t p = 0; p < change.param; ++p) buffer += static_cast<bool>(step.before.params[p].buffer);
      inputs_[buffer] = pack(change, inputs_[buffer]);
    }
    // (Cells whose padding is named no more hold a value, whichever.)
    fill_as_named(step.before, step.after, scalars_, &inputs_);
  }
  run_one(derivation.current(), nullptr);
}

void Inside::run_one(const PrimFunc& program, const Step* step) {
  StaticClaims claims = static_claims(program);
  claims.block_claims = block_claims_;
  if (step) add_proved(&claims, step->obligations);
  std::vector<Tensor> tensors = inputs_;
  AssertedRun ran = run_asserting(claims, tensors, scalars_, {.run = options_, .evaluations = evaluations_});
  std::string where = step ? "before the step '" + step->rule + "': " : std::string("after the last step: ");
  if (ran.failure) {
    finding = where + ran.failure->str();
  } else if (ran.result.error) {
    finding = where + "the program reaches an error, and the first one none: " + ran.result.error->str();
  }
}

}  // namespace hexproof
