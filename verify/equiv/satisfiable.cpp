#include "verify/equiv/satisfiable.h"

#include "ir/interpreter/random_inputs.h"
#include "ir/visit.h"
#include "verify/equiv/cross_check.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/sizes.h"

namespace hexproof {
namespace {

constexpr uint64_t kRuns = 24, kSteps = 500'000;

bool has_assume(const PrimFunc& func) {
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    found |= s.as<Assume>() != nullptr;
    return !found;
  });
  return found;
}

/// Does a random input, made for the assumes, reach no error as far as it is followed?
bool a_run_passes(const PrimFunc& func) {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    try {
      RunArguments arguments = random_arguments(func, seed, seed % 2 ? Values::Ordinary : Values::EdgeHeavy);
      if (!run(func, arguments.buffers, arguments.scalars, {.max_steps = kSteps}).error) return true;
    } catch (const Unsupported&) {
      return false;  // no such sizes, or no such run
    }
  }
  return false;
}

/// Does the symbolic method show that each input is an error, at each of the small sizes that are looked at? Says why.
std::optional<std::string> never_passes(const ProgramPair& itself) {
  const ReachingSizes look = reaching_sizes(itself, kSecondSteps, satisfy_assumes);
  if (look.too_long) return {};
  std::optional<std::string> says;
  for (const Instance& at : look.sizes) {
    for (const Evidence& e : second_opinion(itself, at, false, {.effort = EquivEffort::Bounded})) {
      if (e.finding != Finding::Vacuous) return {};
      says = e.says;
    }
  }
  return says;
}

CheckReport unless_vacuous(CheckReport report, const PrimFunc& func) {
  if (report.finding != Finding::Proved || !has_assume(func) || a_run_passes(func)) return report;
  const ProgramPair itself = pair_programs(func, func);
  const std::optional<std::string> never = never_passes(itself);
  if (!never) return report;
  report.finding = is_concrete(itself) ? Finding::Vacuous : Finding::Undecided;
  report.reason = "no input was found that satisfies what the program assumes: " + *never;
  return report;
}

}  // namespace

CheckReport check_program(const PrimFunc& func, Prover& prover) { return unless_vacuous(check(func, prover), func); }

CheckReport check_program(const Linked& linked, Prover& prover) {
  return unless_vacuous(check(linked, prover), linked.func);
}

}  // namespace hexproof
