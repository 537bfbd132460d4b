#include "tools/reports/report.h"

#include <atomic>
#include <cstdio>

#include "ir/base/file.h"
#include "rewrite/report/counterexample.h"
#include "tools/api/detail.h"
#include "tools/api/version.h"
#include "tools/command.h"
#include "tools/reports/report_cases.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct Owed {
  ReportRequest request;
  std::atomic<bool> written{true};
};
Owed& owed() {
  static auto* the_one = new Owed;  // outlives every thread
  return *the_one;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Files with obligations are a certificate's: elsewhere there is none to name.
void without_files(Json& json) {
  if (json.is_object()) json.erase("smtlib");
  for (auto& part : json) {
    if (part.is_structured()) without_files(part);
  }
}

}  // namespace

const char* verdict_word(int exit_code) {
  switch (static_cast<Exit>(exit_code)) {
    case kProved:
      return "proved";
    case kUsage:
    case kBadInput:
      return "error";
    case kUndecided:
      return "undecided";
    case kInternal:
      return "internal-error";
    case kRefuted:
      return "refuted";
    case kVacuous:
      return "vacuous";
    case kRejected:
      return "rejected";
    case kUnsupported:
      return "unsupported";
    case kInterrupted:
      return "interrupted";
  }
  internal_error(__FILE__, __LINE__, "no such exit code");
}

void open_report(ReportRequest request) {
  const ReportRequest& r = owed().request = std::move(request);
  owed().written = r.json.empty() && r.junit.empty() && r.sarif.empty() && !r.annotate;
}

void write_report(const Json& body, int exit_code) {
  if (owed().written.exchange(true)) return;
  const ReportRequest& to = owed().request;
  Json report = {{"schema_version", kSchemaVersion},
                 {"command", to.command},
                 {"versions", version_json()},
                 {"inputs", Json::object()},
                 {"verdict", body.contains("verdict") ? "" : verdict_word(exit_code)},
                 {"exit_code", exit_code}};
  for (const Given& input : to.inputs) {
    if (!input.path.empty()) report["inputs"][input.option] = input.path;
  }
  report.update(body);
  if (!report.contains("files")) without_files(report);
  if (to.annotate) std::fputs(github_annotations(report_cases(report)).c_str(), stderr);
  if (!to.junit.empty()) write_file(to.junit, junit_text(report, report_cases(report)));
  if (!to.sarif.empty()) write_file(to.sarif, sarif_text(report, report_cases(report)));
  if (!to.json.empty()) {
    write_file(to.json, report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  }
}

int close_report(int exit_code, const api::Failure* failure) {
  try {
    Json body = Json::object();
    if (failure) {
      std::string text = failure->what();
      Json error = {{"code", failure->code}, {"message", first_line(text)}, {"text", text}};
      if (failure->line != 0) {
        error["file"] = failure->file;
        error["line"] = failure->line;
        error["column"] = failure->column;
      }
      if (failure->detail && failure->detail->refused) error["condition"] = to_json(*failure->detail->refused);
      body["error"] = error;
      if (failure->detail) {
        for (const Diagnosed& one : failure->detail->errors) {
          Json entry = {{"code", info(one.code).id}, {"message", first_line(one.text)}, {"text", one.text}};
          entry.update(place_json(one.span));
          body["errors"].push_back(entry);
        }
      }
    }
    write_report(body, exit_code);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return exit_code == kProved ? +kBadInput : exit_code;
  }
  return exit_code;
}

int end_by(const api::Failure& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  // (A list of errors has the code of each below it.)
  if (!failure.detail || failure.detail->errors.empty())
    std::fprintf(stderr, "%s\n", code_line(code_named(failure.code)->code).c_str());
  return close_report(exit_code(failure.kind), &failure);
}

}  // namespace hexproof::tools
