// From a file and a schedule to a proved derivation: what `apply` and `certify` share.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "rewrite/kernel.h"
#include "tools/command.h"
#include "verify/check.h"

namespace hexproof::tools {

struct Transformed {
  std::string source_text, schedule_text;
  Derivation derivation;
  CheckReport source_check;
};

/// Checks the program, then runs the schedule (none when the path is empty). A program that is not proved
/// free of errors is not transformed: the finding is said and the exit code set, and there is no result.
std::optional<Transformed> transform(const Common& common, const std::string& file, const std::string& schedule,
                                     const std::string& function, Prover& prover, int* code);

}  // namespace hexproof::tools
