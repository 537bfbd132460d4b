// Names that programs may give.
#pragma once
#include <string_view>

namespace hexproof {

/// May a program call a pure function of this name? Letters, digits, '_' and '.', no digit first. Formulas have calls
/// of their own (`same_bits`, "T.undef.0", and whatever has a '#' in its name): no program can mean one of them.
bool is_function_name(std::string_view name);

}  // namespace hexproof
