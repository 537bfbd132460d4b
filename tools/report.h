// The JSON report of a run: written once, in every outcome (docs/reports.md).
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "hexproof/session.h"
#include "rewrite/report/report.h"

namespace hexproof::tools {

/// From here on this run owes a report to `path` (empty: none).
void open_report(const std::string& command, const std::string& path);
/// Writes it: the head, the verdict that the exit code stands for (unless `body` has one of its own), and `body`. Error
/// when it cannot be written. Does nothing when none is owed.
void write_report(const Json& body, int exit_code);
/// The run ends. Where no report was written yet: one with the failure, if there is one. Returns the exit code: another
/// one where everything was fine but the report.
int close_report(int exit_code, const api::Failure* failure);

/// "proved", "refuted", ..., "error" for bad input, "internal-error".
const char* verdict_word(int exit_code);

}  // namespace hexproof::tools
