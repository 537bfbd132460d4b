#include "tools/reports/report_cases.h"

#include <algorithm>
#include <cstdlib>

#include "tools/command.h"

namespace hexproof::tools {
namespace {

std::string text_at(const Json& json, const char* key) {
  auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : "";
}
int number_at(const Json& json, const char* key) {
  auto it = json.find(key);
  return it != json.end() && it->is_number_integer() ? it->get<int>() : 0;
}

class CaseList {
 public:
  explicit CaseList(const Json& report) {
    exit_code_ = report.at("exit_code");
    const Json& inputs = report.at("inputs");
    for (const char* option : {"FILE", "PROGRAM", "AFTER", "SCRIPT", "--suggest"}) {
      if (inputs.contains(option)) program_ = inputs.at(option);
    }
    if (inputs.contains("SCHEDULE")) schedule_ = inputs.at("SCHEDULE");
    if (report.contains("script")) {
      script_ = report.at("script");
      schedule_ = program_ = script_.at("file");
    }
    walk(report, {text_at(report, "command"), 0});
    if (report.contains("errors")) {
      for (const Json& one : report.at("errors")) error(one);
    } else if (report.contains("error")) {
      error(report.at("error"));
    }
    if (out.empty() || !agrees()) whole(report);
  }
  std::vector<ReportCase> out;

 private:
  /// Whose obligations these are, and where the schedule asks for them.
  struct Context {
    std::string group;
    int schedule_line = 0;
  };

  void walk(const Json& json, Context context) {
    if (json.is_array()) {
      for (const Json& part : json) walk(part, context);
      return;
    }
    if (!json.is_object()) return;
    const bool met = json.contains("error_met");
    if (std::string function = text_at(json, "function"); !function.empty() && (met || json.contains("obligations"))) {
      context.group = function;
    }
    if (json.contains("primitive") && json.contains("rule")) {
      context.group += ", step " + std::to_string(++steps_) + " (" + text_at(json, "rule") + ")";
      context.schedule_line = number_at(json, "schedule_line");
    }
    finding(json, context);
    for (const auto& [key, value] : json.items()) {
      if (key == "obligations" && value.is_array()) {
        for (const Json& one : value) {
          // What is refuted by an error that was met is this error, and told.
          if (!met || text_at(one, "verdict") != "refuted") obligation(one, context);
        }
      } else if (key == "rejections" && value.is_array()) {
        for (const Json& one : value) rejection(one);
      } else if (key == "findings" && value.is_array()) {
        for (const Json& one : value) campaign_finding(one, context);
      } else if (key == "warnings" && value.is_array()) {
        for (const Json& one : value) warning(one, context);
      } else if (key == "pairs" && value.is_array()) {
        for (const Json& one : value) pair(one);
      } else if (value.is_structured() && key != "error" && key != "errors") {
        walk(value, context);
      }
    }
  }

  void obligation(const Json& o, const Context& context) {
    if (!o.is_object()) return;
    ReportCase one{.group = context.group, .rule = text_at(o, "rule"), .name = text_at(o, "why"), .message = {}};
    if (std::string statement = text_at(o, "statement"); !statement.empty()) one.name += ": " + statement;
    const std::string verdict = text_at(o, "verdict");
    one.result = verdict == "proved" ? CaseResult::Pass : verdict == "refuted" ? CaseResult::Fail : CaseResult::Open;
    one.message = verdict + " by " + text_at(o, "solver") + ": " + text_at(o, "goal");
    if (o.contains("values")) one.message += "\nwith " + o.at("values").dump();
    if (std::string reason = text_at(o, "reason"); !reason.empty()) one.message += "\n" + reason;
    one.line = number_at(o, "line"), one.column = number_at(o, "column"), one.file = program_;
    if (!script_.is_null()) to_script(&one);
    if (context.schedule_line != 0) one.file = schedule_, one.line = context.schedule_line, one.column = 0;
    if (one.line == 0) one.file = program_;
    out.push_back(std::move(one));
  }

  /// What is not proved: the errors as they were met, or why nothing was shown.
  void finding(const Json& json, const Context& context) {
    if (json.contains("error_met")) {
      error_met(json.at("error_met"), context);
      for (const Json& other : json.value("other_errors", Json::array())) error_met(other, context);
      return;
    }
    const std::string found = text_at(json, "finding");
    if (found.empty() || found == "proved") return;
    ReportCase one{.group = context.group, .rule = text_at(json, "code"), .name = found, .message = {}};
    one.result = found == "refuted" || found == "vacuous" ? CaseResult::Fail : CaseResult::Open;
    one.message = text_at(json, "reason");
    one.file = program_;
    if (json.contains("clashing") && !json.at("clashing").empty()) place(json.at("clashing").back(), &one);
    out.push_back(std::move(one));
  }

  void error_met(const Json& json, const Context& context) {
    ReportCase one{.group = context.group,
                   .rule = text_at(json, "code"),
                   .name = text_at(json, "message"),
                   .message = text_at(json, "text"),
                   .result = CaseResult::Fail,
                   .file = program_};
    place(json, &one);
    out.push_back(std::move(one));
  }

  /// Where it is, if that is told.
  void place(const Json& json, ReportCase* one) const {
    one->line = number_at(json, "line"), one->column = number_at(json, "column");
    if (std::string file = text_at(json, "file"); !file.empty()) one->file = file;
    if (is_naive(one->file)) to_script(one);
  }

  /// "FILE:LINE:COLUMN: warning: it is false that T.reads of ...": a claim of a block that does not hold.
  void warning(const Json& json, const Context& context) {
    if (!json.is_string()) return;
    const std::string text = json, mark = ": warning: ";
    ReportCase one{.group = context.group, .rule = "check-block-claims", .name = text, .message = text};
    one.result = CaseResult::Warning;
    one.file = program_;
    const size_t at = text.find(mark);
    const size_t column = at == std::string::npos ? at : text.rfind(':', at - 1);
    const size_t line = column == std::string::npos || column == 0 ? std::string::npos : text.rfind(':', column - 1);
    if (line != std::string::npos) {
      one.name = one.message = text.substr(at + mark.size());
      one.file = text.substr(0, line);
      one.line = std::atoi(text.c_str() + line + 1), one.column = std::atoi(text.c_str() + column + 1);
    }
    out.push_back(std::move(one));
  }

  void pair(const Json& json) {
    const std::string verdict = text_at(json, "verdict");
    ReportCase one{
        .group = "equiv", .rule = verdict == "proved" ? "equiv" : text_at(json, "code"), .name = {}, .message = {}};
    one.name = text_at(json, "after") + " refines " + text_at(json, "before");
    const bool accepted = !text_at(json, "accepted").empty();
    one.result = verdict == "proved" || accepted                      ? CaseResult::Pass
                 : verdict == "undecided" || verdict == "unsupported" ? CaseResult::Open
                                                                      : CaseResult::Fail;
    one.message = verdict + (accepted ? ", accepted" : "");
    for (const char* key : {"method", "reason", "counterexample"}) {
      if (std::string text = text_at(json, key); !text.empty()) one.message += "\n" + text;
    }
    one.file = program_;
    place(place_of_pair(json), &one);
    out.push_back(std::move(one));
  }

  /// Where AFTER is wrong: at the error that it meets, at what wrote a cell that differs; else where it begins.
  static const Json& place_of_pair(const Json& pair) {
    if (pair.contains("error_met")) return pair.at("error_met");
    if (!pair.contains("input")) return pair;
    for (const Json& difference : pair.at("input").at("differences")) {
      if (difference.contains("after_place")) return difference.at("after_place");
    }
    return pair;
  }

  /// A case of a campaign on which hexproof disagrees with itself, as text.
  void campaign_finding(const Json& json, const Context& context) {
    if (!json.is_string()) return;
    const std::string text = json;
    ReportCase one{.group = context.group, .rule = "unsound", .name = text.substr(0, text.find('\n')), .message = text};
    one.result = CaseResult::Fail;
    one.file = program_, one.line = program_.empty() ? 0 : 1;
    out.push_back(std::move(one));
  }

  void rejection(const Json& json) {
    out.push_back({.group = "certificate",
                   .rule = text_at(json, "code"),
                   .name = text_at(json, "why"),
                   .message = text_at(json, "why"),
                   .result = CaseResult::Fail,
                   .file = text_at(json, "file"),
                   .line = number_at(json, "line"),
                   .column = number_at(json, "column")});
  }

  void error(const Json& json) {
    ReportCase one{.group = "error",
                   .rule = text_at(json, "code"),
                   .name = text_at(json, "message"),
                   .message = text_at(json, "text")};
    one.result = exit_code_ == kUndecided ? CaseResult::Open : CaseResult::Fail;
    place(json, &one);
    out.push_back(std::move(one));
  }

  bool is_naive(const std::string& file) const { return !script_.is_null() && file == script_.at("naive_program"); }

  /// From a place of the naive program to where the script says what stands there.
  void to_script(ReportCase* one) const {
    const int line = one->line;
    one->file = script_.at("file"), one->line = one->column = 0;
    for (const Json& known : script_.at("lines")) {
      if (line > known.at(0).get<int>()) continue;
      one->line = known.at(1);
      return;
    }
  }

  /// Does some case show why the verdict is what it is?
  bool agrees() const {
    if (exit_code_ == kProved) return true;
    return std::any_of(out.begin(), out.end(), [](const ReportCase& one) {
      return one.result == CaseResult::Fail || one.result == CaseResult::Open;
    });
  }

  /// The run as one case.
  void whole(const Json& report) {
    const std::string verdict = text_at(report, "verdict");
    const std::string code = text_at(report, "code");
    ReportCase one{.group = text_at(report, "command"),
                   .rule = code.empty() ? "verdict" : code,
                   .name = verdict,
                   .message = verdict};
    one.result = exit_code_ == kProved      ? CaseResult::Pass
                 : exit_code_ == kUndecided ? CaseResult::Open
                                            : CaseResult::Fail;
    for (const char* key : {"report", "collision"}) {
      if (std::string text = text_at(report, key); !text.empty()) one.message += "\n" + text;
    }
    one.file = schedule_.empty() ? program_ : schedule_;
    if (!one.file.empty()) one.line = 1;
    out.push_back(std::move(one));
  }

  std::string program_, schedule_;
  Json script_;  // null: the program is none
  int steps_ = 0, exit_code_ = 0;
};

}  // namespace

std::vector<ReportCase> report_cases(const Json& report) { return CaseList(report).out; }

}  // namespace hexproof::tools
