// What a program must have been asked, counted without facts, footprints or rules.
#pragma once
#include <map>
#include <string>

#include "ir/function.h"

namespace hexproof::checker {

/// For each statement, as text: does it load from or store to a buffer with an axis? Then somebody must have shown that
/// its indices are in bounds.
std::map<std::string, size_t> statements_with_accesses(const PrimFunc& func);

}  // namespace hexproof::checker
