// What was shown of a module: as text, as JSON, as a certificate folder.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rewrite/module/derivation.h"
#include "rewrite/report/certificate.h"
#include "rewrite/report/report.h"
#include "verify/equiv/validate.h"

namespace hexproof {

/// The work of one schedule on a module.
struct ModuleReport {
  const ModuleDerivation& module;
  std::vector<std::pair<std::string, CheckReport>> source_checks;  // of every function, with what it calls
  std::vector<LinkedProof> linked;                                 // first module -> last, where it is entered
  /// What the second line says of each of the parts to judge, by their names.
  std::vector<std::pair<std::string, Validation>> validated = {};
  bool trust_rules = false;  // it was left out
};

/// Two programs of a module that must compute the same.
struct ModulePart {
  std::string what;  // a function, or "main with what it calls"
  PrimFunc first, last;
  std::vector<InterfaceChange> interface;
};
/// Every chain of steps of a function, and every function that the module is entered by and that calls others, linked
/// first and last.
std::vector<ModulePart> parts_to_judge(const ModuleDerivation& module, Prover& prover);

/// For each function: steps, obligations, how its interface changed; for each joint step what it changed and what
/// showed it; and what is claimed of the functions together: nothing, where none calls another.
std::vector<std::string> summary_lines(const ModuleReport& report);
Json to_json(const ModuleReport& report, const GivenModels* models = nullptr);
/// What is given in all obligations, with values under which it holds.
GivenModels given_models(const ModuleReport& report, Prover& prover);

struct ModuleCertificateInput {
  const ModuleReport& report;
  const GivenModels& models;  // given_models() of it
  std::string source_path, source_text, schedule_path, schedule_text;
  Json versions;
  Json made = {};  // the command and its options: what an audit repeats
};
/// summary.txt, certificate.json, source.py, schedule.py, final.py, steps/FUNCTION-NNN-RULE.py, obligations/*.smt2.
/// Returns the summary.
std::string write_module_certificate(const WriteFile& file, const ModuleCertificateInput& input);

}  // namespace hexproof
