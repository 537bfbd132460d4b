#include "fuzz/hunt/tempter.h"

#include <utility>

#include "fuzz/steps/disturb.h"
#include "fuzz/steps/mutate_text.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {
namespace {

constexpr int kInputsOfStep = 4;                // that a step is tried on
constexpr int kNearMisses = 16;                 // of a program or a step on which the rule found its shape
constexpr int kAttempts = 4;                    // of others
constexpr uint64_t kUnitsOfTempting = 480'000;  // resource units of the proofs of a step that goes wrong

}  // namespace

void Tempter::tempt(const PrimFunc& program, const StepRequest& step, uint64_t input_seed,
                    const std::function<bool()>& more) {
  const bool fits = look_at(program, step, input_seed);
  if (!mutants_ || tempted_.body.get() != program.body.get()) tempted_ = program, mutants_ = mutant_source(program);
  for (int k = fits ? kNearMisses : kAttempts; k > 0 && more(); --k) near_miss(program, step);
}

void Tempter::near_miss(const PrimFunc& program, const StepRequest& step) {
  const uint64_t number = next_random(random_), seed = next_random(random_) % (1u << 31);
  const uint64_t kind = next_random(random_) % 3;
  if (kind == 0) {
    if (std::optional<StepRequest> other = disturbed(step, number)) look_at(program, *other, seed);
  } else if (kind == 1) {
    if (std::optional<PrimFunc> other = some_text_mutant(program, number)) look_at(*other, step, seed);
  } else if (std::optional<Mutant> mutant = (*mutants_)(number)) {
    look_at(mutant->program, step, seed);
  }
}

/// Is the program of the rule's shape, and free of errors on some inputs?
bool Tempter::look_at(const PrimFunc& program, const StepRequest& step, uint64_t input_seed) {
  try {
    const std::optional<Rewrite> rewrite = unproved(program, step);
    if (!rewrite || !wanted_(step, *rewrite)) return false;
    const QuickLook look = look_quickly(program, *rewrite, input_seed, kInputsOfStep);
    if (look.seed) wrong_(program, step, *look.seed);
    return look.ran;
  } catch (const std::exception&) {  // no rule may fail so, whatever the program
    wrong_(program, step, input_seed);
    return false;
  }
}

Trial try_step(const PrimFunc& program, const StepRequest& step, uint64_t input_seed, Prover& prover, uint32_t inside) {
  bool given = false;
  auto once = [&](const PrimFunc&) {
    return std::exchange(given, true) ? std::nullopt : std::optional<StepRequest>(step);
  };
  try {
    Trial trial = try_in_interpreter(program, input_seed, once, prover, {.inside = inside, .units = kUnitsOfTempting});
    if (trial.outcome == Outcome::Erroneous) unproved(program, step);
    return trial;
  } catch (const std::exception& e) {  // not even the arguments of what was made can be told
    return {.fuzz_case = {program, {step}, input_seed}, .outcome = Outcome::Unsound, .finding = e.what()};
  }
}

}  // namespace hexproof
