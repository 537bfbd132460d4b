#pragma once
#include <string>

namespace hexproof {

/// The version of LLVM that generates code: "19.1.7".
std::string llvm_version();

}  // namespace hexproof
