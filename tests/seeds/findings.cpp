#include "tests/seeds/findings.h"

#include "rewrite/report/report.h"

namespace hexproof {

void check_module(const IRModule& module, const std::string& where, const ExpectedFindings& expected,
                  std::map<std::string, int>* met) {
  static Prover prover;
  for (const PrimFunc& func : module.functions) {
    std::string key = where + " " + func.name;
    ++(*met)[key];
    CheckReport report = check(func, prover);
    auto entry = expected.find(key);
    Finding wanted = entry == expected.end() ? Finding::Proved : entry->second.finding;
    std::string text = report.counterexample + report.reason;
    EXPECT_EQ(to_text(report.finding), to_text(wanted)) << key << "\n" << text;
    if (entry == expected.end()) continue;
    EXPECT_NE(text.find(entry->second.words), std::string::npos) << key << "\n" << text;
  }
}

}  // namespace hexproof
