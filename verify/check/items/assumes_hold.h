// Does an input satisfy what the program assumes?
#pragma once
#include "ir/function.h"
#include "ir/stmt.h"

namespace hexproof {

/// The function with nothing but its assumes, and what stands around them, as far as they may run before the statement
/// at `path`: a run of it on an input fails where the function would end at an assume of its own. No statement when
/// there is no such assume; nothing when one of them, or what leads to it, reads memory that the function writes.
std::optional<PrimFunc> assumes_before(const PrimFunc& func, const Path& path);

}  // namespace hexproof
