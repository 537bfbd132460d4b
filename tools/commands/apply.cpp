// hexproof apply FILE SCHEDULE: run a schedule, every rule application proved, and print the program.
#include <cstdio>

#include "ir/base/file.h"
#include "rewrite/report/shown.h"
#include "tools/api/certificate/derivation_folder.h"
#include "tools/api/detail.h"
#include "tools/depfile.h"
#include "tools/diff.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/save.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct ApplyArguments : Common {
  std::string file, schedule, output, certificate, save, depfile;
  bool diff = false;
  api::ScheduleOptions options;
};

/// What was shown: of a function by itself, or of a module of several functions.
struct Shown {
  Json json;
  std::vector<std::string> lines;
};

Shown shown(const api::ScheduledDetail& detail) {
  Shown out;
  if (!detail.transformed.single()) {
    ModuleReport report = detail.report();
    out.json = to_json(report);
    out.lines = summary_lines(report);
    out.lines.insert(out.lines.begin(), "proved: module " + detail.transformed.module.source().name);
    return out;
  }
  const Derivation& derivation = detail.transformed.function();
  const CheckReport& source_check = detail.transformed.source_check();
  out.json["by_construction"] = by_construction_json(derivation, source_check);
  out.json["by_validation"] = by_validation_json(detail.judged());
  out.json["source_check"] = to_json(source_check);
  for (const Step& step : derivation.steps()) out.json["steps"].push_back(to_json(step));
  std::string table = print_shown(shown_rows(derivation, source_check, detail.judged()));
  out.lines = {"proved: " + std::to_string(derivation.steps().size()) + " steps, " + tally(derivation).str(),
               table.substr(0, table.size() - 1)};
  return out;
}

int apply(const ApplyArguments& o) {
  o.begin({.inputs = {{"FILE", o.file}, {"SCHEDULE", o.schedule}},
           .outputs = {{"-o", o.output},
                       {"--depfile", o.depfile},
                       {"--save", o.save.empty() ? "" : o.save + "/counterexample.txt"}},
           .folders = {{"--certificate", o.certificate}},
           .made = {{"--save", o.save}}});
  if (o.output.empty()) demand_free("-", "the program");
  api::Session session = o.session();
  api::ScheduleOptions options = o.options;
  options.thorough = !o.certificate.empty();  // a certificate holds a check of the result in any case
  const auto [program, schedule] = o.program(o.file, o.schedule);
  const api::Scheduled done = saved(o.save, [&] { return api::schedule(program, schedule, options, session); });
  for (const std::string& line : done.says) o.say(exit_code(done.verdict), line);
  if (done.verdict != api::Verdict::Proved) {
    const auto& validated = done.detail->validated;
    save_input(o.save, done.detail->transformed, validated.empty() ? nullptr : &validated.back().second);
  }
  if (done.verdict == api::Verdict::Rejected) {
    return rejected(done.disagreement, done.detail->validated.back().second);
  }
  if (done.verdict != api::Verdict::Proved) {
    const auto& validated = done.detail->validated;
    write_report(checks_json(done.detail->transformed, validated.empty() ? nullptr : &validated.back().second),
                 exit_code(done.verdict));
    return exit_code(done.verdict);
  }
  for (const Given& output : {Given{"-o", o.output}, {"--depfile", o.depfile}, {"--certificate", o.certificate}}) {
    demand_unread(output);
  }
  const std::string rule = o.depfile.empty() ? "" : depfile_text(o.output, {o.file, o.schedule});
  if (!o.certificate.empty()) api::save_derivation(o.certificate, *done.detail, program, schedule, session);
  const Shown result = shown(*done.detail);
  if (!o.output.empty()) write_file(o.output, done.program);
  if (!o.depfile.empty()) write_file(o.depfile, rule);
  write_report(result.json, kProved);
  if (o.diff) o.say_diff(unified_diff(done.detail->transformed.module), o.output.empty());
  if (o.output.empty()) {
    std::fputs(done.program.c_str(), stdout);
    return kProved;
  }
  for (const std::string& line : result.lines) o.say(line);
  return kProved;
}

}  // namespace

void add_apply(CLI::App& app, Run& run) {
  auto o = std::make_shared<ApplyArguments>();
  CLI::App* command = app.add_subcommand("apply", "transform a program by a schedule, every step proved");
  command->add_option("FILE", o->file, "the program, in TVMScript; or alone, a script of tensor expressions")
      ->required();
  command->add_option("SCHEDULE", o->schedule, "the schedule, in Python with TVM's names");
  command->add_option("-o,--output", o->output, "where the transformed program goes; standard output if not given");
  command->add_option("--certificate", o->certificate, "keep the derivation in this folder");
  command->add_option("--function", o->options.function,
                      "transform this function alone, with what it calls linked into it");
  o->add_to(*command);
  add_save(*command, o->save);
  add_diff(*command, o->diff, "the program at each step; to standard error where standard output is the program");
  add_depfile(*command, o->depfile)->needs("-o");
  add_trust_rules(*command, o->options.trust_rules);
  command->callback([o, &run] {
    if (o->schedule.empty() && !api::is_tensor_script(o->file)) throw CLI::RequiredError("SCHEDULE");
    run = [o] { return apply(*o); };
  });
}

}  // namespace hexproof::tools
