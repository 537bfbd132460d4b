// hexproof python [FILE | -c TEXT | -m MODULE] ARGUMENTS: Python with the package `hexproof`.
#include "tools/command.h"
#include "tools/python/package/run.h"

namespace hexproof::tools {

void add_python(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("python", "run Python, with the package hexproof: FILE, -c TEXT or -m MODULE");
  command->prefix_command();
  command->callback([command, &run] { run = [words = command->remaining()] { return python::run_program(words); }; });
}

}  // namespace hexproof::tools
