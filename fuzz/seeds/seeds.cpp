#include "fuzz/seeds/seeds.h"

#include <map>
#include <optional>
#include <sstream>

#include "fuzz/seeds/texts.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

constexpr const char* kStart = "# hexproof fuzz case 1\n";
constexpr const char* kRefuted = "10";  // the exit code (docs/commands.md)
constexpr const char* kRefused = "# refused: ";
constexpr size_t kLongestProgram = 3'000;  // characters

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

/// A folder of tests/found: what its commands ask about.
void add_folder(const std::map<std::string, std::string>& files, ProgramSeeds* out) {
  auto expect = files.find("expect");
  if (expect == files.end()) return;
  auto function = [&](const std::string& name) {
    auto file = files.find(name);
    return file == files.end() ? std::nullopt : only_function(file->second, name);
  };
  std::istringstream lines(expect->second);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string code, bar, command, first, second;
    words >> code >> bar >> command >> first >> second;
    const std::optional<PrimFunc> a = function(first), b = function(second);
    const bool refuted = code == kRefuted && words.eof();  // (with options it is another question)
    if (command == "check" && a) out->checked.push_back({*a, refuted && second.empty()});
    if (command != "equiv" || !a || !b) continue;
    if (take_the_same(*a, *b)) out->compared.push_back({*a, *b, refuted});
    out->checked.push_back({*a}), out->checked.push_back({*b});
  }
}

}  // namespace

std::string to_text(const StepSeed& seed) {
  std::string text = to_text(seed.fuzz_case);
  if (!seed.refused.empty()) text.insert(std::string(kStart).size(), kRefused + seed.refused + "\n");
  if (text.back() != '\n') text += '\n';
  return text;
}

std::vector<StepSeed> parse_step_seeds(const std::string& text, const std::string& path) {
  std::vector<StepSeed> out;
  for (size_t at = text.find(kStart); at != text.npos;) {
    const size_t next = text.find(kStart, at + 1);
    const std::string one = text.substr(at, next == text.npos ? next : next - at);
    StepSeed seed{parse_case(one, path), ""};
    if (seed.fuzz_case.steps.size() != 1) throw Error("'" + path + "': a seed has one step");
    if (const size_t why = one.find(kRefused); why != one.npos) {
      const size_t start = why + std::string(kRefused).size();
      seed.refused = one.substr(start, one.find('\n', start) - start);
    }
    out.push_back(std::move(seed));
    at = next;
  }
  return out;
}

const std::vector<StepSeed>& step_seeds() {
  static const std::vector<StepSeed> all = [] {
    std::vector<StepSeed> out;
    for (const SeedText& file : step_seed_texts()) {
      for (StepSeed& seed : parse_step_seeds(file.text, file.path)) out.push_back(std::move(seed));
    }
    return out;
  }();
  return all;
}

const std::vector<size_t>& step_seeds_of(const std::string& rule) {
  static const std::map<std::string, std::vector<size_t>> by_rule = [] {
    std::map<std::string, std::vector<size_t>> out;
    for (size_t k = 0; k < step_seeds().size(); ++k) out[step_seeds()[k].step().rule].push_back(k);
    return out;
  }();
  static const std::vector<size_t> none;
  auto it = by_rule.find(rule);
  return it == by_rule.end() ? none : it->second;
}

const ProgramSeeds& program_seeds() {
  static const ProgramSeeds all = [] {
    ProgramSeeds out;
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
