#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "ir/base/codes.h"
#include "ir/base/utf8.h"
#include "ir/function.h"
#include "ir/text/lexer.h"
#include "tools/api/detail.h"
#include "tools/colour.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/reports/report.h"
#include "verify/prove/solvers/cache/cache.h"

namespace hexproof::tools {

namespace {

/// What is wrong with the words of the command line, what may have been meant, and the code.
std::string usage_message(const CLI::App* all, const CLI::Error& error) {
  std::string near;
  for (const std::string& word : all->remaining(true)) {
    const std::string option = word.substr(0, word.find('='));
    if (!option.starts_with("--")) continue;
    std::vector<std::string> names = {"--help"};
    for (const CLI::App* used : all->get_subcommands()) {
      for (const CLI::Option* one : used->get_options()) {
        for (const std::string& name : one->get_lnames()) names.push_back("--" + name);
      }
    }
    const std::string name = nearest_name(option, names);
    if (!name.empty()) near += "; did you mean '" + name + "'?";
  }
  return std::string(error.what()) + near + "\n" + code_line(Code::Usage) + "\nRun with --help for more information.\n";
}

/// What the types of options and CLI11's bounds let through, and no option means: a number that is none, one that does
/// not fit, and nothing at all, which is what a variable holds that was not set.
void demand_meaning(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name(), name = option->get_name();
    for (const std::string& value : option->results()) {
      if (value.empty()) throw CLI::ValidationError(name, "an empty value");
      if (type.starts_with("FLOAT") && !std::isfinite(std::strtod(value.c_str(), nullptr)))
        throw CLI::ValidationError(name, "'" + value + "' is no number");
      errno = 0;
      if (type.starts_with("UINT") && (value[0] == '-' || (std::strtoull(value.c_str(), nullptr, 0), errno == ERANGE)))
        throw CLI::ValidationError(name, "'" + value + "' does not fit");
    }
  }
}

}  // namespace

void Common::add_json_to(CLI::App& app) {
  command = app.get_name();
  if (CLI::App* all = app.get_parent()) all->failure_message(usage_message);  // it is what parses
  app.parse_complete_callback([&app] { demand_meaning(app); });
  app.add_option("--json", json, "write the report as JSON to this file, in every outcome; - is standard output");
}

void Common::add_to(CLI::App& app) {
  add_json_to(app);
  works_ = true;
  app.add_option("--junit", junit, "write one test case per obligation, as JUnit's XML, to this file");
  app.add_option("--sarif", sarif, "write the results, those that passed too, as SARIF 2.1.0 to this file");
  app.add_option("--annotate", annotate, "print what is wrong as annotations of a pull request: github")
      ->check(CLI::IsMember({"github"}));
  app.add_flag("--quiet", quiet, "print nothing but errors, and what is not proved");
  app.add_option("--jobs", jobs, "threads; 0 means one per core")->check(CLI::Range(0, 1024));
  app.add_option("--rlimit", rlimit, "bound of one proof, in Z3's resource units")->check(CLI::PositiveNumber);
  app.add_option("--budget", budget, "seconds for the proofs of one function; past it: undecided; 0: no end")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--fp", fp, "fast-math flags that you grant, from: nnan ninf nsz reassoc contract");
  app.add_option("--cache", cache, "the proof cache: a file, redis://HOST:PORT, or off");
  app.add_option("--cache-size", cache_size, "bound of the cache's file in MB; what was not used for longest goes")
      ->check(CLI::Range(1, 1 << 20));
}

namespace {
/// Where proofs are kept between runs: XDG_CACHE_HOME, else ~/.cache; nowhere when neither can be had, or when what
/// stands there is no cache.
std::string default_cache() {
  namespace fs = std::filesystem;
  fs::path folder;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) {
    folder = xdg;
  } else if (const char* home = std::getenv("HOME"); home && *home) {
    folder = fs::path(home) / ".cache";
  } else {
    return "";
  }
  std::error_code error;
  fs::create_directories(folder / "hexproof", error);
  const std::string file = (folder / "hexproof" / "proofs.sqlite").string();
  return error || !may_keep_cache(file) ? "" : file;
}
}  // namespace

api::Session Common::session() const {
  std::string kept = cache == "off" ? "" : cache.empty() ? default_cache() : cache;
  Cache::bound(int64_t{cache_size} << 20);
  return api::Session({.rlimit = rlimit, .jobs = jobs, .seconds = budget, .cache = kept});
}

api::Program Common::program(const std::string& path) const { return api::read(path, {.fast_math = fp}); }

api::TensorScript Common::program(const std::string& path, const std::string& schedule) const {
  if (!schedule.empty()) return {program(path), api::read_schedule(schedule)};
  if (api::is_tensor_script(path)) return tensor_script(path);
  return {program(path), {}};
}

api::TensorScript Common::tensor_script(const std::string& path) const {
  api::TensorScript script = api::read_tensor_script(path, {.fast_math = fp});
  report_of_script(path, script.program.path(), api::script_lines(script));
  return script;
}

void Common::begin(GivenFiles files) const {
  for (const auto& [option, path] : {std::pair{"--json", json}, {"--junit", junit}, {"--sarif", sarif}}) {
    files.outputs.push_back({option, path});
  }
  GivenFiles all = files;
  if (!cache.empty() && cache != "off" && !is_redis(cache)) {
    for (const std::string& file : cache_files(cache)) all.outputs.push_back({"--cache", file});
  }
  demand_distinct(all);
  if (works_ && !quiet) begin_progress(command);
  for (const Given& output : files.outputs) to_error_ = to_error_ || output.path == "-";
  open_report({.command = command,
               .json = json,
               .junit = junit,
               .sarif = sarif,
               .annotate = !annotate.empty(),
               .tell_cache = works_ && !quiet,
               .inputs = files.inputs});
  coded(Code::Option, [&] { return fast_math_flags(fp, "--fp"); });
  if (cache != "off") demand_cache(cache);
  demand_writable(files);
}

void Common::say(const std::string& line) const { say(kProved, line); }

void Common::say(int exit_code, const std::string& line) const {
  if (quiet && exit_code == kProved) return;
  clear_progress();
  std::FILE* to = to_error_ ? stderr : stdout;
  std::fprintf(to, "%s\n", coloured(to, exit_code, visible(line)).c_str());
}

void Common::say_diff(const std::string& diff, bool program_out) const {
  const bool to_error = std::exchange(to_error_, to_error_ || program_out);
  say(diff.empty() ? "no text differs" : diff.substr(0, diff.size() - 1));
  to_error_ = to_error;
}

}  // namespace hexproof::tools
