#include "tools/rejected.h"

#include <algorithm>
#include <cstdio>

#include "ir/base/codes.h"
#include "ir/base/utf8.h"
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

int rejected_files(const std::string& folder, const std::vector<api::AuditFinding>& findings) {
  Json report = {{"rejections", Json::array()}};
  for (const api::AuditFinding& one : findings) {
    const std::string place = folder + "/" + one.file;
    const int line = std::max(one.line, 1), column = std::max(one.column, 1);
    const Code code = one.solvers ? Code::SolversDisagree : Code::BadCertificate;
    report["rejections"].push_back(
        {{"code", info(code).id}, {"file", place}, {"line", line}, {"column", column}, {"why", one.why}});
    std::fprintf(stderr, "rejected: %s:%d:%d: %s\n%s\n", visible_path(place).c_str(), line, column,
                 visible(one.why).c_str(), code_line(code).c_str());
  }
  write_report(report, kRejected);
  return kRejected;
}

}  // namespace hexproof::tools
