#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/blocks/stages.h"
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
  sch_.lower_blocks();
  sch_.remove_unit_loops();
  sch_.simplify();
}

void Lowering::start_reduction(StageId id) {
  const Stage& s = record_.stage(id);
  if (!s.op->reduction) return;
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
  if (note.kind == Note::Kind::RollingBuffer) return;  // done where the stage was placed
  const bool of_stage = note.kind == Note::Kind::SetScope || note.kind == Note::Kind::StorageAlign;
  apply_note(sch_, note,
             {.loop = of_stage ? std::nullopt : loops_.at(note.at.var),
              .made_loop = [&] { return materialised(id, note.at); },
              .block = block(id),
              .buffer = names_.at(s.op->outputs[0])});
}

void Lowering::compact() {
  allocate_rolled();
  Steps steps(sch_);
  for (const auto& [id, box] : boxes_) {
    if (rolled_.count(id)) continue;
    at(record_.stage(id).attach_written);
    const std::string& name = names_.at(record_.stage(id).op->outputs[0]);
    steps.all_or_nothing([&] {
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
  at(last_);
  sch_.compact_buffers();
}

void lower(const Script& script, Derivation& derivation, Prover& prover) {
  if (script.schedule) Lowering(script, derivation, prover).run();
}

}  // namespace hexproof::te
