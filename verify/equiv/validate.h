// The second line: the result of a transformation, judged by what knows no rule.
#pragma once
#include <optional>
#include <string>

#include "verify/equiv/equiv.h"

namespace hexproof {

/// What the second line found. A part that is missing was not asked for, or not asked any more after a disagreement.
struct Validation {
  bool unchanged = false;                 // the last program is the first one: only `check` says anything
  std::optional<CheckReport> check = {};  // of the last program
  std::optional<EquivReport> equiv = {};  // of the first against the last
  std::optional<Evidence> runs = {};      // of both in the interpreter
  std::string runs_at = {};               // the sizes of the runs: "n = 2; n = 3"
  std::string not_compared = {};          // why there is no `equiv` and there are no `runs`

  /// "check", "equiv" or "runs": the part that shows the result to be wrong, on an input that was replayed. Then what
  /// proved the steps has an error. Empty: none does.
  std::string disagrees = {};
  std::string witness = {};  // for people
  double milliseconds = 0;
};

struct ValidationOptions {
  bool compare = true;                // false: check alone
  NativeEvaluator* native = nullptr;  // missing: no fingerprints
  SatisfyAssumes satisfy = {};
  uint64_t seed = 1;
};

/// `before` is proved free of errors. Judges `after`, whose arguments correspond as `relation` says: 32 runs on
/// edge-heavy inputs, `check`, and `equiv` with bounded effort. Comparing takes a bounded number of terms, statements
/// and resource units, so that no result is held up; what that leaves open is said and is no disagreement.
Validation validate(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation, Prover& prover,
                    const ValidationOptions& options = {});

}  // namespace hexproof
