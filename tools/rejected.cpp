#include "tools/rejected.h"

#include <fmt/format.h>

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
      disagreement.seen_by.c_str(), visible(disagreement.witness).c_str(), visible(disagreement.report).c_str());
  return kRejected;
}

Json told(const std::string& folder, const std::vector<api::AuditFinding>& findings) {
  Json out = Json::array();
  for (const api::AuditFinding& one : findings) {
    const std::string place = folder + "/" + one.file;
    const Code code = one.solvers ? Code::SolversDisagree : Code::BadCertificate;
    Json rejection = {{"code", info(code).id}, {"file", place}, {"why", one.why}};
    std::string at;
    if (one.line > 0) {
      rejection["line"] = one.line, rejection["column"] = one.column;
      at = fmt::format(":{}:{}", one.line, one.column);
    }
    out.push_back(rejection);
    std::fprintf(stderr, "rejected: %s%s: %s\n%s\n", visible_path(place).c_str(), at.c_str(),
                 visible_message(one.why).c_str(), code_line(code).c_str());
  }
  return out;
}

int rejected_files(const std::string& folder, const std::vector<api::AuditFinding>& findings) {
  write_report({{"rejections", told(folder, findings)}}, kRejected);
  return kRejected;
}

}  // namespace hexproof::tools
