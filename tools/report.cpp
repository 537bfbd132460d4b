#include "tools/report.h"

#include <atomic>
#include <cstdio>

#include "ir/base/file.h"
#include "tools/api/version.h"
#include "tools/command.h"

namespace hexproof::tools {
namespace {

struct Owed {
  std::string command, path;
  std::atomic<bool> written{true};
};
Owed& owed() {
  static auto* the_one = new Owed;  // outlives every thread
  return *the_one;
}

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

void open_report(const std::string& command, const std::string& path) {
  owed().command = command;
  owed().path = path;
  owed().written = path.empty();
}

void write_report(const Json& body, int exit_code) {
  if (owed().written.exchange(true)) return;
  Json report = {{"schema_version", kSchemaVersion},
                 {"command", owed().command},
                 {"versions", version_json()},
                 {"verdict", verdict_word(exit_code)},
                 {"exit_code", exit_code}};
  report.update(body);
  if (!report.contains("files")) without_files(report);
  write_file(owed().path, report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

int close_report(int exit_code, const api::Failure* failure) {
  try {
    Json body = Json::object();
    if (failure) {
      std::string text = failure->what();
      Json error = {{"message", text.substr(0, text.find('\n'))}, {"text", text}};
      if (failure->line != 0) {
        error["file"] = failure->file;
        error["line"] = failure->line;
        error["column"] = failure->column;
      }
      body["error"] = error;
    }
    write_report(body, exit_code);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return exit_code == kProved ? +kBadInput : exit_code;
  }
  return exit_code;
}

}  // namespace hexproof::tools
