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

/// `refuted`: they reach an error, or differ, so that no proof of it is right. `fault`: the planted fault
/// (ir/base/mutants.def) with which they are proved nevertheless; or empty.
struct CheckedSeed {
  PrimFunc program;
  bool refuted = false;
  std::string fault = {};
  std::vector<int64_t> scalars = {};  // with which it reaches the error; empty: with random ones
};
struct ComparedSeed {
  PrimFunc before, after;
  bool refuted = false;
  std::string fault = {};
};
/// A module whose functions call each other; `refuted`: its entry reaches an error, or a callee's assume is false.
struct ModuleSeed {
  IRModule module;
  std::string entry;
  bool refuted = false;
  std::string fault = {};
};
/// A step that makes another program of it, with the fault that lets it through.
struct WrongStep {
  FuzzCase fuzz_case;  // of one step
  std::string fault;
};
/// fuzz/seeds/questions/, and what is asked of `check` and `equiv` in tests/found.
struct ProgramSeeds {
  std::vector<CheckedSeed> checked;
  std::vector<ComparedSeed> compared;
  std::vector<WrongStep> wrong_steps;
  std::vector<ModuleSeed> modules;
};
const ProgramSeeds& program_seeds();
/// Adds what the text asks: programs and modules that reach an error, pairs that differ and steps that are wrong, each
/// behind a line that says so, with its fault. Error when it is none, with `path`.
void parse_questions(const std::string& text, const std::string& path, ProgramSeeds* out);

}  // namespace hexproof
