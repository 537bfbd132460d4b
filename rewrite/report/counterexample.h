// Counterexamples as JSON: place, loop values, scalars, cells. What a person reads is made of the same data.
#pragma once
#include "ir/base/codes.h"
#include "rewrite/report/report.h"
#include "verify/check/error_met.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

/// "out-of-bounds": the kind as its name in reports.
std::string name_of(ErrorKind kind);
Code code_of(ErrorKind kind);
/// Of a finding that is not Proved.
Code code_of(const CheckReport& report);
Code code_of(const EquivReport& report);
/// {"file", "line", "column"}, nothing without a place.
Json place_json(const Span& span);

/// `kind`, `code`, `message`, `text`, `statement`, the place, `loops`, `scalars`, `cells`.
Json to_json(const ErrorMet& met);
/// `scalars`, `cells` that are not zero, `differences`; `error_after`. Long lists are cut, and `cells_left_out` and
/// `differences_left_out` say by how much.
Json to_json(const ProgramPair& pair, const Counterexample& found);
/// The error that `after` reaches and `before` does not, on its own arguments; nothing where cells differ.
std::optional<ErrorMet> error_of_after(const ProgramPair& pair, const Counterexample& found);
/// Of a step whose condition is false or open: `rule`, `why`, `statement`, the place, `goal`, `verdict`, `values`,
/// `cells`.
Json to_json(const Refused& refused);
/// Which assumes of a vacuous program clash.
Json clashing_json(const CheckReport& report);

}  // namespace hexproof
