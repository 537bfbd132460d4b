// Programs that differ from a given one in a word of its text: a number, a name, a type. Unlike those of
// fuzz/steps/mutate.h they change sizes, domains and types, too.
#pragma once
#include <cstdint>
#include <optional>

#include "ir/function.h"

namespace hexproof {

/// The program with one word changed, by `number`: a number one more or less, doubled, 0 or 127; a
/// name for another one of the program; a type, or the kind of an axis or of a loop, for another. Nothing where that is
/// no program.
std::optional<PrimFunc> some_text_mutant(const PrimFunc& func, uint64_t number);

}  // namespace hexproof
