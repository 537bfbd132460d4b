// The subcommands of `hexproof`: each file adds one to the command line.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "hexproof/schedule.h"
#include "tools/files.h"

namespace hexproof::tools {

/// Exit codes: a contract (docs/commands.md).
enum Exit : int {
  kProved = 0,
  kUsage = 1,
  kBadInput = 2,
  kUndecided = 5,
  kInternal = 6,
  kRefuted = 10,
  kVacuous = 11,
  kRejected = 12,
  kUnsupported = 13,
  kInterrupted = 130,
};

/// Options that every command takes.
struct Common {
  std::string command;                 // its name
  std::string json;                    // write the report here
  std::string junit, sarif, annotate;  // the same for machines that gate on it
  bool quiet = false;                  // print nothing but errors, and what is not proved
  int jobs = 0;                        // 0: one per core
  uint64_t rlimit = 20'000'000;
  double budget = 120;   // seconds for the proofs of one function; 0: no end
  std::string fp;        // fast-math flags granted by the user
  std::string cache;     // a path, "redis://...", "off", or empty: the user's cache folder
  int cache_size = 256;  // of a file, in MB

  void add_to(CLI::App& command);
  /// The report as JSON alone, of commands that prove nothing.
  void add_json_to(CLI::App& command);
  /// Looks at what the command line names, before anything is read or written: at the files (tools/files.h), the flags
  /// and the proof cache, also where the command has no use for them. Owes the report. Every command starts with it.
  void begin(GivenFiles files) const;
  /// The prover and the limits that these options ask for. The time budget starts.
  api::Session session() const;
  /// Reads a program, with the granted flags.
  api::Program program(const std::string& path) const;
  /// A program and its schedule; or, where there is none and the file is one, a script of tensor expressions.
  api::TensorScript program(const std::string& path, const std::string& schedule) const;
  /// Runs a script of tensor expressions; places of the report are found in it.
  api::TensorScript tensor_script(const std::string& path) const;
  /// Prints a line unless quiet; to standard error where standard output is an output.
  void say(const std::string& line) const;
  /// The same of a line that belongs to an end with this exit code: what is not fine is printed in any case.
  void say(int exit_code, const std::string& line) const;
  /// Prints a diff, or that there is none, unless quiet. `program_out`: standard output is for the program alone.
  void say_diff(const std::string& diff, bool program_out) const;

 private:
  bool works_ = false;  // it may take long
  mutable bool to_error_ = false;
};

/// A command's work; returns the exit code.
using Run = std::function<int()>;

void add_check(CLI::App& app, Run& run);
void add_apply(CLI::App& app, Run& run);
void add_certify(CLI::App& app, Run& run);
void add_run(CLI::App& app, Run& run);
void add_fuzz(CLI::App& app, Run& run);
void add_equiv(CLI::App& app, Run& run);
void add_rules(CLI::App& app, Run& run);
void add_layout(CLI::App& app, Run& run);
void add_bounds(CLI::App& app, Run& run);
void add_tune(CLI::App& app, Run& run);
void add_touched(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_audit(CLI::App& app, Run& run);
void add_report(CLI::App& app, Run& run);
/// obligations, discharge, merge
void add_shards(CLI::App& app, Run& run);
void add_python(CLI::App& app, Run& run);
/// The man page and completions, for packages.
void add_manual(CLI::App& app, Run& run);
/// Only in the build of the preset `mutants`.
void add_mutants(CLI::App& app, Run& run);

}  // namespace hexproof::tools
