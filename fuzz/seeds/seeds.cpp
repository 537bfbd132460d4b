#include "fuzz/seeds/seeds.h"

#include <map>

#include "fuzz/seeds/texts.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

constexpr const char* kStart = "# hexproof fuzz case 1\n";
constexpr const char* kRefused = "# refused: ";

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

}  // namespace hexproof
