// hexproof run FILE: runs a program on tensors from .npy files.
#include "hexproof/run.h"

#include <algorithm>
#include <filesystem>

#include "rewrite/report/counterexample.h"
#include "tools/api/certificate/audit_files.h"
#include "tools/api/detail.h"
#include "tools/command.h"
#include "tools/cpu.h"
#include "tools/rejected.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"

namespace hexproof::tools {
namespace {

struct RunArguments : Common {
  std::string path, target = "interp";
  std::vector<std::string> inputs, outputs, scalars;
  api::RunOptions options;
};

const std::map<std::string, api::RunTarget> kTargets = {
    {"interp", api::RunTarget::Interpreter}, {"host", api::RunTarget::Host}, {"hexagon", api::RunTarget::Hexagon}};

int run_program(const RunArguments& o) {
  std::error_code error;
  const bool certificate = std::filesystem::is_directory(o.path, error);
  constexpr const char* kFinal = "final.py";
  const std::string path = certificate ? o.path + "/" + kFinal : o.path;
  GivenFiles files{.inputs = {{"PROGRAM", path}}};
  if (certificate) files.sources.push_back({"PROGRAM", o.path});
  for (const std::string& path : o.inputs) files.inputs.push_back({"--input", path});
  for (const std::string& path : o.outputs) files.outputs.push_back({"--output", path});
  o.begin(std::move(files));
  api::Session session = o.session();
  api::RunOptions options = o.options;
  options.target = kTargets.at(o.target);
  options.of_certificate = certificate;
  for (const std::string& text : o.scalars) options.scalars.push_back(api::read_scalar_argument(text));
  const api::ListedFiles listed = certificate ? api::read_listed(o.path) : api::ListedFiles();
  if (!listed.wrong.empty()) return rejected_files(o.path, listed.wrong);
  // What was compared with its digest is what runs, whatever is in the file by now.
  if (certificate && !listed.files.count(kFinal))
    throw CodedError(Code::CannotRead, "'" + o.path + "' has no final program");
  const api::Program program =
      certificate ? api::read_text(listed.files.at(kFinal), path, {.fast_math = o.fp}) : o.program(path);
  const Linked linked = api::linked_function(program, options.function, session);
  size_t buffers = linked.func.buffer_params().size();
  // Inputs go to the first parameters.
  if (o.inputs.size() > buffers || o.outputs.size() > buffers) {
    throw Error("'" + linked.func.name + "' has " + std::to_string(buffers) + " buffers: too many files");
  }
  std::vector<api::Tensor> tensors;
  for (const std::string& path : o.inputs) tensors.push_back(api::read_npy(path));
  const api::Ran ran = api::run(program, tensors, options, session);
  for (const std::string& line : ran.counts) o.say(line);
  if (ran.met) {
    o.say(kRefuted, "the program reaches an error: " + ran.error);
    o.say(kRefuted, code_line(code_of(ran.met->error.kind)));
  }
  if (ran.verdict != api::Verdict::Proved && ran.checked.detail) {
    for (const std::string& line : api::check_lines(ran.checked.function, *ran.checked.detail))
      o.say(exit_code(ran.verdict), line);
  }
  Json report = {{"function", linked.func.name}, {"target", o.target}, {"counts", ran.counts}};
  if (ran.met) {
    report["counterexample"] = ran.error;
    report["code"] = info(code_of(ran.met->error.kind)).id;
    report["error_met"] = to_json(*ran.met);
  }
  if (ran.checked.detail) report["source_check"] = to_json(*ran.checked.detail);
  if (ran.verdict != api::Verdict::Proved) {
    write_report(report, exit_code(ran.verdict));
    return exit_code(ran.verdict);
  }
  // Outputs are the last parameters.
  for (const std::string& output : o.outputs) demand_unread({"--output", output});
  for (size_t i = 0; i < o.outputs.size(); ++i) {
    api::write_npy(o.outputs[i], tensors[buffers - o.outputs.size() + i]);
  }
  report["verdict"] = "ran";  // nothing was proved of the result
  report["outputs"] = o.outputs;
  write_report(report, kProved);
  return kProved;
}

}  // namespace

void add_run(CLI::App& app, Run& run) {
  auto o = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "run a program on tensors");
  command
      ->add_option(
          "PROGRAM", o->path,
          "a program in TVMScript, or a certificate folder: its final program, if its files are those that it lists")
      ->required();
  command->add_option("--input", o->inputs, ".npy files for the first buffers, in order");
  command->add_option("--output", o->outputs, ".npy files that receive the last buffers, in order");
  command->add_option("--scalar", o->scalars, "values of the scalar parameters, in order")
      ->check([](const std::string& text) -> std::string {
        try {
          api::read_scalar_argument(text);
          return "";
        } catch (const api::Failure& failure) {
          return failure.what();
        }
      });
  command->add_option("--function", o->options.function, "the function to run, when the file has several");
  command->add_option("--target", o->target, "interp, host or hexagon")
      ->check(CLI::IsMember({"interp", "host", "hexagon"}));
  add_cpu(*command, o->options.cpu);
  command->add_flag("--assert-static", o->options.assert_static,
                    "assert on the way every fact, footprint, obligation and claim that check has of the program");
  o->add_to(*command);
  command->callback([o, &run] { run = [o] { return coded(Code::Option, [&] { return run_program(*o); }); }; });
}

}  // namespace hexproof::tools
