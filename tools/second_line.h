// The second line of `apply` and `certify`: the result is judged before it is called proved.
#pragma once
#include <string>

#include "rewrite/kernel/kernel.h"
#include "tools/command.h"
#include "verify/equiv/validate.h"

namespace hexproof::tools {

struct Judged : Common {
  bool trust_rules = false;  // --trust-rules: the second line is left out

  void add_trust_rules(CLI::App& command);
};

/// Judges the last program of a derivation that is not lowered yet. `compare`: not only by `check`; `thorough`: that
/// check is what a certificate rests on.
Validation second_line(const Derivation& derivation, Prover& prover, bool compare, bool thorough);
/// The same for two programs, and how the arguments changed.
Validation second_line(const PrimFunc& first, const PrimFunc& last, const std::vector<InterfaceChange>& interface,
                       Prover& prover, bool compare, bool thorough);

/// What a report of a disagreement is made of.
struct Evidenced {
  std::string command;  // "apply", "certify"
  std::string source_path, source_text, schedule_path, schedule_text;
  const PrimFunc& first;
  const PrimFunc& last;
};
/// Says that the second line disagrees, and writes a report with all that it takes to see it again to standard error
/// and, when asked for, to the JSON. Returns the exit code.
int rejected(const Common& common, const Validation& validation, const Evidenced& with);

}  // namespace hexproof::tools
