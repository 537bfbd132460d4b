// The names that calls in expressions go by.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hexproof::text {

/// Operators that are written as a call of two operands.
const std::map<std::string, Op>& binary_calls();
/// Functions of numbers whose result has the type of the first operand, with the number of their operands.
const std::map<std::string, size_t>& math_calls();
/// Calls that only a statement, a loop header or a block makes sense of.
bool is_statement_call(const std::string& name);
/// Known names of TVM that are outside of what is modelled.
bool is_unsupported_call(const std::string& name);
/// All that are modelled, for hints.
std::vector<std::string> known_calls();

}  // namespace hexproof::text
