// What stands behind the public types, for their implementations and for the command.
#pragma once
#include <exception>
#include <memory>
#include <utility>

#include "backend/kernel.h"
#include "hexproof/certify.h"
#include "ir/base/codes.h"
#include "rewrite/module/report.h"
#include "verify/equiv/validate.h"

namespace hexproof::api {

/// What stands behind a Failure.
struct FailureDetail {
  std::optional<Refused> refused = {};  // the condition of a step that is false or open
  std::vector<Diagnosed> errors = {};   // all errors of a file, where there are several
};

/// The exception that is being handled, as who embeds hexproof sees it: one table for all of them.
Failure current_failure();

/// The time budget is long past, and `open` was being asked, a line each.
Failure out_of_time(const std::string& open);

/// Nothing but `Failure` leaves a public function.
template <class F>
auto translated(F&& work) {
  try {
    return work();
  } catch (...) {
    throw current_failure();
  }
}

Verdict verdict_of(Finding finding);
/// Of two verdicts, the one that a person must look at first.
Verdict worse(Verdict a, Verdict b);

struct Program::Impl {
  std::shared_ptr<const SourceFile> file;
  IRModule module;
  std::string fast_math;
};

/// The function that a command works on: the named one; else the only one, or where a module with calls is entered.
/// What it calls is linked into it.
Linked linked_function(const Program& program, const std::string& function, Session& session);

/// This function, with what it calls linked into it.
Linked linked(const IRModule& module, const std::string& function, Prover& prover);

/// Of the lines of a script's naive program: up to which one, and the line of the script where what stands there is
/// written. In order.
using ScriptLines = std::vector<std::pair<int, int>>;
ScriptLines script_lines(const TensorScript& script);
/// Where the script says what is computed at the place of the error, as a line for people. Nothing where no error was
/// met or the place is not known.
std::vector<std::string> line_of_script(const TensorScript& script, const CheckReport& report);

/// What one schedule made of a program. One function is a module of one.
struct Transformed {
  ModuleDerivation module;
  std::vector<std::pair<std::string, CheckReport>> source_checks;  // of each function, with what it calls
  std::vector<LinkedProof> linked = {};                            // first module -> last, where it is entered
  Verdict verdict = Verdict::Proved;  // of the checks; the schedule ran only where it is Proved

  /// A module of one function.
  bool single() const { return module.names().size() == 1; }
  Derivation& function() { return module.function(module.names()[0]); }
  const Derivation& function() const { return module.function(module.names()[0]); }
  const CheckReport& source_check() const { return source_checks.at(0).second; }
};

/// Checks the program, then runs the schedule if there is one. `whole`: the schedule is one of modules, and chooses
/// among all functions; else it is one of the function alone. What is not proved of the program goes to `says`.
Transformed transform(const Program& program, const ScheduleText& schedule, const std::string& function, bool whole,
                      Session& session, std::vector<std::string>* says);

struct ScheduledDetail {
  Transformed transformed;
  /// What the second line says of each part: of the function (also where it is only checked), or parts_to_judge.
  std::vector<std::pair<std::string, Validation>> validated;
  bool trust_rules = false;

  ModuleReport report() const;
  /// Of a single function; null when it was left out.
  const Validation* judged() const { return trust_rules ? nullptr : &validated.at(0).second; }
};

struct CertificateDetail {
  Transformed transformed;
  Validation validation;
  Kernel kernel;  // of a Proved one
  GivenModels models = {};
};

/// The lines that say what a check found; none for what is proved and counted elsewhere.
std::vector<std::string> check_lines(const std::string& name, const CheckReport& report);

}  // namespace hexproof::api
