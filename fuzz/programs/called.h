// Programs in two functions: a part of one becomes a function that it calls.
#pragma once
#include <optional>

#include "ir/function.h"

namespace hexproof {

/// The program as a module, some neighbouring statements of which, wherever they stand, are a function of their own
/// (rewrite/module/changes.h: hoist_stage), called in their place. Nothing of it is proved: the function may be in
/// error. Nothing where those that `number` chooses cannot be hoisted.
std::optional<IRModule> with_callee(const PrimFunc& program, uint64_t number);

}  // namespace hexproof
