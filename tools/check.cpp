// hexproof check FILE: is the program free of errors for all inputs that satisfy its assumes?
#include "verify/check/check.h"

#include "ir/base/file.h"
#include "rewrite/report/report.h"
#include "tools/command.h"
#include "tools/verdict.h"
#include "tools/version.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {

int exit_code(Finding finding) {
  switch (finding) {
    case Finding::Proved:
      return kProved;
    case Finding::Refuted:
      return kRefuted;
    case Finding::Undecided:
      return kUndecided;
    case Finding::Vacuous:
      return kVacuous;
    case Finding::Unsupported:
      return kUnsupported;
  }
  internal_error(__FILE__, __LINE__, "no such finding");
}

int worse(int a, int b) {
  // In the order in which a person must look at them.
  for (int code : {+kRejected, +kRefuted, +kVacuous, +kUnsupported, +kUndecided}) {
    if (a == code || b == code) return code;
  }
  return kProved;
}

void say_check(const Common& common, const std::string& name, const CheckReport& report) {
  common.say(std::string(to_text(report.finding)) + ": " + name + " (" + tally(report).str() + ")");
  if (!report.counterexample.empty()) common.say(report.counterexample);
  if (!report.reason.empty()) common.say(report.reason);
}

Json report_header(const std::string& command) {
  return {{"schema_version", kSchemaVersion}, {"command", command}, {"versions", version_json()}};
}

void add_check(CLI::App& app, Run& run) {
  struct Options : Common {
    std::string file;
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "prove a program free of errors, or show the input that breaks it");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] {
      std::unique_ptr<Prover> prover = o->prover();
      Json report = report_header("check");
      int code = kProved;
      const IRModule module = o->module(o->file);
      for (const PrimFunc& func : module.functions) {
        o->begin_functions();
        CheckReport checked;
        try {
          checked = check(link(module, func.name, *prover), *prover);
        } catch (const OutOfTime& e) {
          checked = {};
          checked.finding = Finding::Undecided;
          checked.reason = e.what();
        }
        say_check(*o, func.name, checked);
        Json entry = to_json(checked);
        entry["function"] = func.name;
        report["functions"].push_back(entry);
        code = worse(code, exit_code(checked.finding));
      }
      if (!o->json.empty()) write_file(o->json, report.dump(2) + "\n");
      return code;
    };
  });
}

}  // namespace hexproof::tools
