// Programs that differ from a given one in a single token: what a slip of a compiler writer's pen might leave. Some
// mean the same as the original, most do not; all are well formed.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof {

struct Mutant {
  std::string what;  // "B[i] = A[i]: i becomes i + 1"
  PrimFunc program;
};

/// Every mutant of `func`, in the order of the program, each text once and never the original's:
///  - expressions: a constant one more or one less; an index one off; an operator for a related one (+ and -, < and <=
///    and >, == and !=, min and max, floor and truncating division, shifts, `and` and `or`); operands exchanged;
///    the values of a choice exchanged, Select for if_then_else and back; another loop variable; another buffer of the
///    same type and shape;
///  - views: one element earlier or later, a stride one more, compact;
///  - statements: a store, an assume or a T.init dropped; a guard dropped or negated; an else dropped; a loop one
///    shorter or longer or parallel; two nested loops exchanged; two neighbouring statements exchanged; a block's
///    predicate dropped; a reduction that starts one later.
/// Sizes of memory and the other claims of blocks (kinds, domains, regions) stay as they are.
std::vector<Mutant> mutants(const PrimFunc& func);
/// One of them by its number, without making the others' texts; nothing where that number has none.
using MutantSource = std::function<std::optional<Mutant>(uint64_t number)>;
MutantSource mutant_source(const PrimFunc& func);
/// For one alone.
std::optional<Mutant> some_mutant(const PrimFunc& func, uint64_t number);

}  // namespace hexproof
