#include "tools/rejected.h"

#include <cstdio>

#include "rewrite/report/shown.h"
#include "tools/reports/report.h"

namespace hexproof::tools {

void add_trust_rules(CLI::App& command, bool& trust_rules) {
  command.add_flag("--trust-rules", trust_rules,
                   "do not judge the result a second time (check, equiv, runs); the report says so");
}

Json checks_json(const api::Transformed& transformed, const Validation* validation) {
  Json out;
  for (const auto& [function, checked] : transformed.source_checks) {
    Json entry = to_json(checked);
    entry["function"] = function;
    out["source_checks"].push_back(entry);
  }
  if (validation && validation->check) out["final_check"] = to_json(*validation->check);
  return out;
}

int rejected(const api::Disagreement& disagreement, const Validation& validation) {
  write_report({{"by_validation", by_validation_json(&validation)}, {"report", disagreement.report}}, kRejected);
  std::fprintf(
      stderr,
      "rejected: every step was proved, and yet the result is wrong (seen by %s). This is a bug of hexproof; "
      "nothing was written.\n%s\n\nPlease report it with the text between the lines: it holds all that is "
      "needed. The schedule without the step that is wrong may be proved; --trust-rules does not mend this.\n\n%s",
      disagreement.seen_by.c_str(), disagreement.witness.c_str(), disagreement.report.c_str());
  return kRejected;
}

}  // namespace hexproof::tools
