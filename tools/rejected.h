// What `apply` and `certify` say when the second line disagrees.
#pragma once
#include <nlohmann/json.hpp>

#include "tools/api/certificate/audit.h"
#include "tools/api/detail.h"
#include "tools/command.h"

namespace hexproof::tools {

/// --trust-rules: the second line is left out.
void add_trust_rules(CLI::App& command, bool& trust_rules);

/// Says that the second line disagrees, and writes a report with all that it takes to see it again to standard error
/// and, when asked for, to the JSON. Returns the exit code.
int rejected(const api::Disagreement& disagreement, const Validation& validation);

/// For the report of a program that is not proved: the checks of the program before and, where it came to that, of the
/// one after.
Json checks_json(const api::Transformed& transformed, const Validation* validation);

/// Prints what is wrong with the files of a folder; for the report.
Json told(const std::string& folder, const std::vector<api::AuditFinding>& findings);
/// Files of a folder that are not what they should be: prints and reports each; the exit code.
int rejected_files(const std::string& folder, const std::vector<api::AuditFinding>& findings);

}  // namespace hexproof::tools
