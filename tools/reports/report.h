// The JSON report of a run: written once, in every outcome (docs/reports.md).
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "hexproof/session.h"
#include "rewrite/report/report.h"
#include "tools/files.h"

namespace hexproof::tools {

/// What a run owes, and to which files (empty: none).
struct ReportRequest {
  std::string command, json, junit, sarif;
  bool annotate = false;
  std::vector<Given> inputs = {};
};
/// From here on this run owes a report.
void open_report(ReportRequest request);
/// Writes it: the head, the verdict that the exit code stands for (unless `body` has one of its own), and `body`. Error
/// when it cannot be written. Does nothing when none is owed.
void write_report(const Json& body, int exit_code);
/// The run ends. Where no report was written yet: one with the failure, if there is one. Returns the exit code: another
/// one where everything was fine but the report.
int close_report(int exit_code, const api::Failure* failure);

/// A failure ends the run: its text and its code are printed, and it stands in the report. Returns the exit code.
int end_by(const api::Failure& failure);

/// "proved", "refuted", ..., "error" for bad input, "internal-error".
const char* verdict_word(int exit_code);

}  // namespace hexproof::tools
