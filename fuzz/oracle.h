// What must hold of a case: whatever the kernel accepts gives the same result, bit for bit, in the interpreter
// and on the host, or under granted flags nothing but what they allow; and everything static that is said of the
// programs on the way is true while they run.
#pragma once
#include <functional>
#include <optional>

#include "backend/host.h"
#include "fuzz/case.h"
#include "fuzz/granted/outcomes.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/interpreter/interpreter.h"

namespace hexproof {

enum class Outcome : uint8_t {
  Sound,      // at least one step accepted, and everything agrees
  NoStep,     // no step was accepted; the program itself agrees between interpreter and host
  Erroneous,  // the program reaches an error on these inputs: nothing is owed
  Unsound,    // a disagreement, a static statement that is false, or a rule that failed in a way that no rule may
};

/// A case on its way through the oracle: the interpreter's part is done first, then the host's, compiled in a
/// batch with others.
struct Trial {
  FuzzCase fuzz_case;
  Outcome outcome = Outcome::Sound;
  std::string finding = {};  // Unsound: what disagrees
  std::vector<StepRequest> accepted = {};
  std::vector<std::string> applied = {};  // the rules that they applied
  size_t refused = 0, not_applicable = 0;
  std::vector<StepRequest> refused_steps = {};
  std::optional<PrimFunc> after = {};
  std::vector<InterfaceChange> interface = {};  // from the program to `after`
  std::vector<int64_t> scalars = {};
  std::vector<Tensor> packed_inputs = {}, expected = {};  // in the layout of `after`
  /// Of a program under granted flags: all that it may compute, instead of what is expected.
  std::optional<Outcomes> allowed = {};
  std::optional<size_t> host_index = {};  // missing: there is no native code for it
};

/// How far the oracle looks.
struct OracleOptions {
  /// One case in so many runs with everything static asserted on the way (verify/check/assert_static/assert_static.h):
  /// the program, with what `check` proves of it, and each program of the derivation, with what the step from it
  /// proved. 0: none.
  uint32_t inside = 8;
  uint64_t evaluations = 60'000;  // of formulas in one such run
  /// Resource units that all proofs of one step may use together (verify/prove/effort.h); past them it is refused.
  /// 0: no bound.
  uint64_t units = 0;
  bool deep = true;  // proofs ask all stages of the portfolio, not the cheap ones alone
};

/// What the inputs of a case are like. At the edges of floats most sums are infinite or no number: one seed in four has
/// ordinary values, which show where they round.
Values values_of_seed(uint64_t input_seed);

/// The next step to try on the program as it stands; nothing ends the schedule.
using StepSource = std::function<std::optional<StepRequest>(const PrimFunc& current)>;

/// Runs the program, applies the steps (those that the kernel refuses are left out), runs the result, compares.
/// The trial's case holds every step that was tried.
Trial try_in_interpreter(const PrimFunc& program, uint64_t input_seed, const StepSource& next, Prover& prover,
                         const OracleOptions& options = {});
/// Adds the result to the batch; after HostBatch::compile, `judge_on_host` compares.
void add_to_batch(Trial& trial, HostBatch& batch);
void judge_on_host(Trial& trial, HostBatch& batch);
/// All of it for one case.
Trial judge(const FuzzCase& fuzz_case, Prover& prover, const OracleOptions& options = {});
Trial judge(const PrimFunc& program, uint64_t input_seed, const StepSource& next, Prover& prover,
            const OracleOptions& options = {});

}  // namespace hexproof
