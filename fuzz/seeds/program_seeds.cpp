// Programs and pairs as seeds: of fuzz/seeds/questions/ and of tests/found/.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "fuzz/seeds/seeds.h"
#include "fuzz/seeds/texts.h"
#include "ir/link/link.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

constexpr const char* kQuestion = "# hexproof fuzz question 1\n";
constexpr const char* kCase = "# hexproof fuzz case 1\n";
constexpr const char *kFault = "# fault: ", *kScalars = "# scalars: ", *kStep = "# step: ";
constexpr const char *kProvedCode = "0", *kRefutedCode = "10", *kVacuousCode = "11";  // exit codes (docs/commands.md)
constexpr size_t kLongestProgram = 3'000;                                             // characters

std::optional<PrimFunc> only_function(const std::string& text, const std::string& path) {
  if (text.size() > kLongestProgram) return std::nullopt;
  try {
    const IRModule module = parse_module(text, path);
    if (module.functions.size() == 1) return module.functions[0];
  } catch (const Error&) {  // some are there because they are none
  } catch (const Unsupported&) {
  }
  return std::nullopt;
}

/// The module, where functions of it call each other and one alone is called by no other.
std::optional<ModuleSeed> module_of(const std::string& text, const std::string& path) {
  if (text.size() > kLongestProgram) return std::nullopt;
  try {
    IRModule module = parse_module(text, path);
    const std::vector<std::string> names = entries(module);
    if (names.size() != 1 || module.functions.size() < 2) return std::nullopt;
    return ModuleSeed{std::move(module), names[0]};
  } catch (const Error&) {
  } catch (const Unsupported&) {
  }
  return std::nullopt;
}

/// Whatever the one takes, the other takes.
bool take_the_same(const PrimFunc& a, const PrimFunc& b) {
  const std::vector<Buffer> of_a = a.buffer_params(), of_b = b.buffer_params();
  bool same = of_a.size() == of_b.size() && a.params.size() == b.params.size();
  for (size_t k = 0; same && k < of_a.size(); ++k) {
    const auto shape = constant_shape(of_a[k]), other = constant_shape(of_b[k]);
    same = shape && other && *shape == *other && of_a[k]->dtype == of_b[k]->dtype;
  }
  return same;
}

/// A line of `expect`: CODES | COMMAND FILE... [--fp FLAGS]
struct Expected {
  std::set<std::string> codes;
  std::string command, flags;
  std::vector<std::string> files;
  bool others = false;  // with other options it is another question
};
Expected expected_of(const std::string& line) {
  Expected out;
  std::istringstream words(line);
  std::string word;
  while (words >> word && word != "|") out.codes.insert(word);
  words >> out.command;
  while (words >> word) {
    if (word == "--fp") {
      words >> std::ws;
      if (words.peek() == '"')
        words.get(), std::getline(words, out.flags, '"');
      else
        words >> out.flags;
    } else {
      out.others |= word.starts_with("--");
      out.files.push_back(word);
    }
  }
  return out;
}

/// A folder of tests/found: what its commands ask about.
void add_folder(const std::map<std::string, std::string>& files, ProgramSeeds* out) {
  auto expect = files.find("expect");
  if (expect == files.end()) return;
  std::istringstream lines(expect->second);
  for (std::string line; std::getline(lines, line);) {
    const Expected asked = expected_of(line);
    if (asked.command != "check" && asked.command != "equiv") continue;
    auto function = [&](size_t k) -> std::optional<PrimFunc> {
      auto file = k < asked.files.size() ? files.find(asked.files[k]) : files.end();
      if (file == files.end()) return std::nullopt;
      std::optional<PrimFunc> func = only_function(file->second, file->first);
      if (func && !asked.flags.empty()) func->attrs[kFastMathAttribute] = join_flags(fast_math_flags(asked.flags, ""));
      return func;
    };
    // (Of what no input satisfies any proof is right.)
    const std::set<std::string>& codes = asked.codes;
    const bool refuted =
        codes.count(kRefutedCode) && !codes.count(kProvedCode) && !codes.count(kVacuousCode) && !asked.others;
    const std::optional<PrimFunc> a = function(0), b = function(1);
    if (asked.command == "check" && a) out->checked.push_back({*a, refuted && asked.files.size() == 1});
    if (asked.command == "check" && !a && asked.files.size() == 1 && files.count(asked.files[0])) {
      if (std::optional<ModuleSeed> module = module_of(files.at(asked.files[0]), asked.files[0])) {
        module->refuted = refuted;
        out->modules.push_back(*std::move(module));
      }
    }
    if (asked.command != "equiv" || !a || !b) continue;
    if (take_the_same(*a, *b)) out->compared.push_back({*a, *b, refuted && asked.files.size() == 2});
    out->checked.push_back({*a}), out->checked.push_back({*b});
  }
}

/// What stands behind `key` in a line of its own; or empty.
std::string value_of(const std::string& text, const std::string& key) {
  const size_t at = text.find(key);
  if (at == text.npos) return "";
  const size_t start = at + key.size();
  return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

void parse_questions(const std::string& text, const std::string& path, ProgramSeeds* out) {
  for (size_t at = text.find(kQuestion); at != text.npos;) {
    const size_t next = text.find(kQuestion, at + 1);
    const std::string one = text.substr(at, next == text.npos ? next : next - at);
    at = next;
    const std::string fault = value_of(one, kFault);
    if (one.find(kStep) != one.npos) {
      out->wrong_steps.push_back({parse_case(kCase + one.substr(std::string(kQuestion).size()), path), fault});
      continue;
    }
    const IRModule module = parse_module(one, path);
    const std::vector<PrimFunc>& functions = module.functions;
    if (has_calls(module)) {
      const std::vector<std::string> names = entries(module);
      if (names.size() != 1) throw Error("'" + path + "': a module of a question has one entry");
      out->modules.push_back({module, names[0], true, fault});
    } else if (functions.size() == 1) {
      CheckedSeed seed{functions[0], true, fault};
      std::istringstream scalars(value_of(one, kScalars));
      for (int64_t value; scalars >> value;) seed.scalars.push_back(value);
      out->checked.push_back(std::move(seed));
    } else if (functions.size() == 2) {
      out->compared.push_back({functions[0], functions[1], true, fault});
    } else {
      throw Error("'" + path + "': a question is about one program or two");
    }
  }
}

const ProgramSeeds& program_seeds() {
  static const ProgramSeeds all = [] {
    ProgramSeeds out;
    for (const SeedText& file : question_texts()) parse_questions(file.text, file.path, &out);
    std::map<std::string, std::map<std::string, std::string>> folders;
    for (const SeedText& file : found_texts()) {
      const std::string path = file.path;
      const size_t slash = path.rfind('/');
      folders[path.substr(0, slash)][path.substr(slash + 1)] = file.text;
    }
    for (const auto& [folder, files] : folders) add_folder(files, &out);
    return out;
  }();
  return all;
}

}  // namespace hexproof
