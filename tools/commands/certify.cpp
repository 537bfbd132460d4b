// hexproof certify FILE [SCHEDULE]: the main job, from a program to a certified kernel.
#include "hexproof/certify.h"

#include "ir/base/file.h"
#include "tools/api/detail.h"
#include "tools/cpu.h"
#include "tools/depfile.h"
#include "tools/diff.h"
#include "tools/progress.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/save.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct CertifyArguments : Common {
  std::string file, schedule, output, save, depfile, target = "hexagon";
  bool diff = false;
  api::CertifyOptions options;
};

int certify(const CertifyArguments& o) {
  o.begin({.inputs = {{"FILE", o.file}, {"SCHEDULE", o.schedule}},
           .outputs = {{"--depfile", o.depfile}, {"--save", o.save.empty() ? "" : o.save + "/counterexample.txt"}},
           .folders = {{"-o", o.output}},
           .made = {{"--save", o.save}}});
  OutputFolder folder(o.output);
  api::Session session = o.session();
  api::CertifyOptions options = o.options;
  options.target = o.target == "host" ? api::Target::Host : api::Target::Hexagon;
  options.stage = progress;
  const auto [program, schedule] = o.program(o.file, o.schedule);
  const api::Certificate made = saved(o.save, [&] { return api::certify(program, schedule, options, session); });
  for (const std::string& line : made.says) o.say(exit_code(made.verdict), line);
  if (made.verdict != api::Verdict::Proved) save_input(o.save, made.detail->transformed, &made.detail->validation);
  if (made.verdict == api::Verdict::Rejected && made.disagreement.report.empty()) {
    o.say(kRejected,
          "rejected: the object and the interpreter disagree; this is a bug of hexproof, LLVM or QEMU. Nothing was "
          "written");
    write_report({{"lines", made.says}}, kRejected);
    return kRejected;
  }
  if (made.verdict == api::Verdict::Rejected) return rejected(made.disagreement, made.detail->validation);
  if (made.verdict != api::Verdict::Proved) {
    write_report(checks_json(made.detail->transformed, &made.detail->validation), exit_code(made.verdict));
    return exit_code(made.verdict);
  }
  for (const Given& output : {Given{"-o", o.output}, {"--depfile", o.depfile}}) demand_unread(output);
  const std::string rule = o.depfile.empty() ? "" : depfile_text(o.output + "/kernel.o", {o.file, o.schedule});
  for (const auto& [name, file] : made.files) folder.write(name, file.bytes, file.executable);
  folder.commit();
  if (!o.depfile.empty()) write_file(o.depfile, rule);
  write_report(Json::parse(made.json()), kProved);
  if (o.diff) o.say_diff(unified_diff(made.detail->transformed.module), false);
  o.say(made.summary());
  o.say("certificate: " + o.output);
  return kProved;
}

}  // namespace

void add_certify(CLI::App& app, Run& run) {
  auto o = std::make_shared<CertifyArguments>();
  CLI::App* command = app.add_subcommand("certify", "a certified kernel: object, proof and measurements in one folder");
  command->add_option("FILE", o->file, "the program, in TVMScript; or alone, a script of tensor expressions")
      ->required();
  command->add_option("SCHEDULE", o->schedule, "the schedule, in Python with TVM's names");
  command->add_option("--target", o->target, "hexagon or host")->check(CLI::IsMember({"hexagon", "host"}));
  add_cpu(*command, o->options.cpu);
  command->add_option("-o,--output", o->output, "the certificate folder")->required();
  command->add_option("--function", o->options.function, "the function to certify, when the file has several");
  command->add_option("--seed", o->options.seed, "which random input the object runs on");
  command->add_flag("!--no-run", o->options.run, "do not run the object; the summary says so");
  o->add_to(*command);
  add_save(*command, o->save);
  add_diff(*command, o->diff, "the program at each step");
  add_depfile(*command, o->depfile);
  add_trust_rules(*command, o->options.trust_rules);
  command->callback([o, &run] { run = [o] { return certify(*o); }; });
}

}  // namespace hexproof::tools
