// hexproof python [--json FILE] [FILE | -c TEXT | -m MODULE] ARGUMENTS: Python with the package `hexproof`.
#include "tools/command.h"
#include "tools/python/package/run.h"
#include "tools/reports/report.h"

namespace hexproof::tools {

namespace {

/// What stands behind FILE, TEXT or MODULE is the program's.
int run_python(const Common& o, const std::vector<std::string>& words) {
  const bool file = !words.empty() && !words[0].starts_with("-");
  o.begin({.inputs = {{"FILE", file ? words[0] : ""}}});
  const int code = python::run_program(words);
  write_report({{"verdict", code == 0 ? "ran" : "failed"}, {"arguments", words}}, code);
  return code;
}

}  // namespace

void add_python(CLI::App& app, Run& run) {
  auto o = std::make_shared<Common>();
  CLI::App* command = app.add_subcommand("python", "run Python, with the package hexproof: FILE, -c TEXT or -m MODULE");
  command->prefix_command();
  o->add_json_to(*command);
  command->callback([o, command, &run] { run = [o, words = command->remaining()] { return run_python(*o, words); }; });
}

}  // namespace hexproof::tools
