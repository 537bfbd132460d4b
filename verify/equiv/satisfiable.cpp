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

/// What the symbolic method says of the program against itself: proved means that some input reaches no error.
Finding at_small_sizes(const PrimFunc& func, std::string* says) {
  const ProgramPair pair = pair_programs(func, func);
  const ReachingSizes look = reaching_sizes(pair, kSecondSteps, satisfy_assumes);
  if (look.too_long) return Finding::Undecided;
  bool never = is_concrete(pair) && !look.sizes.empty();
  for (const Instance& at : look.sizes) {
    for (const Evidence& e : second_opinion(pair, at, false, {.effort = EquivEffort::Bounded})) {
      if (e.finding == Finding::Proved) return Finding::Proved;
      never = never && e.finding == Finding::Vacuous;
      if (e.finding == Finding::Vacuous) *says = e.says;
    }
  }
  return never ? Finding::Vacuous : Finding::Undecided;
}

CheckReport with_witness(CheckReport report, const PrimFunc& func) {
  if (report.finding != Finding::Proved || !has_assume(func) || a_run_passes(func)) return report;
  std::string says;
  report.finding = at_small_sizes(func, &says);
  if (report.finding == Finding::Proved) return report;
  report.reason = "no input was found that satisfies what the program assumes" + (says.empty() ? "" : ": " + says);
  return report;
}

}  // namespace

CheckReport check_program(const PrimFunc& func, Prover& prover) { return with_witness(check(func, prover), func); }

CheckReport check_program(const Linked& linked, Prover& prover) {
  return with_witness(check(linked, prover), linked.func);
}

}  // namespace hexproof
