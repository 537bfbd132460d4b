// Padding that nobody filled, in arguments that keep their layout.
#pragma once
#include <string>

#include "verify/equiv/pair.h"

namespace hexproof {

/// Where one of the programs has cells that are uninitialised when it starts (argument_padding.h), `after` starts with
/// those of both, and must be proved not to read them. "" when it is, or there are none; else why that is not known.
std::string reads_unfilled_padding(const ProgramPair& pair, Prover& prover);

/// Takes the values from cells of padding that nobody filled, in arguments of one instance (their contents do not
/// matter): `after` starts without what either program has no value for. What is not known to be padding excludes no
/// input: it is filled before, and not after.
void leave_unfilled(const ProgramPair& pair, const Instance& instance, std::vector<Tensor>* before,
                    std::vector<Tensor>* after);

}  // namespace hexproof
