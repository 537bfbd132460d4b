// How kernels are called.
#pragma once
#include <string>

namespace hexproof {

/// The symbol of a kernel whose function has this name: "conv2d_kernel". No function of the C library, no operation
/// that LLVM calls one for, no keyword and no macro is called so: a kernel "expf" would be what its own T.exp calls,
/// and one "write" what other libraries of the program call.
std::string kernel_symbol(const std::string& name);

}  // namespace hexproof
