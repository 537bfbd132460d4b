// Seeds: small programs that are worth to begin with, and steps on them. Campaigns and hunts take them as they are, and
// nearly as they are.
#pragma once
#include <string>
#include <vector>

#include "fuzz/case.h"

namespace hexproof {

/// A program with one step on it, and what the kernel says of it.
struct StepSeed {
  FuzzCase fuzz_case;  // of one step; refused rightly, the inputs are such that what the rule makes goes wrong
  std::string
      refused;  // the planted fault without which it would not be (rewrite/kernel/mutant_needs.h); empty: it fires

  const StepRequest& step() const { return fuzz_case.steps.at(0); }
};

/// One after the other, each as a case (fuzz/case.h) that says in a comment what it is refused for; and back. Error
/// when one is none, with `path`.
std::string to_text(const StepSeed& seed);
std::vector<StepSeed> parse_step_seeds(const std::string& text, const std::string& path);

/// fuzz/seeds/steps/ and tests/rewrite/needs/, by file and in its order.
const std::vector<StepSeed>& step_seeds();
/// The numbers of those of a rule.
const std::vector<size_t>& step_seeds_of(const std::string& rule);

/// `refuted`: that they reach an error, or differ, is shown by a counterexample that the interpreter has replayed.
struct CheckedSeed {
  PrimFunc program;
  bool refuted = false;
};
struct ComparedSeed {
  PrimFunc before, after;
  bool refuted = false;
};
/// The programs of tests/found that are asked of `check`, and the pairs that are asked of `equiv`.
struct ProgramSeeds {
  std::vector<CheckedSeed> checked;
  std::vector<ComparedSeed> compared;
};
const ProgramSeeds& program_seeds();

}  // namespace hexproof
