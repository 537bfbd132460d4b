// What was shown of a module: as text, as JSON, as a certificate folder.
#pragma once
#include <string>
#include <vector>

#include "ir/file.h"
#include "rewrite/module/derivation.h"
#include "rewrite/report.h"

namespace hexproof {

/// The work of one schedule on a module.
struct ModuleReport {
  const ModuleDerivation& module;
  std::vector<std::pair<std::string, CheckReport>> source_checks;  // of every function, with what it calls
  std::vector<LinkedProof> linked;                                 // first module -> last, where it is entered
};

/// For each function: steps, obligations, how its interface changed; for each joint step what it changed and what
/// showed it; and what is claimed of the functions together: nothing, where none calls another.
std::vector<std::string> summary_lines(const ModuleReport& report);
Json to_json(const ModuleReport& report);

struct ModuleCertificateInput {
  const ModuleReport& report;
  std::string source_path, source_text, schedule_path, schedule_text;
  Json versions;
};
/// summary.txt, certificate.json, source.py, schedule.py, final.py, steps/FUNCTION-NNN-RULE.py, obligations/*.smt2.
/// Returns the summary.
std::string write_module_certificate(OutputFolder& folder, const ModuleCertificateInput& input);

}  // namespace hexproof
