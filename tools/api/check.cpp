#include "hexproof/check.h"

#include "rewrite/report/counterexample.h"
#include "tools/api/detail.h"
#include "verify/equiv/satisfiable.h"
#include "verify/prove/effort.h"

namespace hexproof::api {

std::vector<std::string> check_lines(const std::string& name, const CheckReport& report) {
  std::vector<std::string> out = {std::string(hexproof::to_text(report.finding)) + ": " + name + " (" +
                                  tally(report).str() + ")"};
  if (!report.counterexample.empty()) out.push_back(report.counterexample);
  if (!report.reason.empty()) out.push_back(report.reason);
  if (report.finding != Finding::Proved) out.push_back(code_line(code_of(report)));
  return out;
}

Checked check(const Program& program, const std::string& function, Session& session) {
  return translated([&] {
    session.begin();
    auto report = std::make_shared<CheckReport>();
    try {
      *report = check_program(link(program.module(), function, session.prover()), session.prover());
    } catch (const OutOfTime& e) {
      *report = {};
      report->finding = Finding::Undecided;
      report->reason = e.what();
    }
    return Checked{function, verdict_of(report->finding), tally(*report).str(), report->counterexample, report->reason,
                   report};
  });
}

}  // namespace hexproof::api
