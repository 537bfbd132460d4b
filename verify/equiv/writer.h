// Which statement wrote a cell last.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// For each element of buffer parameter number `buffer`: the last store to it, as a line of text; empty where the
/// program stores nothing, or stores vectors through a view. The run must be free of errors.
std::vector<std::string> last_writers(const PrimFunc& func, size_t buffer, std::vector<Tensor> arguments,
                                      const std::vector<int64_t>& scalars);

}  // namespace hexproof
