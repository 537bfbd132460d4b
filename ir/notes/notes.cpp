#include "ir/notes/notes.h"

namespace hexproof {

NoteKind note_kind(std::string_view key) {
  for (const char* prefix : {"async_", "software_pipeline_", "double_buffer_", "virtual_thread", "coproc_"}) {
    if (key.starts_with(prefix)) return NoteKind::Changes;
  }
  for (const char* prefix : {"hexproof.", "thread_extent", "pragma_import_", "tir."}) {
    if (key.starts_with(prefix)) return NoteKind::Kept;
  }
  return key.empty() ? NoteKind::Kept : NoteKind::Free;
}

}  // namespace hexproof
