// The loops and the memory of a program, as the page draws them.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "ir/stmt.h"

namespace hexproof::tools {

/// Nested: {"kind": "serial", "text": "i in [0, 64)", "bytes": 0, "parts": [...]}. Kinds are those of loops, "memory"
/// and "store".
nlohmann::ordered_json loop_nest(const Stmt& stmt);

}  // namespace hexproof::tools
