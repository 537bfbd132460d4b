// Annotations and attributes by their keys: which compute nothing.
#pragma once
#include <cstdint>
#include <string_view>

#include "ir/function.h"

namespace hexproof {

enum class NoteKind : uint8_t {
  Free,     // may come and go, and nothing changes
  Kept,     // stands where it stands: who put it there means something by it, hexproof's own marks among them
  Changes,  // changes what the program does (asynchronous copies, pipelines, virtual threads): not modelled
};
NoteKind note_kind(std::string_view key);

/// Throws Unsupported where notes ask for more than is modelled: thread_axes_defect, double_buffer_defect. Asked of
/// each function that is read, and of one with what it calls put in.
void demand_modelled_notes(const PrimFunc& func);

}  // namespace hexproof
