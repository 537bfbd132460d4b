// What a rule makes of a program, before anything is proved of it.
#pragma once
#include <cstdint>
#include <optional>

#include "fuzz/case.h"

namespace hexproof {

/// What the rule would make, with its needs; nothing where it does not apply.
std::optional<Rewrite> unproved(const PrimFunc& program, const StepRequest& step);

/// No argument and no allocation of a constant size is so large that runs would take long.
bool is_small(const PrimFunc& func);

/// How a program and what a rule made of it compare in the interpreter.
struct QuickLook {
  bool ran = false;                   // the program ends without an error on one of the inputs
  std::optional<uint64_t> seed = {};  // of inputs (fuzz/oracle.h) on which what was made goes wrong
};
/// Of `inputs` inputs, the first from `seed`.
QuickLook look_quickly(const PrimFunc& program, const Rewrite& rewrite, uint64_t seed, int inputs);

}  // namespace hexproof
