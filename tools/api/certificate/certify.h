// Parts of certify(): what comes after the schedule, and the run of the object against the interpreter.
#pragma once
#include <string>
#include <vector>

#include "backend/kernel.h"
#include "hexproof/certify.h"
#include "ir/interpreter/interpreter.h"
#include "rewrite/kernel/kernel.h"
#include "tools/api/detail.h"

namespace hexproof::api {

/// What the steps are made of: a schedule that runs, or steps that are replayed.
using Derive = std::function<Transformed(std::vector<std::string>* says)>;
struct ClaimedRun;
/// All that a certificate is made of, for a derivation from wherever it comes. Exceptions as they are. `claimed`: what
/// it says of a run that is not made (options.run is false then).
Certificate certified(const Program& program, const ScheduleText& schedule, const CertifyOptions& options,
                      Session& session, const Derive& derive, const ClaimedRun* claimed = nullptr);
/// The text of SHA256SUMS for these files.
std::string sums_of(const std::map<std::string, CertificateFile>& files);
/// certify() of what was transformed already, by primitives that were called one by one; `schedule` is their text.
Certificate certify_transformed(const Transformed& transformed, const Program& program, const ScheduleText& schedule,
                                const CertifyOptions& options, Session& session);

/// What the first program computes on random inputs, by the interpreter.
struct Expected {
  std::vector<hexproof::Tensor> inputs, outputs;
};
/// Why a function cannot be run on random input, whatever the machine; empty: it can, if some input satisfies its
/// assumes.
std::string why_no_run(const PrimFunc& func);
/// Unsupported when no input is found that satisfies the assumes.
Expected interpret(const PrimFunc& func, uint64_t seed);

/// One line per argument that the run may have changed, and whether all bits agree.
struct Comparison {
  bool bit_equal = true;
  bool agrees = true;  // or the granted flags leave open what comes out on these inputs
  std::vector<std::string> lines;
};
inline constexpr const char* kDifferencesAreOpen =
    "differences are no error: on these inputs the granted flags leave open what comes out";
/// What compare() says of a run that agrees in every bit.
Comparison agreement(const Derivation& derivation);
/// As the program before sees it, and the padding that the interface promises.
Comparison compare(const Derivation& derivation, const Expected& want, const std::vector<hexproof::Tensor>& packed);

}  // namespace hexproof::api
