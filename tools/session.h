// From a file and a schedule to a proved derivation: what `apply` and `certify` share.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "rewrite/module/report.h"
#include "tools/command.h"
#include "verify/check/check.h"

namespace hexproof::tools {

struct Transformed {
  std::string source_text, schedule_text;
  Derivation derivation;
  CheckReport source_check;
};

struct TransformedModule {
  std::string source_text, schedule_text;
  ModuleDerivation module;
  std::vector<std::pair<std::string, CheckReport>> source_checks;
  std::vector<LinkedProof> linked;

  ModuleReport report() const { return {module, source_checks, linked}; }
};

/// `transform` for all functions of the file together: the schedule chooses among them, and may make new ones.
std::optional<TransformedModule> transform_module(const Common& common, const std::string& file,
                                                  const std::string& schedule, Prover& prover, int* code);

/// Checks the program, then runs the schedule (none when the path is empty). A program that is not proved
/// free of errors is not transformed: the finding is said and the exit code set, and there is no result.
std::optional<Transformed> transform(const Common& common, const std::string& file, const std::string& schedule,
                                     const std::string& function, Prover& prover, int* code);

}  // namespace hexproof::tools
