// A report as a list of cases, one per obligation, comparison or error, and that list as JUnit's XML, as SARIF and as
// annotations of a pull request. The report is the only source: what these say, it says.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rewrite/report/report.h"

namespace hexproof::tools {

/// A warning leaves the run what it is: green, where there is nothing else.
enum class CaseResult : uint8_t { Pass, Fail, Open, Warning };

struct ReportCase {
  std::string group;    // "main", "main, step 3 (split)"
  std::string rule;     // "check-bounds", "equiv", or the code of an error
  std::string name;     // one line: the sentence, and where
  std::string message;  // what was found, for people
  CaseResult result = CaseResult::Pass;
  std::string file = {};  // as the command line names it; empty: none
  int line = 0, column = 0;
};

/// In the order of the report; at least one.
std::vector<ReportCase> report_cases(const Json& report);

std::string junit_text(const Json& report, const std::vector<ReportCase>& cases);
/// SARIF 2.1.0: results of kind pass, fail and open; a warning is a fail of this level.
std::string sarif_text(const Json& report, const std::vector<ReportCase>& cases);
/// One workflow command of GitHub for each case that is not passed, what is wrong first; of errors and of warnings at
/// most as many as GitHub shows of one step.
std::string github_annotations(const std::vector<ReportCase>& cases);

}  // namespace hexproof::tools
