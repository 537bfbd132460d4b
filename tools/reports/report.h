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
  bool tell_cache = false;  // say what the proof cache answered
  std::vector<Given> inputs = {};
};
/// From here on this run owes a report.
void open_report(ReportRequest request);
/// The places of the report are of the naive program of this script, which is no file.
void report_of_script(const std::string& path, const std::string& naive, const std::vector<std::pair<int, int>>& lines);
/// What the report holds besides its head; its verdict is what the exit code stands for, unless `body` has one of its
/// own. It is written when the run ends: what is said or written until then may fail, too.
void write_report(const Json& body, int exit_code);
/// What is known when a part of the work is done, with the exit code that it wants: should a failure end the run, this
/// stands in its report.
void keep_report(const Json& parts, int exit_code);
/// The run ends, and the report is written: with the failure, if there is one. What cannot be written keeps nothing
/// else from being written. Returns the exit code, which the report has, too: another one where everything was fine but
/// that standard output or the report could not be written.
int close_report(int exit_code, const api::Failure* failure);
/// A failure of a part, after which the run goes on to its end: its text and its code are printed, and it stands in the
/// body of the report.
void report_failure(const api::Failure& failure, Json* body);
/// A failure ends the run: its text and its code are printed, and it stands in the report. Returns the exit code.
int end_by(const api::Failure& failure);
/// The last thing: an exit code of 0 is another one where standard output cannot be written. (Help is printed outside
/// of any run.)
int close_output(int exit_code);

/// "proved", "refuted", ..., "error" for bad input, "internal-error".
const char* verdict_word(int exit_code);

}  // namespace hexproof::tools
