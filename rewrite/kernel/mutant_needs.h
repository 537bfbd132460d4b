// Planted faults of a whole family: a side condition of a rule that is not asked for.
#pragma once
#include <string>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

/// The name of the mutant in which the rule does not owe this need: "rule/split/the-flat-index-fits-its-type", by what
/// the need says up to a colon, without names of the program (in quotes, or after "of", "in", "by", "block"); or
/// "rule/overcompute/check-bounds" for what `check` would ask.
std::string mutant_without(const std::string& rule, const Obligation& need);
/// "expr/div-of-mul-add/condition-2": the second conjunct of `when` (and then of `when_index`) of an expression rule is
/// taken for true.
std::string mutant_without_condition(const std::string& expr_rule, size_t number);
/// Does nothing without the preset `mutants`.
void leave_out_mutated(const std::string& rule, std::vector<Obligation>* needs);

}  // namespace hexproof
