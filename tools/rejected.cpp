#include "tools/rejected.h"

#include <cstdio>

#include "ir/base/file.h"
#include "rewrite/report/shown.h"
#include "tools/verdict.h"

namespace hexproof::tools {

void add_trust_rules(CLI::App& command, bool& trust_rules) {
  command.add_flag("--trust-rules", trust_rules,
                   "do not judge the result a second time (check, equiv, runs); the report says so");
}

int rejected(const Common& common, const std::string& command, const api::Disagreement& disagreement,
             const Validation& validation) {
  if (!common.json.empty()) {
    Json json = report_header(command);
    json["verdict"] = "rejected";
    json["by_validation"] = by_validation_json(&validation);
    json["report"] = disagreement.report;
    write_file(common.json, json.dump(2) + "\n");
  }
  std::fprintf(
      stderr,
      "rejected: every step was proved, and yet the result is wrong (seen by %s). This is a bug of hexproof; "
      "nothing was written.\n%s\n\nPlease report it with the text between the lines: it holds all that is "
      "needed. The schedule without the step that is wrong may be proved; --trust-rules does not mend this.\n\n%s",
      disagreement.seen_by.c_str(), disagreement.witness.c_str(), disagreement.report.c_str());
  return kRejected;
}

}  // namespace hexproof::tools
