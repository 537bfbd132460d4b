// Descriptions of instructions, as users write them, of the nests that a program has.
#pragma once
#include <optional>
#include <string>

#include "ir/function.h"
#include "verify/facts/facts.h"

namespace hexproof {

/// The nest of the loop as a function over its operands (rewrite/intrinsics/user_description.h): constant loops from 0
/// around one store, each operand a region that is walked over by constant steps. Nothing where it is no such nest.
std::optional<PrimFunc> description_of_nest(const PrimFunc& func, const Path& at);

/// Registers the text as an intrinsic of a name of its own, which it returns. Error where it is no description.
std::string registered_description(const std::string& text);

/// Where a description, run on random operands, gives something else than the nest's own, whichever of its operands
/// stands for which of the nest's; empty: not seen, or their operands are not of the same shapes.
std::string difference_from_nest(const PrimFunc& func, const Path& at, const std::string& description);

/// The description with an operand that is one smaller in a dimension; nothing where each has one element.
std::optional<PrimFunc> with_smaller_operand(const PrimFunc& description, uint32_t number);

/// The error that the description meets on random operands of its own; empty: none seen.
std::string error_of_description(const std::string& description);

}  // namespace hexproof
