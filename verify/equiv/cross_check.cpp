#include "verify/equiv/cross_check.h"

#include <algorithm>

#include "verify/equiv/sizes.h"

namespace hexproof {
namespace {

/// Terms of a symbolic run; statements and cells of all runs on random inputs.
constexpr uint64_t kSecondTerms = 400'000, kSecondLook = 3'000'000;

}  // namespace

ProverOptions second_opinion_prover() { return {.cache_path = {}, .rlimit = 200'000, .jobs = 1}; }

std::vector<Evidence> second_opinion(const ProgramPair& pair, const Instance& at, bool too_long,
                                     const EquivOptions& options) {
  std::vector<Evidence> out;
  if (!too_long) {
    Prover quick(second_opinion_prover());
    out.push_back(equiv_symbolic(pair, at, quick, std::min(options.max_terms, kSecondTerms), EquivEffort::Bounded));
  }
  // Where the effort is bounded, runs on random inputs are made besides.
  if (options.effort == EquivEffort::Full && (too_long || out.back().finding == Finding::Undecided)) {
    out.push_back(equiv_tests(pair, at, {.seed = options.seed, .max_work = kSecondLook, .satisfy = options.satisfy}));
  }
  for (Evidence& e : out) {
    if (!at.before_scalars.empty()) e.notes.push_back("at " + sizes_text(pair, at));
  }
  return out;
}

namespace {

/// Keeps what a method found besides the proof; true when it refutes it.
bool contradicts(Evidence e, EquivReport* report) {
  e.notes.push_back("a cross-check of the proof above");
  std::optional<Counterexample> shown;
  if (e.finding == Finding::Refuted) {
    shown = confirmed(report->pair, e);
    if (!shown) {
      e.finding = Finding::Undecided;
      e.says += "; but the interpreter saw no difference on that input";
    }
  }
  if (shown) {
    report->contradicted = report->method;
    report->finding = Finding::Refuted;
    report->method = e.method;
    report->counterexample = std::move(shown);
  }
  report->evidence.push_back(std::move(e));
  return !report->contradicted.empty();
}

}  // namespace

void cross_check(EquivReport* report, const EquivOptions& options) {
  const ProgramPair& pair = report->pair;
  ReachingSizes look = reaching_sizes(pair, kSecondSteps, options.satisfy);
  if (look.too_long && is_concrete(pair)) look.sizes = {*instantiate(pair, {})};
  std::string vacuous;
  bool passes = false;  // may an input satisfy what is assumed?
  for (const Instance& at : look.sizes) {
    for (Evidence& e : second_opinion(pair, at, look.too_long, options)) {
      if (e.finding == Finding::Vacuous) vacuous = e.says;
      passes = passes || e.finding != Finding::Vacuous;
      if (contradicts(std::move(e), report)) return;
    }
  }
  // (Where nothing was looked at, nothing is said.)
  if (!passes && !vacuous.empty()) {
    report->finding = is_concrete(pair) ? Finding::Vacuous : Finding::Undecided;
    report->reason = vacuous;
    return;
  }
  if (is_concrete(pair) || options.effort == EquivEffort::Bounded) return;
  // Sizes and numbers at which something ends: small runs, and only where they end soon.
  auto [runs, at] = equiv_runs(pair, {.seed = options.seed, .max_work = kSecondLook, .satisfy = options.satisfy});
  if (!at.empty()) runs.notes.push_back("at " + at);
  contradicts(std::move(runs), report);
}

}  // namespace hexproof
