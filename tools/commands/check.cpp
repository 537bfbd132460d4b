// hexproof check FILE: is the program free of errors for all inputs that satisfy its assumes?
#include "hexproof/check.h"

#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/reports/report.h"
#include "tools/save.h"
#include "tools/verdict.h"

namespace hexproof::tools {

void add_check(CLI::App& app, Run& run) {
  struct Options : Common {
    std::string file, save, claims = "warning";
  };
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "prove a program free of errors, or show the input that breaks it");
  command->add_option("FILE", o->file, "the program, in TVMScript")->required();
  command
      ->add_option("--claims", o->claims,
                   "a false T.reads or T.writes, which changes no value, is a warning (if not given) or an error")
      ->check(CLI::IsMember({"warning", "error"}));
  add_save(*command, o->save);
  o->add_to(*command);
  command->callback([o, &run] {
    run = [o] {
      o->begin({.inputs = {{"FILE", o->file}},
                .outputs = {{"--save", o->save.empty() ? "" : o->save + "/counterexample.txt"}},
                .made = {{"--save", o->save}}});
      api::Session session = o->session();
      Json report;
      int code = kProved;
      const api::Program program = o->program(o->file);
      for (const std::string& function : program.functions()) {
        const auto claims = o->claims == "error" ? api::Claims::Error : api::Claims::Warning;
        api::Checked checked = api::check(program, function, session, claims);
        for (const std::string& line : api::check_lines(function, *checked.detail))
          o->say(exit_code(checked.verdict), line);
        for (const std::string& warning : checked.warnings) o->say(kRefuted, warning);
        save_input(save_folder(o->save, function, program.functions().size() > 1), *checked.detail);
        Json entry = to_json(*checked.detail);
        entry["function"] = function;
        if (!checked.warnings.empty()) entry["warnings"] = checked.warnings;
        report["functions"].push_back(entry);
        code = worse(code, exit_code(checked.verdict));
        keep_report(report, code);
      }
      write_report(report, code);
      return code;
    };
  });
}

}  // namespace hexproof::tools
