#include "hexproof/check.h"

#include <fmt/format.h>

#include <set>

#include "rewrite/report/counterexample.h"
#include "tools/api/detail.h"
#include "verify/check/items/region_claims.h"
#include "verify/equiv/satisfiable.h"
#include "verify/prove/effort.h"

namespace hexproof::api {

std::vector<std::string> check_lines(const std::string& name, const CheckReport& report) {
  std::vector<std::string> out = {std::string(hexproof::to_text(report.finding)) + ": " + name + " (" +
                                  tally(report).str() + ")"};
  if (report.met) {
    auto tell = [&](const ErrorMet& one) {
      out.push_back(one.str());
      out.push_back(code_line(code_of(one.error.kind)));
    };
    tell(*report.met);
    std::for_each(report.met->others.begin(), report.met->others.end(), tell);
    return out;
  }
  if (!report.reason.empty()) out.push_back(report.reason);
  if (report.finding != Finding::Proved) out.push_back(code_line(code_of(report)));
  return out;
}

namespace {

/// A claim of a region as a warning: "p.py:3:9: warning: it is false that T.reads of block B covers an access of A".
std::string warning_of(const CheckedObligation& one) {
  const Span& at = one.obligation.where.span;
  const std::string place = at.file ? fmt::format("{}:{}:{}: ", at.file->path, at.line, at.column) : std::string();
  return place + "warning: it is " + (one.answer.verdict == hexproof::Verdict::Refuted ? "false" : "not proved") +
         " that " + one.obligation.why;
}

/// What the rest of the program comes to, where regions that it declares are not what its blocks access.
void look_past_regions(const Linked& linked, CheckReport* report, std::vector<std::string>* warnings, Prover& prover) {
  if (report->finding != Finding::Refuted && report->finding != Finding::Undecided) return;
  std::set<std::string> said;  // once each, though a block may access a buffer at several places
  for (const CheckedObligation* one : open_region_claims(*report)) {
    const std::string warning = warning_of(*one);
    if (said.insert(warning).second) warnings->push_back(warning);
  }
  if (warnings->empty()) return;
  *report = check_program({without_regions(linked.func), linked.assumes}, prover);
}

}  // namespace

Checked check(const Program& program, const std::string& function, Session& session, Claims claims) {
  return translated([&] {
    session.begin();
    auto report = std::make_shared<CheckReport>();
    std::vector<std::string> warnings;
    try {
      const Linked linked = api::linked(program.module(), function, session.prover());
      *report = check_program(linked, session.prover());
      if (claims == Claims::Warning) look_past_regions(linked, report.get(), &warnings, session.prover());
    } catch (const OutOfTime& e) {
      *report = {};
      report->finding = Finding::Undecided;
      report->reason = e.what();
    }
    return Checked{
        function, verdict_of(report->finding), tally(*report).str(), report->counterexample, report->reason, report,
        warnings};
  });
}

}  // namespace hexproof::api
