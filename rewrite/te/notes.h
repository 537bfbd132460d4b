// Kinds of loops, scopes and pragmas, as steps.
#pragma once
#include <functional>

#include "rewrite/schedule/schedule.h"
#include "rewrite/te/schedule.h"

namespace hexproof::te {

/// What a note is about, in the program.
struct NotePlace {
  std::optional<LoopRef> loop;         // nothing: it runs once, and has no loop
  std::function<LoopRef()> made_loop;  // the loop, made if there is none
  Path block = {};                     // of what is said of the stage
};

void apply_note(hexproof::Schedule& schedule, const Note& note, const NotePlace& place);

}  // namespace hexproof::te
