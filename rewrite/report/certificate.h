// The certificate folder: everything that a stranger needs to re-check a kernel.
#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rewrite/report/report.h"
#include "verify/equiv/validate.h"

namespace hexproof {

/// What goes into the folder besides the derivation. Times are left out of the JSON: they go into the summary.
struct CertificateInput {
  const Derivation& derivation;
  const CheckReport& source_check;
  const CheckReport& final_check;
  const GivenModels& models;                 // given_models() of the three
  std::string source_path, source_text;      // as the user wrote them
  std::string schedule_path, schedule_text;  // empty: no schedule
  Json versions;
  Json kernel = nullptr;                        // target, symbol, files, grants, measurements that repeat exactly
  std::vector<std::string> summary_lines = {};  // on the kernel
  std::vector<std::string> tested_lines = {};   // on its run
  const Validation* validation = nullptr;       // of the last program; missing: left out (--trust-rules)
  Json made = Json::object();                   // by which command and options, as far as an audit must do the same
};

/// What is given in the obligations of a certificate, with values under which it holds.
GivenModels given_models(const Derivation& derivation, const CheckReport& source_check, const CheckReport& final_check,
                         Prover& prover);

/// Takes a file of a certificate: its name below the folder, and its bytes.
using WriteFile = std::function<void(const std::string& name, const std::string& bytes)>;

/// Writes
///   summary.txt           what a person reads first
///   certificate.json      every step and obligation, digests of all files, versions, granted flags, what is trusted
///   source.py schedule.py final.py
///   steps/NNN-RULE.py     the program after each step
///                         (each step with its arguments as data, so that it can be replayed: recorded.h)
///   obligations/*.smt2    each obligation in SMT-LIB, named by its digest
/// each by a call; the caller adds the kernel's files. Returns the summary's text.
std::string write_certificate(const WriteFile& write, const CertificateInput& input);

}  // namespace hexproof
