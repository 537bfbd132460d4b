#include <algorithm>
#include <set>

#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/buffers/caches.h"
#include "rewrite/te/lower/lowering.h"
#include "rewrite/te/notes.h"

namespace hexproof::te {

Lowering::Lowering(const Script& script, Derivation& derivation, Prover& prover)
    : record_(*script.schedule), sch_(derivation, prover), last_(script.written) {
  for (StageId id = 0; id < record_.stages().size(); ++id) {
    const Stage& s = record_.stage(id);
    for (const Buffer& buffer : s.origin->outputs) {
      if (auto it = script.naive.buffers.find(buffer); it != script.naive.buffers.end()) names_[buffer] = it->second;
      if (auto it = script.naive.blocks.find(buffer); it != script.naive.blocks.end()) blocks_[id] = {it->second};
    }
  }
}

void Lowering::run() {
  bounds_ = infer_bound(record_);
  // A cache holds what its tensor does, at the indices that the script knows: layouts of inputs come after it.
  for (const Edit& edit : record_.edits()) apply(edit);
  for (const Edit& edit : record_.edits()) apply_layout(edit);
  for (StageId id : record_.order()) {
    if (record_.stage(id).attach == Attach::Inline) {
      at(record_.stage(id).attach_written);
      compute_inline(sch_, block(id));
    }
  }
  std::vector<StageId> later(record_.order().rbegin(), record_.order().rend());
  for (StageId id : later) place(id);
  for (StageId id : later) start_reduction(id);
  for (StageId id : record_.order()) {
    for (const Note& note : record_.stage(id).notes) say(id, note);
  }
  compact();
  for (StageId id : record_.order()) {
    for (const Note& note : record_.stage(id).notes) {
      if (note.kind == Note::Kind::StorageAlign) align(id, note);
    }
  }
  lower_blocks();
  sch_.remove_unit_loops();
  sch_.simplify();
  for (StageId id : record_.order()) {
    for (const Note& note : record_.stage(id).notes) {
      if (note.kind != Note::Kind::DoubleBuffer) continue;
      at(note.written);
      apply_note(sch_, note, {.loop = std::nullopt, .made_loop = {}, .block = path_of(block(id))});
    }
  }
}

void Lowering::start_reduction(StageId id) {
  const Stage& s = record_.stage(id);
  if (!s.op->reduction || is_double_buffered(id)) return;  // a slot is filled by one block
  for (const IterVar& iv : s.leaves) {
    if (iv.kind != IterKind::Reduce) continue;
    const std::optional<LoopRef>& loop = loops_.at(iv.var);
    if (!loop) continue;
    at(last_);
    try {
      sch_.decompose_reduction(block(id), *loop);
    } catch (const Refused&) {
    } catch (const Error&) {
    } catch (const Unsupported&) {
    }
    return;
  }
}

void Lowering::say(StageId id, const Note& note) {
  at(note.written);
  const Stage& s = record_.stage(id);
  if (s.attach == Attach::Inline) fail("'" + s.name + "' is inlined: it has no loops");
  if (note.kind == Note::Kind::SetScope) {
    for (size_t k = 0; k < s.op->outputs.size(); ++k) {
      sch_.set_scope(writer(id, k).first, {.name = names_.at(s.op->outputs[k]), .write = true}, note.name);
    }
  }
  // What else is said of memory is done where the stage is placed, or in the end.
  if (!note.of_loop()) return;
  apply_note(sch_, note, {.loop = loops_.at(note.at.var), .made_loop = [&] { return materialised(id, note.at); }});
}

bool Lowering::is_double_buffered(StageId id) const {
  const std::vector<Note>& notes = record_.stage(id).notes;
  return std::any_of(notes.begin(), notes.end(), [](const Note& n) { return n.kind == Note::Kind::DoubleBuffer; });
}

void Lowering::lower_blocks() {
  std::set<std::string> kept;
  Steps steps(sch_);
  for (StageId id : record_.order()) {
    if (is_double_buffered(id)) kept.insert(steps.name_of(block(id)));
  }
  if (kept.empty()) return sch_.lower_blocks();
  steps.all_or_nothing([&] {
    for (;;) {
      const std::vector<Path> blocks = find_all(steps.func(), [&](const Stmt& s) {
        const Block* b = s.as<Block>();
        return b && !kept.count(b->name);
      });
      if (blocks.empty()) return;
      steps.apply(LowerBlockArgs{.at = blocks[0]});
    }
  });
}

void Lowering::compact() {
  allocate_rolled();
  Steps steps(sch_);
  for (const auto& [id, box] : boxes_) {
    if (rolled_.count(id)) continue;
    at(record_.stage(id).attach_written);
    for (const Buffer& output : record_.stage(id).op->outputs) {
      const std::string& name = names_.at(output);
      steps.all_or_nothing([&, &box = box] {
        steps.try_apply(SinkAllocArgs{.buffer = name});
        // A buffer of symbolic size may be smaller than the box.
        const Buffer buffer = allocated(name);
        std::vector<Expr> least = box.extent;
        for (size_t d = 0; buffer && d < least.size() && d < buffer->ndim(); ++d) {
          if (!as_int(buffer->shape[d])) least[d] = min(least[d], buffer->shape[d]);
        }
        for (const std::vector<Expr>& extent : {box.extent, least}) {
          if (steps.try_apply(CompactBufferArgs{.buffer = name, .base = box.base, .extent = extent})) return;
        }
      });
    }
  }
  at(last_);
  sch_.compact_buffers();
}

void Lowering::align(StageId id, const Note& note) {
  at(note.written);
  const auto axis = static_cast<int64_t>(*record_.storage_axis(id, note.at));
  for (size_t k = 0; k < record_.stage(id).op->outputs.size(); ++k) {
    const auto [writes, index] = writer(id, k);
    storage_align(sch_, writes, index, axis, note.factor, note.offset);
  }
}

void lower(const Script& script, Derivation& derivation, Prover& prover) {
  if (script.schedule) Lowering(script, derivation, prover).run();
}

}  // namespace hexproof::te
