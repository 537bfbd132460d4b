#include "verify/equiv/satisfiable.h"

#include "ir/interpreter/inputs/random_inputs.h"
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

bool ends_well(const PrimFunc& func, RunArguments arguments) {
  return !run(func, arguments.buffers, arguments.scalars, {.max_steps = kSteps}).error;
}

/// Does an input at scalars that a solver finds for what is assumed of them reach no error? (Random ones satisfy no
/// equation such as n * 7 + k * 5 == -260027.)
bool a_solved_run_passes(const PrimFunc& func, Prover& prover) {
  constexpr int64_t kMostExtent = 64;
  std::vector<Expr> given;
  for (const Stmt& s : assumes_of_scalars(func)) given.push_back(s.as<Assume>()->condition);
  if (given.empty()) return false;
  for (const Buffer& b : func.buffer_params()) {
    for (const Expr& e : b->shape) {
      if (e->op == Op::Var) given.push_back(land(ge(e, imm(e->dtype, 0)), le(e, imm(e->dtype, kMostExtent))));
    }
  }
  const Answer answer = prover.contradictory(given, {.function = func.name, .statement = {}, .span = func.span});
  if (answer.verdict != Verdict::Refuted) return false;
  std::vector<int64_t> scalars;
  for (const Var& v : func.scalars()) {
    int64_t value = 1;
    for (const auto& [var, is] : answer.model) value = var == v ? static_cast<int64_t>(is) : value;
    scalars.push_back(value);
  }
  for (const Values values : {Values::Ordinary, Values::EdgeHeavy}) {
    std::optional<RunArguments> arguments = random_arguments_at(func, scalars, 1, values);
    if (arguments && ends_well(func, *std::move(arguments))) return true;
  }
  return false;
}

/// Does a random input, made for the assumes, reach no error as far as it is followed?
bool a_run_passes(const PrimFunc& func) {
  for (uint64_t seed = 1; seed <= kRuns; ++seed) {
    try {
      const Values values = seed % 2 ? Values::Ordinary : Values::EdgeHeavy;
      if (ends_well(func, random_arguments(func, seed, values))) return true;
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

CheckReport unless_vacuous(CheckReport report, const PrimFunc& func, Prover& prover) {
  if (report.finding != Finding::Proved || !has_assume(func)) return report;
  if (a_run_passes(func) || a_solved_run_passes(func, prover)) return report;
  const ProgramPair itself = pair_programs(func, func);
  const std::optional<std::string> never = never_passes(itself);
  if (!never) return report;
  report.finding = is_concrete(itself) ? Finding::Vacuous : Finding::Undecided;
  report.reason = "no input was found that satisfies what the program assumes: " + *never;
  return report;
}

}  // namespace

CheckReport check_program(const PrimFunc& func, Prover& prover) {
  return unless_vacuous(check(func, prover), func, prover);
}

CheckReport check_program(const Linked& linked, Prover& prover) {
  return unless_vacuous(check(linked, prover), linked.func, prover);
}

}  // namespace hexproof
