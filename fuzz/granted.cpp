#include "fuzz/granted.h"

#include <fmt/format.h>

#include "fuzz/mutate.h"
#include "fuzz/oracle.h"
#include "fuzz/outcomes.h"
#include "fuzz/steps.h"
#include "ir/interpreter/random_values.h"
#include "ir/text/text.h"
#include "rewrite/layout/interface.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

namespace {

constexpr size_t kMostBefore = 3000, kMostAfter = 300;
constexpr int kInputs = 3;

/// Floats with a full mantissa and a few that are not, so that each rounding is seen and no value is special.
std::vector<Tensor> inputs_of(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out;
  for (const Buffer& b : func.buffer_params()) {
    Tensor t = make_tensor(b->dtype, {2});
    for (size_t at = 0; at < t.data.size(); at += static_cast<size_t>(t.dtype.bytes())) {
      const uint64_t r = next_random(seed);
      const double edges[] = {1.0, -1.0, 0.0, -0.0, 2.0, 0.5};
      double value = r % 8 == 0 ? edges[(r >> 8) % 6] : 1.0 + static_cast<double>(r >> 11) * 0x1p-53;
      if (r % 3 == 0) value = -value;
      store_scalar(float_scalar(b->dtype, value), &t.data[at]);
    }
    out.push_back(std::move(t));
  }
  return out;
}

bool counts(const Outcomes& out, const PrimFunc& func) {
  const bool promised = func.granted("nnan") || func.granted("ninf");
  return out.complete && !out.erroneous && !(promised && out.special);
}

/// An input on which `after` has an outcome that `before` has not; empty: none was seen.
std::string unknown_outcome(const Derivation& derivation, const PrimFunc& after, uint64_t seed, bool* compared) {
  const PrimFunc& before = derivation.source();
  for (int k = 0; k < kInputs; ++k) {
    const std::vector<Tensor> inputs = inputs_of(before, seed + static_cast<uint64_t>(k) * 7919);
    const std::optional<Outcomes> want = outcomes(before, inputs, kMostBefore);
    if (!want || !counts(*want, before)) continue;
    const std::optional<Outcomes> got = outcomes(after, inputs, kMostAfter);
    if (!got) continue;
    *compared = true;
    std::string where;
    if (got->erroneous) where = "reaches an error";
    for (const auto& values : got->all) {
      if (where.empty() && !want->all.count(values)) where = "has an outcome that the first has not";
    }
    if (where.empty()) continue;
    std::string shown;
    for (uint64_t bits : values_of(inputs, false)) shown += fmt::format(" {}", std::bit_cast<double>(bits));
    return fmt::format("the second program {} on{} ({} outcomes before, {} after)", where, shown, want->all.size(),
                       got->all.size());
  }
  return "";
}

std::string told(const std::string& what, const PrimFunc& before, const PrimFunc& after, const std::string& steps) {
  return what + "\n" + print(before) + "\n" + steps + print(after);
}

}  // namespace

GrantedProbe probe_granted(uint64_t seed, Prover& prover) {
  GrantedProbe out;
  std::vector<uint32_t> numbers;
  uint64_t random = seed;
  for (int k = 0; k < 160; ++k) numbers.push_back(static_cast<uint32_t>(next_random(random) >> 16));
  Choices choices(numbers);
  const PrimFunc before = random_granted_program(choices);
  Derivation derivation(before);
  if (choices.chance(50)) {
    PrimFunc after = with_another_form(before, choices);
    if (choices.chance(30)) after = with_another_form(after, choices);
    if (choices.chance(20)) {
      if (std::optional<Mutant> mutant = some_mutant(before, next_random(random))) after = mutant->program;
    }
    // What `equiv` reads is what is printed.
    EquivReport report = equiv(pair_programs(before, after), prover, {.effort = EquivEffort::Bounded});
    out.proved = report.finding == Finding::Proved;
    if (!out.proved) return out;
    const std::string wrong = unknown_outcome(derivation, after, seed, &out.compared);
    if (!wrong.empty()) out.finding = told("equiv proved (" + report.method + "), but " + wrong, before, after, "");
    return out;
  }
  RandomSteps next(choices);
  std::string steps;
  while (std::optional<StepRequest> step = next(derivation.current())) {
    if (step->rule == "pass" || step->rule == "primitive") continue;
    try {
      derivation.apply(step->rule, to_args(step->args), prover);
      ++out.accepted;
      steps += "# " + step->rule + " " + step->args.dump() + "\n";
    } catch (const Refused&) {
    } catch (const NotApplicable&) {
    }
  }
  if (out.accepted == 0 || !derivation.interface().empty()) return out;
  const std::string wrong = unknown_outcome(derivation, derivation.current(), seed, &out.compared);
  if (!wrong.empty()) out.finding = told("after steps " + wrong, before, derivation.current(), steps);
  return out;
}

}  // namespace hexproof
