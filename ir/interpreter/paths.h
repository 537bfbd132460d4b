// The two ways of running a program. They give the same results, errors and places; a test compares them.
#pragma once
#include "ir/interpreter/arguments.h"

namespace hexproof {

class RunObserver;

/// By the general walk (walk.h): every program, slowly. An observer may look on.
RunResult run_by_walk(const PrimFunc& func, std::vector<Tensor>& buffers, const Arguments& arguments,
                      const RunOptions& options, RunObserver* observer = nullptr);

/// By bytecode (bytecode.h): most programs, quickly; nothing when this is not one of them.
std::optional<RunResult> run_by_bytecode(const PrimFunc& func, std::vector<Tensor>& buffers, const Arguments& arguments,
                                         const RunOptions& options);

/// Where the elements of an argument lie in its memory, in the order of the tensor.
std::vector<int64_t> element_positions(const BoundBuffer& bound);

}  // namespace hexproof
