// hexproof audit DIR: a certificate re-checked from its files alone.
#include "tools/api/certificate/audit.h"

#include <fmt/format.h>

#include "ir/base/utf8.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct AuditArguments : Common {
  std::string folder, solver;
  std::function<bool()> bounded;  // is --rlimit given?
  api::AuditOptions options;
};

/// What the certificate chose begins no line.
void say(const AuditArguments& o, int code, const std::string& text) { o.say(code, visible_message(text)); }

int audit(const AuditArguments& o) {
  o.begin({.sources = {{"DIR", o.folder}}});
  api::AuditOptions options = o.options;
  if (o.bounded()) options.rlimit = o.rlimit;
  options.z3 = o.solver != "cvc5", options.cvc5 = o.solver != "z3";
  options.stage = progress;
  const api::Audited done =
      api::audit(o.folder, options, {.rlimit = o.rlimit, .jobs = o.jobs, .seconds = o.budget, .cache = {}});
  Json report = {{"function", done.function},
                 {"steps", done.steps},
                 {"formulas", done.obligations},
                 {"certificate_files", done.files},
                 {"solvers", Json::object()},
                 {"notes", done.notes},
                 {"rejections", told(o.folder, done.findings)}};
  for (const auto& [name, counts] : done.solvers) {
    report["solvers"][name] = {{"unsat", counts.unsat}, {"sat", counts.sat}, {"unknown", counts.unknown}};
  }
  if (!done.reason.empty()) report["reason"] = done.reason;
  const int code = exit_code(done.verdict);
  write_report(report, code);
  if (!done.findings.empty()) return code;
  say(o, code,
      fmt::format("{}: the certificate of {} in {}{}", api::to_text(done.verdict), done.function, o.folder,
                  done.reason.empty() ? "" : ": " + done.reason));
  if (done.verdict != api::Verdict::Proved && done.solvers.empty()) return code;
  say(o, kProved,
      fmt::format("  {} steps replayed and proved anew; {} files compared, {} formulas among them", done.steps,
                  done.files, done.obligations));
  for (const auto& [name, counts] : done.solvers) {
    say(o, kProved,
        fmt::format("  the stored formulas by {}: {} unsat, {} not decided, {} sat", name, counts.unsat, counts.unknown,
                    counts.sat));
  }
  for (const std::string& note : done.notes) say(o, kProved, "  " + note);
  return code;
}

}  // namespace

void add_audit(CLI::App& app, Run& run) {
  auto o = std::make_shared<AuditArguments>();
  CLI::App* command = app.add_subcommand("audit", "re-check a certificate from its files alone");
  command->add_option("DIR", o->folder, "the certificate")->required();
  command->add_flag("--run", o->options.run, "run the object again, too");
  command->add_option("--solver", o->solver, "ask z3 or cvc5 alone for the stored formulas; both if not given")
      ->check(CLI::IsMember({"z3", "cvc5"}));
  o->add_to(*command);
  o->bounded = [limit = command->get_option("--rlimit")] { return limit->count() > 0; };
  command->callback([o, &run] { run = [o] { return audit(*o); }; });
}

}  // namespace hexproof::tools
