#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "ir/text/text.h"
#include "tools/command.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {

void Common::add_to(CLI::App& command) {
  command.add_option("--json", json, "write the report as JSON to this file");
  command.add_flag("--quiet", quiet, "print nothing but errors");
  command.add_option("--jobs", jobs, "threads; 0 means one per core")->check(CLI::Range(0, 1024));
  command.add_option("--rlimit", rlimit, "bound of one proof, in Z3's resource units")->check(CLI::PositiveNumber);
  command.add_option("--budget", budget, "seconds for the proofs of one function; past it: undecided; 0: no end")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--fp", fp, "fast-math flags that you grant, from: nnan ninf nsz reassoc contract");
  command.add_option("--cache", cache, "the proof cache: a file, or off");
}

namespace {
/// Where proofs are kept between runs: XDG_CACHE_HOME, else ~/.cache; nowhere when neither can be had.
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
  return error ? "" : (folder / "hexproof" / "proofs.sqlite").string();
}
}  // namespace

std::unique_ptr<Prover> Common::prover() const {
  ProverOptions options;
  options.cache_path = cache == "off" ? "" : cache.empty() ? default_cache() : cache;
  options.rlimit = rlimit;
  options.jobs = jobs;
  begin_functions();
  return std::make_unique<Prover>(options);
}

void Common::begin_functions(size_t count) const { TimeBudget::start(budget * static_cast<double>(count)); }

namespace {
PrimFunc prepared(PrimFunc func, const std::string& fp) {
  if (std::string why = ill_formed(func); !why.empty()) throw Error(func.span, why);
  if (std::string flags = join_flags(fast_math_flags(fp, "--fp")); !flags.empty())
    func.attrs[kFastMathAttribute] = flags;
  func.granted_flags();  // an Error now for an attribute of the file that has an unknown flag
  return func;
}
}  // namespace

IRModule Common::module(const std::string& path) const {
  IRModule out = parse_file(path);
  for (PrimFunc& func : out.functions) func = prepared(func, fp);
  return out;
}

Linked Common::program(const std::string& path, const std::string& function, Prover& prover) const {
  IRModule all = module(path);
  return link(all, pick_function(all, function).name, prover);
}

void Common::say(const std::string& line) const {
  if (!quiet) std::printf("%s\n", line.c_str());
}

}  // namespace hexproof::tools
