// hexproof report DIR -o FILE.html: a certificate, or any report, as one page.
#include <filesystem>
#include <map>

#include "ir/base/codes.h"
#include "ir/base/file.h"
#include "ir/base/folder.h"
#include "ir/base/input_file.h"
#include "ir/base/read_json.h"
#include "ir/text/text.h"
#include "rewrite/layout/drawing.h"
#include "rewrite/schedule/reader.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/command.h"
#include "tools/rejected.h"
#include "tools/reports/page_diff.h"
#include "tools/reports/page_nest.h"
#include "tools/reports/page_text.h"
#include "tools/reports/report.h"

namespace hexproof::tools {
namespace {

namespace fs = std::filesystem;

std::string words_at(const Json& json, const char* key) {
  auto it = json.find(key);
  return it == json.end() ? "" : it->is_string() ? it->get<std::string>() : it->dump();
}

/// What the page shows of a report.
class Page {
 public:
  Page(const Json& report, std::string folder) : report_(report), folder_(std::move(folder)) {
    out_ = {{"title", "hexproof"}, {"verdict", words_at(report, "verdict")}, {"facts", Json::array()}};
    for (const char* key :
         {"errors", "reasons", "counterexamples", "layouts", "steps", "obligations", "givens", "nests"})
      out_[key] = Json::array();
    if (std::string function = words_at(report, "function"); !function.empty()) out_["title"] = "hexproof, " + function;
    fact("command", words_at(report, "command"));
    fact("granted flags", words_at(report, "granted_flags"));
    if (report.contains("versions")) facts("", report.at("versions"));
    for (const char* key : {"by_construction", "by_validation"}) {
      if (report.contains(key)) facts(key, report.at(key));
    }
    if (report.contains("trusted") && report.at("trusted").is_array()) {
      for (const Json& line : report.at("trusted"))
        fact("taken on trust", line.is_string() ? line.get<std::string>() : "");
    }
    walk(report, "program");
    if (report.contains("error") && report.at("error").contains("condition"))
      condition(report.at("error").at("condition"));
    if (report.contains("steps")) add_steps(report.at("steps"), folder_.empty() ? "" : program("source.py"));
    if (report.contains("functions") && report.at("functions").is_array()) {
      for (const Json& of : report.at("functions")) {
        if (of.is_object() && of.contains("steps")) add_steps(of.at("steps"), "");
      }
    }
    for (const char* file : {"source.py", "final.py"}) nests(file);
  }
  const Json& data() const { return out_; }

 private:
  void fact(const std::string& name, const std::string& value) {
    if (!value.empty()) out_["facts"].push_back(Json::array({name, value}));
  }

  /// The words and numbers in it, each under the way to it.
  void facts(std::string name, const Json& json) {
    for (char& c : name) c = c == '_' ? ' ' : c;
    if (!json.is_structured()) return fact(name, json.is_string() ? json.get<std::string>() : json.dump());
    if (json.contains("says")) return facts(name, json.at("says"));  // the sentence about all of it
    for (const auto& [key, value] : json.items()) {
      facts(json.is_array() ? name : name.empty() ? key : name + ", " + key, value);
    }
  }

  /// The loops and the memory of the functions in a file of the certificate.
  void nests(const std::string& file) {
    const std::string text = folder_.empty() ? "" : program(file);
    if (text.empty()) return;
    try {
      for (const PrimFunc& func : parse_module(text, file).functions) {
        out_["nests"].push_back({{"text", file + ", " + func.name}, {"parts", loop_nest(func.body)}});
      }
    } catch (const std::exception&) {  // a certificate that holds something else is not drawn
    }
  }

  void walk(const Json& json, std::string group) {
    if (!json.is_structured()) return;
    if (json.is_object()) {
      if (std::string function = words_at(json, "function"); !function.empty() && json.contains("obligations"))
        group = function;
      if (json.contains("primitive") && json.contains("rule")) group = "step " + std::to_string(++steps_);
      const bool is_error_met = json.contains("kind") && json.contains("loops");
      if (is_error_met) met(json);
      if (json.contains("differences")) differences(json);
      if (json.contains("clashing")) clashing(json.at("clashing"));
      if (json.contains("rejections")) rejections(json.at("rejections"));
      if (!json.contains("goal")) reasons(json);
      if (json.contains("shape_before") && json.contains("map")) layout(json);
      if (!is_error_met && json.contains("text") && json.contains("message")) out_["errors"].push_back(json.at("text"));
      if (json.contains("goal") && json.contains("verdict") && json.contains("why")) obligation(json, group);
    }
    for (const auto& [key, value] : json.items()) {
      if (key == "errors" && report_.contains("error")) continue;  // the text of `error` holds them
      walk(value, key == "source_check" ? "source" : key == "final_check" ? "result" : group);
    }
  }

  void obligation(const Json& o, const std::string& group) {
    Json row =
        Json::array({group, words_at(o, "rule"), words_at(o, "why"), words_at(o, "statement"), words_at(o, "goal"),
                     words_at(o, "verdict"), words_at(o, "solver"), o.value("rlimit", Json(0)),
                     given_number(o.value("given", Json::array())), words_at(o, "smtlib")});
    out_["obligations"].push_back(row);
  }

  /// Many obligations share what is given: the page holds each list once.
  size_t given_number(const Json& given) {
    const auto [at, fresh] = givens_.try_emplace(given.dump(), givens_.size());
    if (fresh) out_["givens"].push_back(given.is_array() ? given : Json::array({given}));
    return at->second;
  }

  void met(const Json& json) {
    Json rows = Json::array();
    for (const char* key : {"loops", "scalars"}) {
      if (!json.contains(key)) continue;
      for (const Json& one : json.at(key)) rows.push_back(Json::array({words_at(one, "name"), words_at(one, "value")}));
    }
    if (json.contains("cells")) {
      for (const Json& cell : json.at("cells")) {
        rows.push_back(Json::array({words_at(cell, "buffer") + words_at(cell, "index"), words_at(cell, "value")}));
      }
    }
    counterexample(place_of(json) + ": " + words_at(json, "message"), words_at(json, "statement"), {"what", "value"},
                   rows);
  }

  /// The condition of a step, with values for which it is false.
  void condition(const Json& json) {
    Json rows = Json::array();
    if (!json.contains("values")) return;
    for (const Json& one : json.at("values"))
      rows.push_back(Json::array({words_at(one, "name"), words_at(one, "value")}));
    if (json.contains("cells")) {
      for (const Json& cell : json.at("cells")) {
        rows.push_back(Json::array({words_at(cell, "buffer") + words_at(cell, "index"), words_at(cell, "value")}));
      }
    }
    if (rows.empty()) return;
    counterexample(words_at(json, "rule") + ": not true: " + words_at(json, "why"), words_at(json, "statement"),
                   {"what", "value"}, rows);
  }

  void differences(const Json& json) {
    if (json.at("differences").empty()) return;  // AFTER meets an error, which is told of
    Json rows = Json::array();
    for (const Json& d : json.at("differences")) {
      rows.push_back(Json::array({words_at(d, "after_buffer") + words_at(d, "after_index"), words_at(d, "before_value"),
                                  words_at(d, "after_value")}));
    }
    counterexample("these cells differ", "", {"cell", "before", "after"}, rows);
  }

  /// A least set of assumes that contradict each other.
  void clashing(const Json& assumes) {
    Json rows = Json::array();
    for (const Json& one : assumes) rows.push_back(Json::array({place_of(one), words_at(one, "statement")}));
    if (rows.empty()) return;
    counterexample("these assumes contradict each other; without any one of them nothing does", "", {"where", "assume"},
                   rows);
  }

  void rejections(const Json& all) {
    for (const Json& one : all) {
      out_["errors"].push_back("rejected: " + place_of(one) + ": " + words_at(one, "why") + "\n" +
                               words_at(one, "code"));
    }
  }

  /// Why nothing was shown, or something is wrong, in words.
  void reasons(const Json& json) {
    for (const char* key : {"reason", "report"}) {
      if (json.contains(key) && json.at(key).is_string() && !words_at(json, key).empty())
        out_["reasons"].push_back(words_at(json, key));
    }
    if (json.contains("lines") && json.at("lines").is_array()) {
      for (const Json& line : json.at("lines")) {
        if (line.is_string()) out_["reasons"].push_back(line);
      }
    }
    if (!json.contains("evidence") || !json.at("evidence").is_array()) return;
    for (const Json& one : json.at("evidence")) {
      std::string says = words_at(one, "method") + ": " + words_at(one, "says");
      if (one.contains("notes") && one.at("notes").is_array()) {
        for (const Json& note : one.at("notes")) says += "\n  " + (note.is_string() ? note.get<std::string>() : "");
      }
      out_["reasons"].push_back(says);
    }
  }

  static std::string place_of(const Json& json) {
    std::string out = words_at(json, "file");
    for (const char* key : {"line", "column"}) {
      if (json.contains(key)) out += ":" + words_at(json, key);
    }
    return out;
  }

  void counterexample(const std::string& message, const std::string& statement, const std::vector<std::string>& head,
                      const Json& rows) {
    out_["counterexamples"].push_back({{"message", message}, {"statement", statement}, {"head", head}, {"rows", rows}});
  }

  /// Drawn where the shape is of numbers; of a large one a part.
  void layout(const Json& json) {
    Json one = {{"text", words_at(json, "buffer") + " " + words_at(json, "shape_before") + " -> " +
                             words_at(json, "shape_after") + "   " + words_at(json, "map")}};
    for (const Json& known : out_["layouts"]) {
      if (known.at("text") == one.at("text")) return;
    }
    const std::optional<std::vector<int64_t>> before = numbers(words_at(json, "shape_before"));
    const std::optional<std::vector<int64_t>> after = numbers(words_at(json, "shape_after"));
    if (before && after) {
      try {
        IndexMap map = read_index_map(std::make_shared<SourceFile>(SourceFile{"map", words_at(json, "map")}));
        const std::vector<CellGrid> grids = drawn_cells(map, *before, *after);
        if (!grids.empty()) one["svg"] = draw_svg(grids);
      } catch (const std::exception&) {  // a certificate that says something else is not drawn
      }
    }
    out_["layouts"].push_back(one);
  }

  /// "(14, 8)" as numbers; nothing for formulas, and for what is no index.
  static std::optional<std::vector<int64_t>> numbers(const std::string& shape) {
    std::vector<int64_t> out;
    int64_t value = -1;
    for (char c : shape) {
      if (c >= '0' && c <= '9') {
        value = std::max<int64_t>(value, 0) * 10 + (c - '0');
        if (value > INT32_MAX) return std::nullopt;
      } else if (c == ',' || c == ')') {
        if (value >= 0) out.push_back(value);
        value = -1;
      } else if (c != '(' && c != ' ') {
        return std::nullopt;
      }
    }
    if (out.empty()) return std::nullopt;
    return out;
  }

  void add_steps(const Json& steps, std::string before) {
    if (!steps.is_array()) return;
    for (const Json& step : steps) {
      const std::string after = folder_.empty() ? "" : program(words_at(step, "program"));
      uint64_t cost = 0;
      size_t obligations = 0;
      if (step.contains("obligations") && step.at("obligations").is_array()) {
        for (const Json& o : step.at("obligations")) cost += o.value("rlimit", uint64_t{0}), ++obligations;
      }
      out_["steps"].push_back({{"rule", words_at(step, "rule")},
                               {"primitive", words_at(step, "primitive")},
                               {"obligations", obligations},
                               {"cost", cost},
                               {"diff", side_by_side(before, after)}});
      before = after;
    }
  }

  /// A file of the certificate: one that stands in it.
  std::string program(const std::string& name) const {
    if (name.empty() || name.find("..") != name.npos || name.front() == '/') return "";
    std::error_code error;
    const std::string path = folder_ + "/" + name;
    return fs::exists(fs::symlink_status(path, error)) ? read_regular_file(path) : "";
  }

  const Json& report_;
  std::string folder_;
  Json out_;
  std::map<std::string, size_t> givens_;
  int steps_ = 0;
};

constexpr size_t kLargestReport = size_t{1} << 30;

int write_page(const std::string& path, const std::string& output) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  const api::ListedFiles listed = folder ? api::read_listed(path) : api::ListedFiles();
  if (!listed.wrong.empty()) return rejected_files(path, listed.wrong);
  const std::string text = folder ? listed.files.at("certificate.json") : InputFile(path).read(kLargestReport + 1);
  if (text.size() > kLargestReport) throw CodedError(Code::CannotRead, "'" + path + "' is larger than 1 GiB");
  const Json report = read_json(text);
  if (!report.is_object() || !report.contains("verdict"))
    throw CodedError(Code::CannotRead, "'" + path + "' is no certificate and no report");
  std::string data;
  try {
    data = Page(report, folder ? path : "").data().dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const Json::exception& e) {
    throw CodedError(Code::CannotRead, "'" + path + "' is no report: " + e.what());
  }
  std::string safe;  // nothing in it ends the script
  for (char c : data) c == '<' ? safe += "\\u003c" : safe += c;
  write_file(output, kPageHead + safe + kPageTail);
  write_report({{"verdict", "listed"}}, kProved);
  return kProved;
}

}  // namespace

void add_report(CLI::App& app, Run& run) {
  struct Options : Common {
    std::string path, output;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("report", "a certificate, or a report of --json, as one page");
  command->add_option("DIR", o->path, "a certificate folder, or a file that --json wrote")->required();
  command->add_option("-o,--output", o->output, "the page")->required();
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] {
      // Nothing is written into a certificate.
      GivenFiles files{.outputs = {{"-o", o->output}}};
      (fs::is_directory(o->path) ? files.sources : files.inputs) = {{"DIR", o->path}};
      o->begin(files);
      return write_page(o->path, o->output);
    };
  });
}

}  // namespace hexproof::tools
