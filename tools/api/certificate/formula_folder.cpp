#include "tools/api/certificate/formula_folder.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "ir/base/codes.h"
#include "ir/base/digest.h"
#include "ir/base/file.h"
#include "ir/base/folder.h"
#include "ir/base/plain_script.h"
#include "ir/base/read_json.h"
#include "rewrite/report/report.h"

namespace hexproof::api {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = "index.json";
constexpr size_t kDigits = 16;  // of a formula's digest, in its name

bool stands_there(const std::string& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));
}

/// Where what is no regular file stands, nothing is written: a pipe would hold us up.
void write_regular_file(const std::string& path, const std::string& bytes) {
  std::error_code error;
  if (stands_there(path) && !fs::is_regular_file(fs::symlink_status(path, error)))
    throw CodedError(Code::CannotWrite, "cannot write '" + path + "': what stands there is no regular file");
  // It would be written in place, whatever its other name stands for.
  if (stands_there(path) && fs::hard_link_count(path, error) > 1)
    throw CodedError(Code::CannotWrite, "cannot write '" + path + "': the file has another name");
  write_file(path, bytes);
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw CodedError(Code::CannotWrite, "cannot make the folder '" + path + "': " + error.message());
  // A link would lead out of the folder that was named.
  if (!fs::is_directory(fs::symlink_status(path, error)))
    throw CodedError(Code::CannotWrite, "cannot write into '" + path + "': what stands there is no folder");
}

std::string answer_file(const std::string& folder, const ListedFormula& formula) {
  return folder + "/answers/" + fs::path(formula.file).stem().string() + ".json";
}

class IndexReader {
 public:
  explicit IndexReader(const std::string& folder) : path_(folder + "/" + kIndex) {
    if (!stands_there(path_))
      throw CodedError(Code::CannotRead, "'" + folder + "' has no index.json: `hexproof obligations` makes it");
    text_ = read_regular_file(path_);
  }

  std::vector<ListedFormula> formulas() const {
    const Json index = read_json(text_);
    if (!index.is_object()) fail({}, "is no JSON object");
    // A key that is there twice says one thing to each who reads it.
    if (index.dump(2) + "\n" != text_) fail({}, "is not written as hexproof writes JSON");
    if (index.value("schema_version", Json()) != kSchemaVersion)
      fail({"schema_version"}, "is not " + std::to_string(kSchemaVersion) + ", which this hexproof writes");
    for (const char* part : {"program", "schedule"}) word(index, {part});
    const Json list = index.value("formulas", Json());
    if (!list.is_array()) fail({"formulas"}, "is no list of formulas");
    std::vector<ListedFormula> out;
    std::set<std::string> seen;
    for (const Json& one : list) {
      const size_t k = out.size();
      ListedFormula formula{word(one, {"file", k}), word(one, {"sha256", k}), "", FormulaAnswer::Unsat};
      const std::string shown_by = word(one, {"shown_by", k});
      if (shown_by != "unsat" && shown_by != "sat") fail({"shown_by", k}, "is neither unsat nor sat");
      if (shown_by == "sat") formula.shown_by = FormulaAnswer::Sat;
      // The start of a digest: answers are written under the same name.
      const std::string stem = fs::path(formula.file).stem().string();
      const bool digits = stem.size() == kDigits && stem.find_first_not_of("0123456789abcdef") == std::string::npos;
      if (!digits || formula.file != formula_file(stem)) fail({"file", k}, "is no name of a formula");
      if (!seen.insert(formula.file).second) fail({"file", k}, "is listed twice");
      out.push_back(std::move(formula));
    }
    return out;
  }

 private:
  /// A key of the index, or of its k-th formula.
  struct Part {
    std::string key;
    std::optional<size_t> formula = {};
  };
  std::string word(const Json& of, const Part& part) const {
    const Json found = of.is_object() ? of.value(part.key, Json()) : Json();
    if (!found.is_string()) fail(part, "is no text");
    return found.get<std::string>();
  }
  [[noreturn]] void fail(const Part& part, const std::string& why) const {
    size_t at = 0;
    auto go_on_to = [&](const std::string& key) {
      const size_t next = text_.find("\"" + key + "\"", at);
      if (next != std::string::npos) at = next;
    };
    if (part.formula) go_on_to("formulas");
    for (size_t k = 0; part.formula && k <= *part.formula; ++k) ++at, go_on_to("file");
    if (!part.key.empty()) go_on_to(part.key);
    const auto [line, column] = place_of(text_, at);
    const Span span{std::make_shared<const SourceFile>(SourceFile{path_, text_}), line, std::max(column, 1), 1};
    throw CodedError(Code::CannotRead, span, (part.key.empty() ? "the index" : "'" + part.key + "'") + " " + why);
  }

  std::string path_, text_;
};

}  // namespace

void FormulaList::add(const Obligation& o, const std::string& of) {
  const std::string text = to_smtlib(o), digest = sha256(text);
  const std::optional<std::string> name = names_.add(digest);
  if (!name) return;
  text_[*name] = text;
  index_.push_back({{"file", *name},
                    {"sha256", digest},
                    {"shown_by", to_text(asks_for_values(o) ? FormulaAnswer::Sat : FormulaAnswer::Unsat)},
                    {"of", of},
                    {"rule", o.rule},
                    {"why", o.why},
                    {"statement", o.where.statement}});
}

void FormulaList::write(const std::string& folder, const std::string& program, const std::string& schedule) const {
  const Json index = {
      {"schema_version", kSchemaVersion}, {"program", program}, {"schedule", schedule}, {"formulas", index_}};
  const std::string text = index.dump(2) + "\n", path = folder + "/" + kIndex;
  if (stands_there(path) && read_regular_file(path) != text) {
    throw CodedError(Code::CannotWrite, "'" + folder + "' holds the formulas of something else; it stays as it is");
  }
  make_folder(folder + "/obligations");
  make_folder(folder + "/answers");
  for (const auto& [name, bytes] : text_) write_regular_file(folder + "/" + name, bytes);
  write_regular_file(path, text);
}

FormulaFolder read_formulas(const std::string& folder) {
  FormulaFolder out{IndexReader(folder).formulas(), {}};
  std::set<std::string> listed;
  auto wrong = [&](const std::string& name, const std::string& why) {
    out.wrong.push_back({.file = name, .line = 1, .column = 1, .why = why});
  };
  for (ListedFormula& one : out.formulas) {
    listed.insert(one.file);
    const std::string path = folder + "/" + one.file;
    if (!stands_there(path)) {
      wrong(one.file, "is listed in index.json and is not there");
      continue;
    }
    one.text = read_regular_file(path);
    if (sha256(one.text) != one.sha256) {
      wrong(one.file, "is not the formula that index.json lists");
    } else if (const std::string why = not_plain(one.text); !why.empty()) {
      wrong(one.file, "holds " + why);
    }
  }
  std::error_code error;
  for (fs::directory_iterator it(folder + "/obligations", error), end; !error && it != end; it.increment(error)) {
    const std::string name = "obligations/" + it->path().filename().string();
    const bool half_written = name.find(".smt2.tmp-") != name.npos;  // of a process that was killed
    if (!half_written && !listed.count(name)) wrong(name, "is not listed in index.json");
  }
  std::sort(out.wrong.begin(), out.wrong.end(),
            [](const AuditFinding& a, const AuditFinding& b) { return a.file < b.file; });
  return out;
}

std::optional<std::map<std::string, FormulaAnswer>> stored_answers(const std::string& folder,
                                                                   const ListedFormula& formula) {
  const std::string path = answer_file(folder, formula);
  if (!stands_there(path)) return {};
  const Json json = read_json(read_regular_file(path));  // cut off, or of another formula: none
  if (!json.is_object() || json.value("sha256", Json()) != formula.sha256) return {};
  const Json said = json.value("answers", Json());
  if (!said.is_object() || said.empty()) return {};
  std::map<std::string, FormulaAnswer> out;
  for (const auto& [solver, word] : said.items()) {
    if (solver != "z3" && solver != "cvc5") return {};
    for (FormulaAnswer one : {FormulaAnswer::Unsat, FormulaAnswer::Sat, FormulaAnswer::Unknown}) {
      if (word == to_text(one)) out[solver] = one;
    }
    if (!out.count(solver)) return {};
  }
  return out;
}

void write_answers(const std::string& folder, const ListedFormula& formula,
                   const std::map<std::string, FormulaAnswer>& answers) {
  Json json = {{"sha256", formula.sha256}, {"answers", Json::object()}};
  for (const auto& [solver, said] : answers) json["answers"][solver] = to_text(said);
  make_folder(folder + "/answers");
  write_regular_file(answer_file(folder, formula), json.dump(2) + "\n");
}

}  // namespace hexproof::api
