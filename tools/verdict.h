// Findings as exit codes and lines.
#pragma once
#include <nlohmann/json.hpp>

#include "rewrite/report/report.h"
#include "tools/command.h"
#include "verify/check/check.h"

namespace hexproof::tools {

int exit_code(Finding finding);
/// Of two exit codes of verdicts, the one that a person must look at first.
int worse(int a, int b);
/// One line with the finding and counts, then the counterexample or the reason.
void say_check(const Common& common, const std::string& name, const CheckReport& report);
/// The head of every JSON report: schema, command, versions of tools and solvers.
Json report_header(const std::string& command);

}  // namespace hexproof::tools
