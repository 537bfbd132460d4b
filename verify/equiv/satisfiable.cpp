#include "verify/equiv/satisfiable.h"

#include "ir/evaluation.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/visit.h"
#include "verify/check/finding_text.h"
#include "verify/check/items/assumes_hold.h"
#include "verify/check/items/clashing.h"
#include "verify/equiv/cross_check.h"
#include "verify/equiv/equiv.h"
#include "verify/equiv/sizes.h"
#include "verify/facts/facts.h"
#include "verify/prove/model_value.h"

namespace hexproof {
namespace {

constexpr uint64_t kRuns = 24, kCells = 4'000'000, kSteps = 500'000, kStepsOfAssumes = 20'000'000;

bool has_assume(const PrimFunc& func) { return !assumes_of(func).empty(); }

/// A program that was proved free of all other errors, and its assumes alone, where they read what it is given: these
/// are run where the whole takes too long.
struct Assuming {
  const PrimFunc& func;
  std::optional<PrimFunc> alone;
};

bool ends_well(const Assuming& program, const RunArguments& arguments) {
  auto passes = [&](const PrimFunc& func, uint64_t steps) {
    RunArguments at = arguments;
    const RunResult result = run(func, at.buffers, at.scalars, {.max_steps = steps});
    return result.error ? std::optional(false) : result.out_of_steps ? std::nullopt : std::optional(true);
  };
  std::optional<bool> whole = passes(program.func, kSteps);
  if (!whole && program.alone) whole = passes(*program.alone, kStepsOfAssumes);
  return whole.value_or(false);
}

/// Scalars that a solver finds for what is given of them, each that it leaves open 1. Nothing where it finds none.
std::optional<std::map<Var, Scalar>> solved(const PrimFunc& func, const std::vector<Expr>& given, Prover& prover) {
  const Answer answer = prover.contradictory(given, {.function = func.name, .statement = {}, .span = func.span});
  if (answer.verdict != Verdict::Refuted) return std::nullopt;
  std::map<Var, Scalar> out;
  for (const Var& v : func.scalars()) {
    out[v] = v.dtype().is_float() ? float_scalar(v.dtype(), 1) : int_scalar(v.dtype(), 1);
  }
  for (const auto& [var, value] : answer.model) {
    if (out.count(var)) out[var] = scalar_of_model(var.dtype(), value);
  }
  return out;
}

std::vector<Expr> assumed_of_scalars(const PrimFunc& func) {
  std::vector<Expr> out;
  for (const Stmt& s : assumes_of_scalars(func)) out.push_back(s.as<Assume>()->condition);
  return out;
}

/// Does an input at scalars that a solver finds for what is assumed of them reach no error? (Random ones satisfy no
/// equation such as n * 7 + k * 5 == -260027.)
bool a_solved_run_passes(const Assuming& program, Prover& prover, int64_t most_extent) {
  const PrimFunc& func = program.func;
  std::vector<Expr> given = assumed_of_scalars(func);
  if (given.empty()) return false;
  for (const Buffer& b : func.buffer_params()) {
    for (const Expr& e : b->shape) {
      if (e->op == Op::Var) given.push_back(land(ge(e, imm(e->dtype, 0)), le(e, imm(e->dtype, most_extent))));
    }
  }
  const auto values = solved(func, given, prover);
  if (!values) return false;
  std::vector<int64_t> scalars;
  for (const Var& v : func.scalars()) scalars.push_back(values->at(v).i());
  for (const Values kind : {Values::Ordinary, Values::EdgeHeavy}) {
    try {
      std::optional<RunArguments> arguments = random_arguments_at(func, scalars, 1, kind);
      if (arguments && ends_well(program, *arguments)) return true;
    } catch (const std::runtime_error&) {
      continue;  // no such input, or no such run
    }
  }
  return false;
}

/// Do some scalars satisfy all that is assumed, with compact arguments that exist there? Nothing is run, so these may
/// be larger than what runs.
bool scalars_satisfy_all(const PrimFunc& func, Prover& prover) {
  std::vector<Expr> given = assumed_of_scalars(func);
  if (given.size() != assumes_of(func).size()) return false;
  const size_t assumed = given.size();
  for (const Buffer& b : func.buffer_params()) {
    if (!b->strides.empty() || b->elem_offset) return false;
  }
  for (const Expr& e : entry_facts(func).conditions) given.push_back(e);
  const auto values = solved(func, given, prover);
  if (!values) return false;
  try {
    for (size_t k = 0; k < assumed; ++k) {
      if (evaluate(decided_in_order(given[k]), *values).bits == 0) return false;
    }
    for (const Buffer& b : func.buffer_params()) {
      Wide bytes = Wide{b->dtype.bytes()} * b->dtype.lanes;
      for (const Expr& e : b->shape) {
        const Wide extent = wide_value(evaluate(e, *values));
        if (extent < 0 || (bytes *= extent) > kMaxBufferBytes) return false;
      }
    }
  } catch (const Fault&) {
    return false;
  }
  return true;
}

uint64_t cells(const RunArguments& arguments) {
  uint64_t out = 0;
  for (const Tensor& t : arguments.buffers) out += static_cast<uint64_t>(t.size());
  return out;
}

/// Does a random input, made for the assumes, reach no error? (Few are tried where they are large.)
bool a_run_passes(const Assuming& program) {
  uint64_t made = 0;
  for (uint64_t seed = 1; seed <= kRuns && made < kCells; ++seed) {
    try {
      const Values values = seed % 2 ? Values::Ordinary : Values::EdgeHeavy;
      const RunArguments arguments = random_arguments(program.func, seed, values);
      if (ends_well(program, arguments)) return true;
      made += cells(arguments);
    } catch (const Unsupported&) {
      return false;  // no such sizes, or no such run
    } catch (const Error&) {
      continue;  // what was chosen is no input, as strides with which an argument is larger than all memory
    }
  }
  return false;
}

/// What the symbolic method says of inputs that satisfy the assumes, at each of the small sizes that are looked at.
struct Looked {
  bool one_passes = false;   // at one of them it found none that is an error
  bool none_passes = false;  // at each of them every input is one
  std::string says;
};

Looked look_for_input(const ProgramPair& itself) {
  const ReachingSizes look = reaching_sizes(itself, kSecondSteps, satisfy_assumes);
  if (look.too_long) return {.says = "a run is too long to look at all inputs"};
  Looked out{.none_passes = !look.sizes.empty(), .says = {}};
  for (const Instance& at : look.sizes) {
    for (const Evidence& e : second_opinion(itself, at, false, {.effort = EquivEffort::Bounded})) {
      out.one_passes |= e.finding == Finding::Proved;
      out.none_passes &= e.finding == Finding::Vacuous;
      out.says = e.says;
    }
  }
  return out;
}

/// The assumes of a function of which no input satisfies all, as the symbolic method sees it; `says` on every input
/// that one is false. Where the function without some of them is not free of errors, that no input passes shows
/// nothing.
Clash clash_seen(const Assuming& program, Prover& prover) {
  const PrimFunc& func = program.alone ? *program.alone : program.func;
  return least_clash(func, assumes_of(func), {}, [&](const PrimFunc& less) {
    const Finding free = check(less, prover).finding;
    return (free == Finding::Proved || free == Finding::Vacuous) &&
           look_for_input(pair_programs(less, less)).none_passes;
  });
}

void tell_clash(CheckReport* report, const std::string& what, const Clash& clash) {
  report->clashing = clash.assumes;
  report->reason = what;
  if (clash.assumes.empty()) return;
  report->reason = render(clash.assumes.back().span, std::string(to_text(report->finding)), what) + clash.str();
}

CheckReport unless_vacuous(CheckReport report, const PrimFunc& func, Prover& prover) {
  if (report.finding != Finding::Proved || !has_assume(func)) return report;
  const Assuming program{func, assumes_before(func, {})};
  if (a_run_passes(program) || a_solved_run_passes(program, prover, 64) || scalars_satisfy_all(func, prover) ||
      a_solved_run_passes(program, prover, 65'536)) {
    return report;
  }
  if (const std::optional<Clash> clash = contradiction(func, prover)) {
    report.finding = Finding::Vacuous;
    report.always_clashing = true;
    tell_clash(&report, "no input satisfies what is assumed here and in other iterations and branches", *clash);
    return report;
  }
  Looked looked;
  bool concrete = false;
  try {
    const ProgramPair itself = pair_programs(func, func);
    looked = look_for_input(itself);
    concrete = is_concrete(itself);
  } catch (const std::runtime_error&) {
    looked = {.says = "its arguments are too large for that, or of a kind that is not looked at"};
  }
  if (looked.one_passes) return report;
  report.reason = "no input was found that satisfies what the program assumes: " + looked.says;
  if (looked.none_passes && concrete) {
    report.finding = Finding::Vacuous;
    report.always_clashing = true;
    tell_clash(&report, report.reason, clash_seen(program, prover));
  } else if (looked.none_passes) {
    report.finding = Finding::Undecided;
    report.reason =
        "no input was found that satisfies what the program assumes: at the small sizes that were looked "
        "at, every input is an error";
  }
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
