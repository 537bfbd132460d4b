// Small programs on floats under granted fast-math flags, whose every outcome can be enumerated: what rules make of
// them, what the host's code gives, and what `equiv` calls proved of their neighbours, is one of these.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fuzz/choices.h"
#include "fuzz/granted/outcomes.h"
#include "fuzz/steps/mutate.h"

namespace hexproof {

/// A program over buffers of two floats: sums, products and quotients, through lets, temporary cells, choices,
/// branches, reductions; with a flag that leaves something open, or more. Free of errors.
PrimFunc random_granted_program(Choices& choices);
/// A rule that evaluates elsewhere, more often or in another order: what is tried most on such programs.
std::string random_moving_rule(Choices& choices);

/// One float operation in another form: operands exchanged, regrouped, a neutral operand added, multiplied out, a value
/// bound by a T.Let or a bound one put in its place. Nothing where no such operation is.
inline const std::string kAnotherForm = "another form ";  // and the number, as the mutant's name
std::optional<Mutant> another_form(const PrimFunc& func, uint64_t number);

/// Arguments with a full mantissa and a few that are not, so that each rounding is seen and hardly a value is special.
std::vector<Tensor> granted_inputs(const PrimFunc& func, uint64_t seed);
/// All that the program may compute on these. Nothing where it owes nothing (it ends with an error, or computes a NaN
/// or an infinity that its flags promise not to see), or where not all can be enumerated.
std::optional<Outcomes> allowed_outcomes(const PrimFunc& func, const std::vector<Tensor>& inputs);
/// What `after` may do on the same arguments and is not allowed; empty: nothing that was seen.
std::string forbidden_outcome(const Outcomes& allowed, const PrimFunc& after, const std::vector<Tensor>& inputs);

}  // namespace hexproof
