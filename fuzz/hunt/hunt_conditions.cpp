#include "fuzz/hunt/hunt_conditions.h"

#ifdef HEXPROOF_MUTANTS

#include "fuzz/steps/probe_rule.h"
#include "ir/base/mutant.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {

namespace {

constexpr int kProbesInTurn = 25;

/// expr/RULE/condition-K
std::string rule_of_condition(const std::string& name) {
  const size_t start = name.find('/') + 1;
  return name.substr(start, name.find('/', start) - start);
}

}  // namespace

std::map<std::string, Hunted> hunt_conditions(const HuntOptions& options, std::set<std::string> names) {
  const double start = processor_seconds();
  auto spent = [&] { return processor_seconds() - start; };
  std::map<std::string, Hunted> out;
  uint64_t random = options.seed * 0x9e3779b97f4a7c15ull, cases = 0;
  while (!names.empty() && spent() < options.seconds) {
    Prover prover({.cache_path = "", .rlimit = 20'000, .jobs = 1});
    for (auto name = names.begin(); name != names.end() && spent() < options.seconds;) {
      switch_on_mutant(*name);
      std::string finding;
      for (int k = 0; k < kProbesInTurn && finding.empty(); ++k, ++cases) {
        finding = probe_expression_rule(next_random(random), prover, rule_of_condition(*name));
      }
      switch_off_mutant();
      if (finding.empty()) {
        ++name;
        continue;
      }
      out[*name] = {true, spent(), cases, finding};
      name = names.erase(name);
    }
  }
  for (const std::string& name : names) out[name] = {false, spent(), cases, ""};
  return out;
}

}  // namespace hexproof

#else

namespace hexproof {

std::map<std::string, Hunted> hunt_conditions(const HuntOptions&, std::set<std::string>) { return {}; }

}  // namespace hexproof

#endif
