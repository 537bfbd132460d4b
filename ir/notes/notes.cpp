#include "ir/notes/notes.h"

#include "ir/notes/double_buffers.h"
#include "ir/notes/thread_axes.h"

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

void demand_modelled_notes(const PrimFunc& func) {
  if (auto defect = thread_axes_defect(func)) {
    throw Unsupported(defect->span ? defect->span : func.span, defect->message,
                      "a loop over a thread axis is read as a parallel loop, which this is not");
  }
  if (auto defect = double_buffer_defect(func)) {
    throw Unsupported(defect->span ? defect->span : func.span, defect->message,
                      "what fills it must be free to run one iteration ahead, in a slot of its own");
  }
}

}  // namespace hexproof
