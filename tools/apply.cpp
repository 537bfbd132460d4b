// hexproof apply FILE SCHEDULE: run a schedule, every rule application proved, and print the program.
#include <cstdio>

#include "ir/base/file.h"
#include "ir/text/text.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/report/certificate.h"
#include "rewrite/report/shown.h"
#include "tools/second_line.h"
#include "tools/session.h"
#include "tools/verdict.h"
#include "tools/version.h"

namespace hexproof::tools {
namespace {

struct ApplyOptions : Judged {
  std::string file, schedule, function, output, certificate;
};

/// A module of several functions, or one that the schedule split.
int finish(const ApplyOptions& o, const TransformedModule& done, Prover& prover) {
  ModuleReport report = done.report();
  report.trust_rules = o.trust_rules;
  for (const ModulePart& part : o.trust_rules ? std::vector<ModulePart>{} : parts_to_judge(done.module, prover)) {
    Validation validation = second_line(part.first, part.last, part.interface, prover, true, false);
    if (!validation.disagrees.empty()) {
      return rejected(o, validation,
                      {"apply", o.file, done.source_text, o.schedule, done.schedule_text, part.first, part.last});
    }
    report.validated.emplace_back(part.what, std::move(validation));
  }
  if (!o.certificate.empty()) {
    OutputFolder folder(o.certificate);
    write_module_certificate(folder, {.report = report,
                                      .source_path = o.file,
                                      .source_text = done.source_text,
                                      .schedule_path = o.schedule,
                                      .schedule_text = done.schedule_text,
                                      .versions = version_json()});
    folder.commit();
  }
  if (!o.json.empty()) {
    Json json = report_header("apply");
    json["verdict"] = "proved";
    json.update(to_json(report));
    write_file(o.json, json.dump(2) + "\n");
  }
  std::string text = print(done.module.current());
  if (o.output.empty()) {
    std::fputs(text.c_str(), stdout);
    return kProved;
  }
  write_file(o.output, text);
  o.say("proved: module " + done.module.source().name);
  for (const std::string& line : summary_lines(report)) o.say(line);
  return kProved;
}

int apply(const ApplyOptions& o) {
  std::unique_ptr<Prover> prover = o.prover();
  int code = kProved;
  std::optional<Transformed> done;
  if (o.function.empty()) {
    std::optional<TransformedModule> all = transform_module(o, o.file, o.schedule, *prover, &code);
    if (!all) return code;
    if (all->module.names().size() > 1) return finish(o, *all, *prover);
    done = Transformed{all->source_text, all->schedule_text, all->module.function(all->module.names()[0]),
                       all->source_checks[0].second};
  } else {
    done = transform(o, o.file, o.schedule, o.function, *prover, &code);
    if (!done) return code;
  }
  const Derivation& derivation = done->derivation;
  // A certificate holds a check of the result in any case.
  Validation validation;
  if (!o.trust_rules || !o.certificate.empty())
    validation = second_line(derivation, *prover, !o.trust_rules, !o.certificate.empty());
  if (!validation.disagrees.empty()) {
    return rejected(o, validation,
                    {"apply", o.file, done->source_text, o.schedule, done->schedule_text, derivation.source(),
                     before_lowering(derivation)});
  }
  const Validation* judged = o.trust_rules ? nullptr : &validation;
  if (validation.check && validation.check->finding == Finding::Vacuous) {
    say_check(o, "the transformed program", *validation.check);
    return kVacuous;
  }
  if (!o.certificate.empty()) {
    OutputFolder folder(o.certificate);
    write_certificate(folder, {.derivation = derivation,
                               .source_check = done->source_check,
                               .final_check = *validation.check,
                               .source_path = o.file,
                               .source_text = done->source_text,
                               .schedule_path = o.schedule,
                               .schedule_text = done->schedule_text,
                               .versions = version_json(),
                               .validation = judged});
    folder.commit();
  }
  if (!o.json.empty()) {
    Json report = report_header("apply");
    report["verdict"] = "proved";
    report["by_construction"] = by_construction_json(derivation, done->source_check);
    report["by_validation"] = by_validation_json(judged);
    report["source_check"] = to_json(done->source_check);
    for (const Step& step : derivation.steps()) report["steps"].push_back(to_json(step));
    write_file(o.json, report.dump(2) + "\n");
  }
  std::string text = print(derivation.current());
  if (o.output.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    write_file(o.output, text);
    o.say("proved: " + std::to_string(derivation.steps().size()) + " steps, " + tally(derivation).str());
    std::string shown = print_shown(shown_rows(derivation, done->source_check, judged));
    o.say(shown.substr(0, shown.size() - 1));
  }
  return kProved;
}

}  // namespace

void add_apply(CLI::App& app, Run& run) {
  auto o = std::make_shared<ApplyOptions>();
  CLI::App* command = app.add_subcommand("apply", "transform a program by a schedule, every step proved");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  command->add_option("SCHEDULE", o->schedule, "the schedule, in Python with TVM's names")->required();
  command->add_option("-o,--output", o->output, "where the transformed program goes; standard output if not given");
  command->add_option("--certificate", o->certificate, "keep the derivation in this folder");
  command->add_option("--function", o->function, "transform this function alone, with what it calls linked into it");
  o->add_to(*command);
  o->add_trust_rules(*command);
  command->callback([o, &run] { run = [o] { return apply(*o); }; });
}

}  // namespace hexproof::tools
