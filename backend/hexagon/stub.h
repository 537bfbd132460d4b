// The start of a Hexagon program.
#pragma once
#include <llvm/IR/Module.h>

#include "backend/hexagon.h"
#include "backend/hexagon/protocol.h"

namespace hexproof::hexagon {

/// Adds `_start`: reads the block, runs the kernel between two readings of the counters, writes the counters (three
/// 32-bit words before and three after) and the block, and exits with 0; with 3 when the input is too short, 4 when
/// the output cannot be written. There is no C library: system calls are `trap0(#1)` with the number in r6.
void add_stub(llvm::Module& module, const Executable& program, const std::string& kernel);

}  // namespace hexproof::hexagon
