// A model of a failed obligation becomes an input, and the interpreter meets the error on it.
#pragma once
#include "verify/check/check_item.h"
#include "verify/check/error_met.h"

namespace hexproof {

struct Replayed {
  bool error = false;
  std::string text;  // the error as the interpreter met it; or why there is none
  std::shared_ptr<const ErrorMet> met = nullptr;
};

/// Runs, in this order, what shows the error most directly: the demonstration of a false claim; the statement alone,
/// with the loops around it at the values of the model (when neither the way to it nor its indices depend on memory,
/// so that the whole program gets there with the same values, if the assumes before it hold); the whole program on
/// inputs built from the model, with a bound on its steps.
Replayed replay(const CheckContext& context, const CheckItem& question, const Answer& answer);

}  // namespace hexproof
