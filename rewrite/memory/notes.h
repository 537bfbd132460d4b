// Annotations that compute nothing.
#pragma once
#include <string_view>

namespace hexproof {

/// May an annotation of this key come and go without a change of what the program means? Not those of asynchronous
/// copies, software pipelines, double buffers, virtual threads and coprocessors, nor hexproof's own marks.
bool is_note(std::string_view key);

}  // namespace hexproof
