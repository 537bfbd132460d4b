// What `apply` and `certify` say when the second line disagrees.
#pragma once
#include "hexproof/schedule.h"
#include "tools/command.h"
#include "verify/equiv/validate.h"

namespace hexproof::tools {

/// --trust-rules: the second line is left out.
void add_trust_rules(CLI::App& command, bool& trust_rules);

/// Says that the second line disagrees, and writes a report with all that it takes to see it again to standard error
/// and, when asked for, to the JSON. Returns the exit code.
int rejected(const Common& common, const std::string& command, const api::Disagreement& disagreement,
             const Validation& validation);

}  // namespace hexproof::tools
