#include "fuzz/recipe.h"

#include "fuzz/constructs/constructs.h"
#include "fuzz/granted/granted.h"
#include "fuzz/programs/names.h"
#include "fuzz/programs/padded.h"
#include "fuzz/programs/program.h"
#include "fuzz/programs/tensor_case.h"
#include "fuzz/seeds/seed_case.h"
#include "fuzz/steps/pipeline.h"
#include "fuzz/steps/primitive_steps.h"
#include "fuzz/steps/steps.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {
namespace {

// What one case may cost. Most cases are cheap, and a few dear ones would take most of the time.
constexpr uint64_t kUnits = 120'000;                   // resource units of the proofs of one step
constexpr uint64_t kDeep = 8;                          // one case in so many asks all stages of the portfolio
constexpr uint64_t kEvaluations = 20'000;              // of formulas in a run with everything asserted
constexpr uint64_t kModules = 8;                       // one pipeline in so many becomes a module of several functions
constexpr uint64_t kPasses = 10, kPassesOfPadded = 3;  // one case in so many is tried with passes

/// A program with the construct, and mostly one in which the rule finds its shape.
void direct(int row, const std::string& step, Recipe* out, uint64_t* state) {
  out->kind = Recipe::Kind::Constructs;
  out->step = step;
  if (Coverage::rows()[static_cast<size_t>(row)] == "classic") out->kind = Recipe::Kind::Classic;
  if (Coverage::rows()[static_cast<size_t>(row)] == "padded") out->kind = Recipe::Kind::Padded;
  if (Coverage::rows()[static_cast<size_t>(row)] == "seeds") out->kind = Recipe::Kind::Seeds;
  if (out->kind != Recipe::Kind::Constructs) return;
  out->constructs = {row};
  std::vector<int> homes = habitat(step);
  if (next_random(*state) % 4 == 0 || homes.empty()) return;
  int home = homes[next_random(*state) % homes.size()];
  if (home != row) out->constructs.push_back(home);
}

}  // namespace

Recipe recipe_of(const CampaignOptions& o, uint64_t index) {
  uint64_t state = o.seed * 0x9e3779b97f4a7c15ull + index * 2 + 1;
  uint64_t percent = next_random(state) % 100;
  Recipe out;
  out.verdicts = o.verdicts > 0 && next_random(state) % o.verdicts == 0;
  out.oracle = {
      .inside = o.inside, .evaluations = kEvaluations, .units = kUnits, .deep = next_random(state) % kDeep == 0};
  // Passes cost the most: elsewhere they have a part in few of the cases.
  out.passes = next_random(state) % kPasses == 0;
  if (!o.cells.empty()) {
    auto [row, column] = o.cells[index % o.cells.size()];
    direct(row, step_names()[static_cast<size_t>(column)], &out, &state);
    return out;
  }
  if (percent < o.padded) {
    out.kind = Recipe::Kind::Padded;
    out.passes = next_random(state) % kPassesOfPadded == 0;
  } else if (percent < o.padded + o.constructs) {
    out.kind = Recipe::Kind::Constructs;
    if (next_random(state) % 2 == 0) return out;
    uint64_t rows = all_constructs().size(), columns = step_names().size();
    // Every cell in its turn, neighbours far apart (a prime that divides no table of this size).
    uint64_t cell = (index + o.seed * 7919) * 1'000'003 % (rows * columns);
    direct(static_cast<int>(cell % rows), step_names()[cell / rows], &out, &state);
    return out;
  } else if (percent < o.padded + o.constructs + o.granted) {
    out.kind = Recipe::Kind::Granted;
    out.passes = false;
    out.verdicts = o.verdicts > 0 && next_random(state) % 2 == 0;  // they are small
  } else if (percent < o.padded + o.constructs + o.granted + o.schedules) {
    out.kind = Recipe::Kind::Schedules;
    const std::vector<std::string>& names = o.primitives.empty() ? campaign_primitives() : o.primitives;
    out.step = names[(index + o.seed * 7919) % names.size()];
    out.oracle.units *= out.step == "pad_einsum" ? 10 * kPatience : kPatience;  // a dozen steps of layouts and branches
    out.oracle.deep = next_random(state) % 2 == 0;                              // a primitive is many steps
    const std::vector<std::string>& alone = module_primitives();
    out.module = std::count(alone.begin(), alone.end(), out.step) > 0 || next_random(state) % kModules == 0;
  } else if (percent < o.padded + o.constructs + o.granted + o.schedules + o.te) {
    out.kind = Recipe::Kind::Tensor;
    out.passes = out.verdicts = false;
    out.oracle.units = 0;  // one step is a whole schedule
    out.oracle.deep = true;
  } else if (percent < o.padded + o.constructs + o.granted + o.schedules + o.te + o.seeds) {
    out.kind = Recipe::Kind::Seeds;
    // The seeds of each rule in their turn: some have many.
    out.step = all_rules()[(index + o.seed * 7919) % all_rules().size()]->name;
  }
  return out;
}

namespace {

Source made_of(const Recipe& recipe, Choices& choices) {
  switch (recipe.kind) {
    case Recipe::Kind::Padded:
      return {random_padded_program(choices), {Coverage::row("padded")}};
    case Recipe::Kind::Granted:
      return {random_granted_program(choices), {}};
    case Recipe::Kind::Schedules:
      return {random_pipeline(choices, recipe.step), {}};
    case Recipe::Kind::Tensor:
      return {random_tensor_case(choices).script.naive.func, {}};
    case Recipe::Kind::Constructs: {
      ConstructedProgram made = random_constructed_program(choices, recipe.constructs);
      return {made.func, made.constructs};
    }
    case Recipe::Kind::Seeds: {
      const StepSeed seed = random_seed_case(choices, recipe.step);
      return {seed.fuzz_case.program, {Coverage::row("seeds")}, seed.step()};
    }
    case Recipe::Kind::Classic:
      break;
  }
  return {random_program(choices), {Coverage::row("classic")}};
}

}  // namespace

Source program_of(const Recipe& recipe, Choices& choices) {
  Source out = made_of(recipe, choices);
  // Steps of seeds, and schedules of tensor expressions, name what they work on.
  if (recipe.kind != Recipe::Kind::Seeds && recipe.kind != Recipe::Kind::Tensor) {
    out.func = under_other_names(out.func, choices);
  }
  return out;
}

}  // namespace hexproof
