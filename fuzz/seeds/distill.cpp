#include "fuzz/seeds/distill.h"

#include <algorithm>

#include "fuzz/hunt/quick_look.h"
#include "fuzz/hunt/unproved_needs.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"

namespace hexproof {
namespace {

constexpr size_t kLongest = 1'800;         // characters of a program
constexpr size_t kLooked = 24;             // of the smallest ones of a need: how many are run
constexpr int kInputsLooked = 64;          // on which each of these is run
constexpr size_t kWrong = 3, kFiring = 2;  // how many are kept of each kind

/// Steps of one kind are much alike: what is refused for one need, or fires with the same names of arguments.
std::string kind_of(const StepSeed& seed) {
  if (!seed.refused.empty()) return seed.step().rule + " " + seed.refused;
  std::string out = seed.step().rule;
  for (const auto& [name, value] : seed.step().args.items()) out += std::string(" ") + name;
  return out;
}

/// Finds inputs on which the step goes wrong, so that a need of it must fail.
bool goes_wrong(StepSeed* seed) {
  const std::optional<Rewrite> rewrite = unproved(seed->fuzz_case.program, seed->step());
  if (!rewrite) return false;
  const QuickLook look = look_quickly(seed->fuzz_case.program, *rewrite, 1, kInputsLooked);
  if (look.seed) seed->fuzz_case.input_seed = *look.seed;
  return look.seed.has_value();
}

/// Those that go wrong, first where the need alone forbids it; or else one that does not.
void keep_refused(std::vector<StepSeed>& list, Prover& prover, std::vector<StepSeed>* out) {
  std::vector<StepSeed> alone, with_others, right;
  for (size_t k = 0; k < list.size() && k < kLooked && alone.size() < kWrong; ++k) {
    const bool wrong = goes_wrong(&list[k]);
    const bool lone = unproved_needs(list[k].fuzz_case.program, list[k].step(), prover).size() == 1;
    (!wrong ? right : lone ? alone : with_others).push_back(list[k]);
  }
  alone.insert(alone.end(), with_others.begin(), with_others.end());
  if (alone.empty() && !right.empty()) alone.push_back(right[0]);
  if (alone.size() > kWrong) alone.resize(kWrong);
  out->insert(out->end(), alone.begin(), alone.end());
}

}  // namespace

std::map<std::string, std::vector<StepSeed>> distilled(std::vector<StepSeed> records) {
  std::map<std::string, std::map<std::pair<size_t, std::string>, StepSeed>> kinds;  // by size and text
  for (StepSeed& seed : records) {
    const std::string program = print(seed.fuzz_case.program);
    if (program.size() > kLongest) continue;
    seed.fuzz_case.input_seed = 1;
    kinds[kind_of(seed)].try_emplace({program.size(), to_text(seed)}, seed);
  }
  Prover prover({.cache_path = "", .jobs = 1});
  std::map<std::string, std::vector<StepSeed>> out;
  for (auto& [kind, sorted] : kinds) {
    std::vector<StepSeed> list;
    for (auto& [key, seed] : sorted) list.push_back(std::move(seed));
    std::vector<StepSeed>& kept = out[list[0].step().rule];
    if (!list[0].refused.empty()) {
      keep_refused(list, prover, &kept);
    } else {
      list.resize(std::min(list.size(), kFiring));
      kept.insert(kept.end(), list.begin(), list.end());
    }
  }
  return out;
}

}  // namespace hexproof
