// Buffers of scope "local" in registers: an alloca whose every access stands at a constant index, so that LLVM's
// promotion of memory to registers takes all of it.
#pragma once
#include <llvm/IR/Module.h>

#include <optional>
#include <string>

#include "ir/base/diagnostic.h"

namespace hexproof::codegen {

/// On the host a larger buffer of scope "local" is memory as any other: no machine of that kind has more registers.
inline constexpr int64_t kHostRegisterBytes = 2048;

/// One allocation that is kept in registers.
struct Registers {
  std::string name;
  Span span;
  int64_t bytes = 0;
  int element_bits = 0;
  bool by_vectors = false, by_cells = false;  // how it is accessed
  std::string cells_where = {};               // of an access by single cells: the loop that walks over them
};

/// Loops over registers may become so many statements.
constexpr int64_t kMostWrittenOut = 1 << 15;

/// The machine's registers, but for a few that operands and addresses need.
constexpr int64_t kHexagonVectors = 31, kHexagonScalars = 28;

/// The name of a buffer of which a trace is left in memory after optimisation; empty when there is none.
std::string left_in_memory(const llvm::Module& module);

}  // namespace hexproof::codegen
