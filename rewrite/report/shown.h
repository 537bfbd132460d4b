// What was shown of a result, in two columns: by construction (the steps, each proved) and by validation (what judges
// the result without knowing of steps).
#pragma once
#include <string>
#include <vector>

#include "rewrite/report/report.h"
#include "verify/equiv/validate.h"

namespace hexproof {

struct ShownRow {
  std::string what, by_construction, by_validation;
};
/// A table with a head; long cells are wrapped. Every line ends with a newline.
std::string print_shown(const std::vector<ShownRow>& rows);

/// The rows of a derivation. No validation: it was left out, and the rows say so.
std::vector<ShownRow> shown_rows(const Derivation& derivation, const CheckReport& source_check,
                                 const Validation* validation);
/// What validation covered, in words: "errors", "results", "runs".
ShownRow validation_row(const std::string& what, const std::string& by_construction, const Validation& validation);

Json by_construction_json(const Derivation& derivation, const CheckReport& source_check);
/// {"left_out": "--trust-rules"} without a validation.
Json by_validation_json(const Validation* validation);

}  // namespace hexproof
