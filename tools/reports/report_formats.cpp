// JUnit, SARIF and GitHub's workflow commands.
#include <algorithm>
#include <filesystem>
#include <set>

#include "ir/base/codes.h"
#include "ir/base/utf8.h"
#include "tools/reports/report_cases.h"
#include "tools/reports/report_text.h"

namespace hexproof::tools {
namespace {

/// The parts of a relative path percent-encoded; an absolute one as file://.
std::string uri(const std::string& path) {
  std::string out = std::filesystem::path(path).is_absolute() ? "file://" : "";
  for (unsigned char c : path) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' || c == '-' ||
                 c == '_' || c == '.' || c == '~';
    if (plain) {
      out += static_cast<char>(c);
    } else {
      const char* digits = "0123456789ABCDEF";
      out += '%', out += digits[c >> 4], out += digits[c & 15];
    }
  }
  return out;
}

std::string title_of(const std::string& rule) {
  const CodeInfo* code = code_named(rule);
  return code ? code->title : rule;
}

/// Of a workflow command: its text, or one of its properties. It is shown among the messages, as they are.
std::string command_text(const std::string& text, bool property) {
  std::string out;
  for (char c : text) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\r') {
      out += "%0D";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return visible(out);
}

/// Is it of a file? (What came by standard input is of none.)
bool has_file(const ReportCase& one) { return !one.file.empty() && one.file != "-" && one.file != "<stdin>"; }

std::string head(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string junit_text(const Json& report, const std::vector<ReportCase>& cases) {
  auto count = [&](CaseResult result) {
    return std::to_string(std::count_if(cases.begin(), cases.end(), [&](auto& one) { return one.result == result; }));
  };
  const std::string name = "hexproof " + report.at("command").get<std::string>();
  const std::string counts = " name=\"" + xml(name) + "\" tests=\"" + std::to_string(cases.size()) + "\" failures=\"" +
                             count(CaseResult::Fail) + "\" errors=\"" + count(CaseResult::Open) + "\"";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts + ">\n<testsuite" + counts +
                    " skipped=\"0\">\n";
  for (const ReportCase& one : cases) {
    out += "<testcase classname=\"" + xml(one.group) + "\" name=\"" + xml(one.rule + ": " + one.name) + "\"";
    if (has_file(one)) out += " file=\"" + xml(one.file) + "\"";
    if (one.line != 0) out += " line=\"" + std::to_string(one.line) + "\"";
    if (one.result == CaseResult::Pass) {
      out += "/>\n";
      continue;
    }
    if (one.result == CaseResult::Warning) {
      out += ">\n<system-out>" + xml(one.message) + "</system-out>\n</testcase>\n";
      continue;
    }
    const char* tag = one.result == CaseResult::Fail ? "failure" : "error";
    out += std::string(">\n<") + tag + " type=\"" + xml(one.rule) + "\" message=\"" + xml(head(one.message)) + "\">" +
           xml(one.message) + "</" + tag + ">\n</testcase>\n";
  }
  return out + "</testsuite>\n</testsuites>\n";
}

std::string sarif_text(const Json& report, const std::vector<ReportCase>& cases) {
  std::set<std::string> rules;
  for (const ReportCase& one : cases) rules.insert(one.rule);
  Json driver = {{"name", "hexproof"}, {"version", report.at("versions").at("hexproof")}, {"rules", Json::array()}};
  std::map<std::string, size_t> index;
  for (const std::string& rule : rules) {
    index[rule] = index.size();
    Json entry = {{"id", rule}, {"shortDescription", {{"text", title_of(rule)}}}};
    if (const CodeInfo* code = code_named(rule)) entry["fullDescription"] = {{"text", code->text}};
    driver["rules"].push_back(entry);
  }
  Json results = Json::array();
  Utf16Columns columns;
  for (const ReportCase& one : cases) {
    const bool passed = one.result == CaseResult::Pass;
    Json result = {{"ruleId", one.rule},
                   {"ruleIndex", index.at(one.rule)},
                   {"kind", passed                           ? "pass"
                            : one.result == CaseResult::Open ? "open"
                                                             : "fail"},
                   {"level", one.result == CaseResult::Fail      ? "error"
                             : one.result == CaseResult::Warning ? "warning"
                                                                 : "none"},
                   {"message", {{"text", one.group + ": " + one.name + (passed ? "" : "\n" + one.message)}}}};
    if (has_file(one)) {
      Json place = {{"artifactLocation", {{"uri", uri(one.file)}}}};
      if (one.line > 0) {
        place["region"] = {{"startLine", one.line}};
        if (one.column > 0) {
          if (const auto column = columns.at(one.file, one.line, one.column)) place["region"]["startColumn"] = *column;
        }
      }
      result["locations"] = Json::array({{{"physicalLocation", place}}});
    }
    results.push_back(result);
  }
  const int code = report.at("exit_code");
  // What tells this upload from others of the same commit: its category ends at the last '/' (SARIF 2.1.0, 3.17.3).
  std::string id = "hexproof/" + report.value("command", std::string());
  const Json inputs = report.value("inputs", Json::object());
  for (const auto& [name, path] : inputs.items()) {
    if (path.is_string()) id += "/" + path.get<std::string>();
  }
  Json run = {{"tool", {{"driver", driver}}},
              {"automationDetails", {{"id", id + "/"}}},
              {"columnKind", "utf16CodeUnits"},
              {"invocations", Json::array({{{"executionSuccessful", code != 1 && code != 6}, {"exitCode", code}}})},
              {"results", results}};
  Json out = {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string github_annotations(const std::vector<ReportCase>& cases) {
  constexpr size_t kShown = 10;  // GitHub shows so many of each kind
  std::string errors, warnings;
  size_t shown_errors = 0, shown_warnings = 0;
  Utf16Columns columns;
  for (const ReportCase& one : cases) {
    if (one.result == CaseResult::Pass) continue;
    const bool error = one.result == CaseResult::Fail;
    size_t& shown = error ? shown_errors : shown_warnings;
    if (shown == kShown) continue;
    ++shown;
    std::string where;
    if (has_file(one)) where += ",file=" + command_text(one.file, true);
    if (one.line > 0) where += ",line=" + std::to_string(one.line);
    if (one.line > 0 && one.column > 0) {
      if (const auto column = columns.at(one.file, one.line, one.column)) where += ",col=" + std::to_string(*column);
    }
    (error ? errors : warnings) += std::string(error ? "::error " : "::warning ") +
                                   "title=" + command_text(one.rule + " " + title_of(one.rule), true) + where +
                                   "::" + command_text(one.message.empty() ? one.name : one.message, false) + "\n";
  }
  return errors + warnings;
}

}  // namespace hexproof::tools
