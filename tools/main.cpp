// hexproof: the command line. Turns exceptions into messages and exit codes; see docs/commands.md.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <thread>

#include "ir/base/file.h"
#include "ir/base/interrupt.h"
#include "ir/base/mutant.h"
#include "ir/text/lexer.h"
#include "tools/api/detail.h"
#include "tools/api/version.h"
#include "tools/command.h"
#include "tools/out_of_memory.h"
#include "tools/reports/report.h"
#include "tools/verdict.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

/// SIGINT, SIGTERM and, unless it is ignored, SIGHUP are taken by a thread of its own, which may lock and delete files;
/// every other thread has them blocked. It also ends a run whose time budget is long past: work that asks no prover
/// notices that by itself nowhere.
void handle_interrupts() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  struct sigaction hangup = {};
  if (sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread([signals] {
    const timespec pause{0, 200'000'000};
    bool overrun = false;
    while (!overrun && sigtimedwait(&signals, nullptr, &pause) < 0) overrun = TimeBudget::overrun();
    const int code = overrun ? end_by(api::out_of_time(TimeBudget::asking())) : +kInterrupted;
    InterruptLock held = clean_up_after_interrupt();
    if (!overrun) {
      std::fputs(anything_written() ? "interrupted: no file is half-written\n" : "interrupted: nothing was written\n",
                 stderr);
    }
    _exit(code);
  }).detach();
}

int guarded(const Run& run) {
  try {
    return close_report(run(), nullptr);
  } catch (...) {
    return end_by(api::current_failure());
  }
}

/// A first word that is no command is named, and what it may have meant.
bool knows_command(const CLI::App& app, int argc, char** argv) {
  const std::vector<const CLI::App*> all = app.get_subcommands([](const CLI::App*) { return true; });
  if (argc < 2 || argv[1][0] == '-' ||
      std::count_if(all.begin(), all.end(), [&](const CLI::App* one) { return one->check_name(argv[1]); }) > 0)
    return true;
  std::vector<std::string> names;
  for (const CLI::App* command : all) names.push_back(command->get_name());
  std::string near = nearest_name(argv[1], names);
  auto letters = [](std::string word) {
    std::sort(word.begin(), word.end());
    return word;
  };
  for (const std::string& name : names) {
    if (near.empty() && letters(name) == letters(argv[1])) near = name;
  }
  std::fprintf(stderr, "error: hexproof has no command '%.80s'%s\n%s\nRun with --help for more information.\n", argv[1],
               near.empty() ? "" : ("; did you mean '" + near + "'?").c_str(), code_line(Code::Usage).c_str());
  return false;
}

int main_inner(int argc, char** argv) {
  CLI::App app{"Transforms tensor programs by rules and proves that it may.", "hexproof"};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  Run run;
  add_check(app, run);
  add_apply(app, run);
  add_certify(app, run);
  add_run(app, run);
  add_fuzz(app, run);
  add_equiv(app, run);
  add_rules(app, run);
  add_layout(app, run);
  add_bounds(app, run);
  add_touched(app, run);
  add_tune(app, run);
  add_explain(app, run);
  add_audit(app, run);
  add_report(app, run);
  add_shards(app, run);
  add_python(app, run);
  add_manual(app, run);
#ifdef HEXPROOF_MUTANTS
  std::string mutant;
  app.add_option("--mutant", mutant, "switch on a planted fault (docs/mutants.md)");
  add_mutants(app, run);
#endif
  if (!knows_command(app, argc, argv)) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kProved : kUsage;
  }
#ifdef HEXPROOF_MUTANTS
  if (int code = guarded([&] { return mutant.empty() ? 0 : (switch_on_mutant(mutant), 0); })) return code;
#endif
  return guarded(run);
}

}  // namespace
}  // namespace hexproof::tools

int main(int argc, char** argv) {
  hexproof::tools::link_unwinder();
  // Who reads our output may stop, and files may be as long as they may be: then it is an error like any other.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // A standard file that is closed is not taken for one that is opened later: reading and writing fail.
  for (int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) < 0) ::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int code = hexproof::tools::guarded([] { return hexproof::tools::handle_interrupts(), 0; });
  if (code == 0) code = hexproof::tools::main_inner(argc, argv);
  _exit(hexproof::tools::close_output(code));
}
