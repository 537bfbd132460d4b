#include "tools/reports/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>

#include "ir/base/file.h"
#include "ir/base/utf8.h"
#include "rewrite/report/counterexample.h"
#include "tools/api/detail.h"
#include "tools/api/version.h"
#include "tools/colour.h"
#include "tools/command.h"
#include "tools/files.h"
#include "tools/progress.h"
#include "tools/reports/report_cases.h"
#include "tools/verdict.h"
#include "verify/prove/effort.h"
#include "verify/prove/solvers/cache/cache.h"

namespace hexproof::tools {
namespace {

struct Owed {
  ReportRequest request;
  bool begun = false, closed = false;
  Json script, body = Json::object();
  int exit_code = kProved;      // that goes with the body
  Json parts = Json::object();  // what of the body is known, should the run end here
  int parts_code = kProved;
  std::recursive_mutex ending;  // of who ends the run; also around what is kept until then
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

/// Of several failures the first is the `error`, and all of them are the `errors`.
void add_failure(const api::Failure& failure, Json* body) {
  const std::string text = failure.what();
  Json error = {{"code", failure.code}, {"message", first_line(text)}, {"text", text}};
  if (failure.line != 0) {
    error["file"] = failure.file;
    error["line"] = failure.line;
    error["column"] = failure.column;
  }
  if (body->contains("error")) {
    if (!body->contains("errors")) (*body)["errors"] = Json::array({body->at("error")});
    (*body)["errors"].push_back(error);
    return;
  }
  if (failure.detail && failure.detail->refused) error["condition"] = to_json(*failure.detail->refused);
  (*body)["error"] = error;
  if (!failure.detail) return;
  for (const Diagnosed& one : failure.detail->errors) {
    Json entry = {{"code", info(one.code).id}, {"message", first_line(one.text)}, {"text", one.text}};
    entry.update(place_json(one.span));
    (*body)["errors"].push_back(entry);
  }
}

Json whole_report(const ReportRequest& to, const Json& script, const Json& body, int exit_code) {
  Json report = {{"schema_version", kSchemaVersion},
                 {"command", to.command},
                 {"versions", version_json()},
                 {"inputs", Json::object()},
                 {"verdict", body.contains("verdict") ? "" : verdict_word(exit_code)},
                 {"exit_code", exit_code}};
  for (const Given& input : to.inputs) {
    if (!input.path.empty()) report["inputs"][input.option] = input.path;
  }
  if (!script.is_null()) report["script"] = script;
  report.update(body);
  if (!report.contains("files")) without_files(report);
  return report;
}

struct Output {
  std::string path;
  std::string (*text)(const Json& report);

  /// May it be written a second time? A pipe may not: its reader is gone.
  bool rewritable() const {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    return path != "-" && (std::filesystem::is_regular_file(status) || !std::filesystem::exists(status));
  }
};

/// Those that can be written again first; of these, JSON last.
std::vector<Output> outputs_of(const ReportRequest& to) {
  std::vector<Output> out;
  for (const Output& one :
       {Output{to.junit, [](const Json& report) { return junit_text(report, report_cases(report)); }},
        Output{to.sarif, [](const Json& report) { return sarif_text(report, report_cases(report)); }},
        Output{to.json,
               [](const Json& report) { return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }}}) {
    if (!one.path.empty()) out.push_back(one);
  }
  std::stable_partition(out.begin(), out.end(), [](const Output& one) { return one.rewritable(); });
  return out;
}

/// On standard error, as what is told of the work: a report of unchanged inputs has the same bytes every time.
void tell_cache() {
  const Cache::Use use = Cache::use();
  if (use.asked == 0) return;
  std::fprintf(stderr, "proof cache: %zu of %zu questions were answered before (%.0f %%)\n", use.found, use.asked,
               std::floor(100.0 * static_cast<double>(use.found) / static_cast<double>(use.asked)));
}

void tell(const api::Failure& failure) {
  clear_progress();
  std::fprintf(stderr, "%s\n", coloured(stderr, exit_code(failure.kind), visible(failure.what())).c_str());
  // (A list of errors has the code of each below it.)
  if (!failure.detail || failure.detail->errors.empty())
    std::fprintf(stderr, "%s\n", code_line(code_named(failure.code)->code).c_str());
}

/// What was said to people has arrived, or this is why not.
std::optional<api::Failure> output_failure() {
  std::fflush(stdout);
  if (!std::ferror(stdout)) return std::nullopt;
  return api::Failure(api::Failure::Kind::Input, Code::CannotWrite, "error: cannot write to standard output");
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
  owed().request = std::move(request);
  owed().begun = true;
}

void report_of_script(const std::string& path, const std::string& naive,
                      const std::vector<std::pair<int, int>>& lines) {
  std::lock_guard lock(owed().ending);
  owed().script = {{"file", path}, {"naive_program", naive}, {"lines", Json::array()}};
  for (const auto& [to, line] : lines) owed().script["lines"].push_back(Json::array({to, line}));
}

void write_report(const Json& body, int exit_code) {
  std::lock_guard lock(owed().ending);
  owed().body = body;
  owed().exit_code = exit_code;
}

void keep_report(const Json& parts, int exit_code) {
  std::lock_guard lock(owed().ending);
  owed().parts = parts;
  owed().parts_code = exit_code;
}

int close_report(int exit_code, const api::Failure* failure) {
  if (!owed().begun) return exit_code;
  owed().ending.lock();  // never given back: another thread that comes to end the run waits for the end of the process
  Json body = failure ? owed().parts : owed().body;
  HEXPROOF_CHECK(failure || body.empty() || owed().exit_code == exit_code, "a report of another end");
  if (std::exchange(owed().closed, true)) return exit_code;
  TimeBudget::stop();
  end_progress();
  if (owed().request.tell_cache) tell_cache();
  if (failure) add_failure(*failure, &body);
  // Where nothing that wants attention first ended the run, this is how it ends. (A program's own exit code stays.)
  const bool own_code = body.value("verdict", "") == "failed";
  auto fails = [&](const api::Failure& with) {
    const int now = own_code ? exit_code : worse(exit_code, tools::exit_code(with.kind));
    if (std::exchange(exit_code, now) == now) return;
    body.erase("verdict");
    add_failure(with, &body);
  };
  if (std::optional<api::Failure> unsaid = output_failure()) {
    tell(*unsaid);
    fails(*unsaid);
  }
  std::vector<Output> outputs = outputs_of(owed().request);
  for (size_t k = 0; k < outputs.size();) {
    const int before = exit_code;
    const bool again = outputs[k].rewritable();
    bool written = true;
    try {
      demand_unread({"the report", outputs[k].path});
      write_file(outputs[k].path, outputs[k].text(whole_report(owed().request, owed().script, body, exit_code)));
    } catch (...) {
      const api::Failure unwritten = api::current_failure();
      // (That none can be written there may be what ended the run.)
      if (!failure || std::string(failure->what()) != unwritten.what()) tell(unwritten);
      fails(unwritten);
      written = false;
    }
    written&& again ? void(++k) : void(outputs.erase(outputs.begin() + static_cast<ptrdiff_t>(k)));
    if (exit_code != before) k = 0;  // what stands there says another end
  }
  if (owed().request.annotate)
    std::fputs(github_annotations(report_cases(whole_report(owed().request, owed().script, body, exit_code))).c_str(),
               stderr);
  return exit_code;
}

void report_failure(const api::Failure& failure, Json* body) {
  tell(failure);
  add_failure(failure, body);
}

int end_by(const api::Failure& failure) {
  tell(failure);
  owed().ending.lock();  // (the process ends)
  return close_report(worse(owed().parts_code, exit_code(failure.kind)), &failure);
}

int close_output(int exit_code) {
  if (exit_code != kProved) return exit_code;
  const std::optional<api::Failure> unsaid = output_failure();
  return unsaid ? end_by(*unsaid) : exit_code;
}

}  // namespace hexproof::tools
