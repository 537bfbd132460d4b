#include "rewrite/memory/notes.h"

namespace hexproof {

bool is_note(std::string_view key) {
  for (const char* prefix : {"async_", "software_pipeline_", "double_buffer_", "virtual_thread", "coproc_", "hexproof.",
                             "thread_extent", "pragma_import_", "tir."}) {
    if (key.starts_with(prefix)) return false;
  }
  return !key.empty();
}

}  // namespace hexproof
