// Small programs on floats under granted fast-math flags, whose every outcome can be enumerated: what rules make of
// them, and what `equiv` calls proved of their neighbours, may compute nothing that they may not.
#pragma once
#include <string>

#include "fuzz/choices.h"
#include "ir/function.h"

namespace hexproof {

class Prover;

/// A program over buffers of two floats: sums, products and quotients, through lets, temporary cells, choices, casts,
/// branches, reductions; with one of the flags that leave something open, or two. Free of errors.
PrimFunc random_granted_program(Choices& choices);

/// `func` with one float operation in another form: operands exchanged, regrouped, a neutral operand added, multiplied
/// out, a value bound by a T.Let or a bound one put in its place. Nothing where no such operation is.
PrimFunc with_another_form(const PrimFunc& func, Choices& choices);

struct GrantedProbe {
  std::string finding = {};  // empty: nothing is wrong
  bool compared = false;     // outcomes were enumerated and compared
  int accepted = 0;          // steps that the kernel took
  bool proved = false;       // by `equiv`, of a neighbour
};

/// One program: random steps on it, or one of its neighbours put to `equiv`.
GrantedProbe probe_granted(uint64_t seed, Prover& prover);

}  // namespace hexproof
