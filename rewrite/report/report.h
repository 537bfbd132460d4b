// Reports as JSON: what was asked, what was answered, by whom, with what resources. The same input, options and
// versions give the same bytes: no times, no addresses, no variable ids.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/base/formula_file.h"
#include "ir/text/assumes.h"
#include "rewrite/kernel/kernel.h"
#include "verify/check/check.h"
#include "verify/check/finding_text.h"
#include "verify/prove/given_models.h"

namespace hexproof {

using Json = nlohmann::ordered_json;

inline constexpr int kSchemaVersion = 1;

std::string_view to_text(Verdict verdict);  // "proved", "refuted", "unknown"

/// Rule, reason, place, formulas, verdict, solver, resource use, the values when refuted, and the name of its
/// SMT-LIB file (see obligation_file). In a certificate, with the number of what is given among the `models`.
Json to_json(const Obligation& obligation, const Answer& answer, const GivenModels* models = nullptr);
Json to_json(const CheckReport& report, const GivenModels* models = nullptr);
Json to_json(const Step& step, const GivenModels* models = nullptr);
/// Arguments of a rule as text and numbers.
Json to_json(const Args& args);
Json to_json(const InterfaceChange& change);

/// The granted fast-math flags that proofs rest on, as the obligations name them, in LLVM's order: "nnan nsz".
std::string flags_used(const Step& step);

/// What a proof rests on besides the obligations, said to the reader.
Json trusted();

/// "obligations/<start of its digest>.smt2": equal obligations share a file.
std::string obligation_file(const Obligation& obligation);
/// What stands in it: to_smtlib, below two lines that say what it is.
std::string formula_text(const Obligation& obligation);
/// Of such a text: is it shown by a model (an assume can hold), and not by there being none?
bool is_shown_by_sat(const std::string& formula);
/// What a user named or wrote, a path or a call, as it may stand in a line of a report: control characters, line ends
/// among them, are escapes.
std::string in_one_line(const std::string& text);

/// Counts for one line of a summary.
struct Tally {
  size_t obligations = 0, proved = 0, refuted = 0, unknown = 0;
  size_t vacuous = 0;  // where no execution gets, which is one of the obligations
  std::map<std::string, size_t> by_solver;

  void add(const Answer& answer);
  /// "214 obligations: 214 proved (180 interval, 34 z3)"
  std::string str() const;
};
Tally tally(const CheckReport& report);
Tally tally(const Derivation& derivation);

}  // namespace hexproof
