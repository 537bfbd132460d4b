// The questions of fuzz/seeds/questions: what they say is wrong is wrong in runs, and nobody proves it.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/granted/granted.h"
#include "fuzz/hunt/hunt_seeds.h"
#include "fuzz/hunt/quick_look.h"
#include "fuzz/hunt/redundant_faults.h"
#include "fuzz/seeds/seeds.h"
#include "fuzz/seeds/texts.h"
#include "ir/interpreter/inputs/random_inputs.h"
#include "ir/text/text.h"
#include "verify/check/module.h"

namespace hexproof {
namespace questions_test {

constexpr uint64_t kInputs = 200, kChoices = 32, kWays = 4096;

/// Those of fuzz/seeds/questions alone.
const ProgramSeeds& questions() {
  static const ProgramSeeds all = [] {
    ProgramSeeds out;
    for (const SeedText& file : question_texts()) parse_questions(file.text, file.path, &out);
    return out;
  }();
  return all;
}

bool ends_with_an_error(const PrimFunc& func, RunArguments arguments) {
  const RunResult ran = run(func, arguments.buffers, arguments.scalars, {.max_steps = 100'000});
  return ran.error && ran.error->kind != ErrorKind::FalseAssume;
}

bool reaches_an_error(const CheckedSeed& seed) {
  if (!seed.program.granted_flags().empty()) {  // in one of the ways in which it may go
    for (uint64_t k = 1; k < kInputs; ++k) {
      const std::optional<Outcomes> all = outcomes(seed.program, granted_inputs(seed.program, k), kWays);
      if (all && all->erroneous) return true;
    }
    return false;
  }
  if (!seed.scalars.empty()) {
    const std::optional<RunArguments> arguments = random_arguments_at(seed.program, seed.scalars, 1);
    return arguments && ends_with_an_error(seed.program, *arguments);
  }
  for (uint64_t k = 1; k < kInputs; ++k) {
    if (ends_with_an_error(seed.program, random_arguments(seed.program, k))) return true;
  }
  return false;
}

/// What a run leaves; nothing where it ends with an error.
std::optional<std::vector<Tensor>> left_by(const PrimFunc& func, const RunArguments& arguments, uint64_t choice) {
  std::vector<Tensor> tensors = arguments.buffers;
  const RunResult ran = run(func, tensors, arguments.scalars, {.undef_seed = choice, .max_steps = 100'000});
  return ran.error || ran.out_of_steps ? std::nullopt : std::optional(tensors);
}

/// Does `after` leave in some cell what no run of `before` leaves there, whatever undefs are chosen to be? Or end with
/// an error where `before` does not.
bool differ(const PrimFunc& before, const PrimFunc& after) {
  for (uint64_t k = 1; k < kInputs; ++k) {
    if (!before.granted_flags().empty()) {
      const std::vector<Tensor> inputs = granted_inputs(before, k);
      const std::optional<Outcomes> allowed = allowed_outcomes(before, inputs);
      if (allowed && !forbidden_outcome(*allowed, after, inputs).empty()) return true;
      continue;
    }
    const RunArguments arguments = random_arguments(before, k, k % 2 ? Values::Ordinary : Values::EdgeHeavy);
    std::vector<std::vector<Tensor>> all;
    for (uint64_t choice = 0; choice < kChoices; ++choice) {
      if (std::optional<std::vector<Tensor>> one = left_by(before, arguments, choice)) all.push_back(std::move(*one));
    }
    if (all.size() < kChoices) continue;
    const std::optional<std::vector<Tensor>> got = left_by(after, arguments, kChoices);
    if (!got) return true;
    for (size_t b = 0; b < got->size(); ++b) {
      const size_t bytes = static_cast<size_t>((*got)[b].dtype.bytes());
      for (size_t at = 0; at < (*got)[b].data.size(); at += bytes) {
        auto cell = [&](const Tensor& t) { return std::string(t.data.begin() + at, t.data.begin() + at + bytes); };
        bool left = false;
        for (const std::vector<Tensor>& one : all) left |= cell(one[b]) == cell((*got)[b]);
        if (!left) return true;
      }
    }
  }
  return false;
}

TEST(Questions, AreAboutWhatGoesWrong) {
  for (const CheckedSeed& seed : questions().checked) EXPECT_TRUE(reaches_an_error(seed)) << print(seed.program);
  for (const ModuleSeed& seed : questions().modules) {
    Prover prover({.cache_path = "", .jobs = 1});
    const PrimFunc program = as_program(link(seed.module, seed.entry, prover));
    EXPECT_TRUE(reaches_an_error({program, true})) << print(seed.module);
  }
  for (const ComparedSeed& seed : questions().compared) {
    EXPECT_TRUE(differ(seed.before, seed.after)) << print(seed.before) << print(seed.after);
  }
  for (const WrongStep& seed : questions().wrong_steps) {
    const PrimFunc& program = seed.fuzz_case.program;
    const std::optional<Rewrite> rewrite = unproved(program, seed.fuzz_case.steps.at(0));
    if (!rewrite) continue;  // the fault is in what the rule asks before it makes anything
    EXPECT_TRUE(differ(program, rewrite->after)) << to_text(seed.fuzz_case);
  }
}

TEST(Questions, AreNotProved) {
  Prover prover({.cache_path = "", .rlimit = 100'000, .jobs = 1});
  // Those of tests/found stand behind them.
  const ProgramSeeds &own = questions(), &all = program_seeds();
  auto ask = [&](size_t first, size_t count) {
    for (size_t number = first; number < first + count; ++number) EXPECT_EQ(probe_seed(number, prover), "");
  };
  ask(0, own.wrong_steps.size() + own.checked.size());
  ask(all.wrong_steps.size() + all.checked.size(), own.compared.size());
  ask(all.wrong_steps.size() + all.checked.size() + all.compared.size(), all.modules.size());
}

TEST(Questions, NameFaultsOfTheTable) {
  std::set<std::string> table, named;
#define MUTANT(name, breaks) table.insert(name);
#include "ir/base/mutants.def"
#undef MUTANT
  for (const CheckedSeed& seed : questions().checked) named.insert(seed.fault);
  for (const ComparedSeed& seed : questions().compared) named.insert(seed.fault);
  for (const WrongStep& seed : questions().wrong_steps) named.insert(seed.fault);
  for (const ModuleSeed& seed : questions().modules) named.insert(seed.fault);
  for (const std::string& fault : named) {
    EXPECT_TRUE(table.count(fault)) << fault;
    EXPECT_EQ(why_redundant(fault), "") << fault;
  }
}

TEST(Questions, ThatAreNoneAreErrors) {
  ProgramSeeds out;
  const std::string start = "# hexproof fuzz question 1\n",
                    func = "def f(A: T.Buffer((1,), \"int32\")):\n    A[0] = 1\n";
  EXPECT_THROW(parse_questions(start + "def f(:\n", "none", &out), Error);
  EXPECT_THROW(parse_questions(start + "# step: split\n" + func, "none", &out), Error);
  parse_questions(start + func, "one", &out);
  EXPECT_EQ(out.checked.size(), 1u);
}

}  // namespace questions_test
}  // namespace hexproof
