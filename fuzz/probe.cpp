#include "fuzz/probe.h"

#include "fuzz/mutate.h"
#include "fuzz/program.h"
#include "ir/text.h"
#include "rewrite/interface.h"
#include "verify/assert_static.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

namespace {

constexpr size_t kMutants = 3;
constexpr uint64_t kInputs = 4;
constexpr uint64_t kMaxSteps = 200'000;
constexpr uint64_t kMaxTerms = 200'000;

/// Where the two differ on some inputs on which `before` reaches no error.
std::string difference(const PrimFunc& before, const PrimFunc& after, uint64_t seed) {
  std::vector<Buffer> buffers = before.buffer_params();
  for (uint64_t k = 0; k < kInputs; ++k) {
    std::vector<Tensor> want = random_inputs(before, seed + k, k % 2 ? Values::Ordinary : Values::EdgeHeavy);
    std::vector<Tensor> got = want;
    RunResult ran = run(before, want, {}, {.max_steps = kMaxSteps});
    if (ran.error || ran.out_of_steps) continue;
    ran = run(after, got, {}, {.max_steps = kMaxSteps});
    if (ran.out_of_steps) continue;
    if (ran.error) return "the second one reaches an error: " + ran.error->str();
    for (size_t b = 0; b < want.size(); ++b) {
      int64_t at = first_difference(want[b], got[b]);
      if (at >= 0) return "they differ at element " + std::to_string(at) + " of '" + buffers[b]->name + "'";
    }
  }
  return "";
}

std::string checked(const PrimFunc& program, uint64_t seed, Prover& prover) {
  std::string error;
  for (uint64_t k = 0; k < kInputs && error.empty(); ++k) {
    std::vector<Tensor> inputs = random_inputs(program, seed + k, k % 2 ? Values::Ordinary : Values::EdgeHeavy);
    AssertedRun ran = run_asserting({.func = program, .places = {}}, inputs, {}, {.run = {.max_steps = kMaxSteps}});
    if (ran.result.error && !ran.assume_is_false) error = ran.result.error->str();
  }
  if (error.empty() || check(program, prover).finding != Finding::Proved) return "";
  return "check proved the program free of errors, and it reaches one: " + error + "\n" + print(program);
}

Finding judged(const PrimFunc& before, const PrimFunc& after, uint64_t seed, Method method, Prover& prover) {
  return equiv(pair_programs(before, after), prover, {.method = method, .max_terms = kMaxTerms, .seed = seed}).finding;
}

std::string compared(const PrimFunc& before, const PrimFunc& after, uint64_t seed, Prover& prover) {
  std::string differs = difference(before, after, seed);
  if (differs.empty()) return "";
  for (Method method : {Method::Parametric, Method::Symbolic}) {
    if (judged(before, after, seed, method, prover) != Finding::Proved) continue;
    return "equiv proved two programs equal (" + std::string(method == Method::Parametric ? "parametric" : "symbolic") +
           "), and " + differs + "\n" + print(before) + "\n# and\n" + print(after);
  }
  return "";
}

}  // namespace

std::string probe(const PrimFunc& program, uint64_t seed, Prover& prover) {
  if (!program.scalars().empty()) return "";
  try {
    std::vector<Mutant> wrong = mutants(program);
    for (size_t k = 0; k < kMutants && !wrong.empty(); ++k) {
      const PrimFunc& mutant = wrong[next_random(seed) % wrong.size()].program;
      if (std::string found = checked(mutant, seed, prover); !found.empty()) return found;
      if (std::string found = compared(program, mutant, seed, prover); !found.empty()) return found;
    }
    if (judged(program, program, seed, Method::Auto, prover) == Finding::Refuted) {
      return "equiv refuted a program against itself\n" + print(program);
    }
  } catch (const Unsupported&) {
  } catch (const Error&) {
  }
  return "";
}

}  // namespace hexproof
