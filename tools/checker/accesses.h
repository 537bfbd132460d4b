// What a program must have been asked, counted without facts, footprints or rules.
#pragma once
#include <map>
#include <string>

#include "ir/function.h"

namespace hexproof::checker {

/// A statement without the numbers that printing a program appends to names to tell them apart.
std::string without_numbers(const std::string& statement);
/// For each statement, as text without those numbers: does it load from or store to a buffer with an axis? Then
/// somebody must have shown that its indices are in bounds.
std::map<std::string, size_t> statements_with_accesses(const PrimFunc& func);

}  // namespace hexproof::checker
