// Which statement wrote a cell last.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/interpreter.h"

namespace hexproof {

/// A store as a line of text, and where it stands; both empty for none.
struct LastWriter {
  std::string statement = {};
  Span span = {};
};

/// For each element of buffer parameter number `buffer`: the last store to it; none where the program stores nothing,
/// or stores vectors through a view. The run must be free of errors.
std::vector<LastWriter> last_writers(const PrimFunc& func, size_t buffer, std::vector<Tensor> arguments,
                                     const std::vector<int64_t>& scalars);

}  // namespace hexproof
