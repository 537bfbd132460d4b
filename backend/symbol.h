// How kernels are called.
#pragma once
#include <string>

namespace hexproof {

/// The symbol of a kernel whose function has this name: the name itself, or with "_kernel" behind it where it means
/// something else to C, to LLVM (a function of its name would be called for an operation: "expf", "memcpy"), or to a
/// linker ("main").
std::string kernel_symbol(const std::string& name);

}  // namespace hexproof
