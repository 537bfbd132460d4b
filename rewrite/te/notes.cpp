#include "rewrite/te/notes.h"

#include "ir/notes/double_buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/schedule/steps.h"

namespace hexproof::te {
namespace {

/// Applies the rule with these arguments to the loop of a note.
template <class A>
void step(hexproof::Schedule& schedule, const NotePlace& place, A args) {
  const LoopRef loop = place.made_loop();
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    args.at = steps.path_of(loop);
    steps.apply(args);
  });
}

}  // namespace

void apply_note(hexproof::Schedule& schedule, const Note& note, const NotePlace& place) {
  switch (note.kind) {
    case Note::Kind::SetScope:
    case Note::Kind::RollingBuffer:
    case Note::Kind::StorageAlign:
      return;  // of memory: see Lowering::say
    case Note::Kind::DoubleBuffer: {
      Steps steps(schedule);
      steps.all_or_nothing(
          [&] { steps.apply(AnnotateArgs{.at = place.block, .key = kDoubleBuffer, .value = int64_t{0}}); });
      return;
    }
    case Note::Kind::Unroll:
      if (place.loop) schedule.unroll(*place.loop);
      return;
    case Note::Kind::Vectorize:
      if (place.loop) schedule.vectorize(*place.loop);
      return;
    case Note::Kind::Parallel:
      if (place.loop) schedule.parallel(*place.loop);
      return;
    case Note::Kind::Tensorize:
      schedule.tensorize(place.made_loop(), note.name);
      return;
    case Note::Kind::Bind:
      step(schedule, place, BindArgs{.at = {}, .thread = note.name});
      return;
    case Note::Kind::Pragma: {
      AnnotateArgs args{.key = "pragma_" + note.name, .value = int64_t{1}};
      if (note.value) {
        if (const auto* k = std::get_if<int64_t>(&*note.value)) args.value = *k;
        if (const auto* t = std::get_if<std::string>(&*note.value)) args.value = *t;
      }
      step(schedule, place, args);
      return;
    }
  }
}

}  // namespace hexproof::te
