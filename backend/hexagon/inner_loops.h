// What the innermost loops of a kernel look like, as the assembly has them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace hexproof {

struct InnerLoop {
  std::vector<std::string> packets;  // the instructions of each, one line
  int64_t stack_accesses = 0;        // loads and stores through the stack or frame pointer: spills
  int64_t multiplies = 0;            // packets with a vrmpy
  int64_t pairs = 0;                 // packets with two
};

/// The innermost loops in Hexagon assembly as LLVM writes it, in program order.
std::vector<InnerLoop> inner_loops(const std::string& assembly);

}  // namespace hexproof
