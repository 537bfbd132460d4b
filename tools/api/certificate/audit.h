// audit(): a certificate judged anew from its files alone.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hexproof/session.h"
#include "rewrite/report/report.h"

namespace hexproof::api {

struct AuditOptions {
  /// Most that one proof may take, in Z3's resource units; missing: what the certificate was made with. Where that is
  /// more, the audit ends as undecided.
  std::optional<uint64_t> rlimit = {};
  bool run = false;  // run the object again and compare with what the certificate says of the run
  bool z3 = true;    // solvers that discharge the stored formulas
  bool cvc5 = true;  // where it is installed
  std::function<void(const std::string& what)> stage = {};
};

/// What is wrong with a certificate, and where.
struct AuditFinding {
  std::string file;  // below the folder; empty: the folder as a whole
  int line = 0, column = 0;
  std::string why;
  bool solvers = false;  // two solvers disagree
};

/// What one solver said of the stored formulas.
struct Discharged {
  size_t unsat = 0, sat = 0, unknown = 0;  // unsat: proved
};

struct Audited {
  Verdict verdict = Verdict::Proved;  // Rejected with findings; Undecided
  std::vector<AuditFinding> findings;
  std::string reason;  // Undecided
  std::string function;
  size_t files = 0, steps = 0, obligations = 0;
  std::map<std::string, Discharged> solvers;
  std::vector<std::string> notes;  // what was not compared, and why
};

/// Reads the folder; compares every file with its digest; replays every recorded step through the kernel, with no
/// cache; judges the result by equiv where the certificate says that this was done; emits the kernel anew; compares all
/// that comes out with what is stored; and asks solvers for every stored formula. What it reads is never believed. The
/// limit of proofs is the one that the certificate was made with; `limits` has that of stored formulas.
Audited audit(const std::string& folder, const AuditOptions& options, const Limits& limits);

}  // namespace hexproof::api
