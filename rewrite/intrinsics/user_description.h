// Descriptions of instructions that users write.
#pragma once
#include <string>
#include <variant>

#include "ir/function.h"

namespace hexproof {

/// The only function of the text as a description that match_nest takes, its written operand first; else what is wrong
/// with it. A root block around the nest, without variables, is left out.
std::variant<PrimFunc, std::string> user_description(const std::string& text);

}  // namespace hexproof
