// Where a stage is computed, and in which box.
#include <algorithm>

#include "rewrite/rules/args/blocks.h"
#include "rewrite/te/lower/lowering.h"

namespace hexproof::te {

void Lowering::place(StageId id) {
  const Stage& s = record_.stage(id);
  if (s.op->is_placeholder() || s.attach == Attach::Inline) return;
  if (s.op->scan) {  // the loops around its first step: that over time
    loops_[s.op->axes[0].var] = loops_of(block(id)).at(0);
    return;
  }
  size_t outside = s.part == ScanPart::Step ? 1 : 0;
  if (s.attach == Attach::Scope) {
    at(s.attach_written);
    const LoopRef loop = materialised(s.attach_stage, s.attach_at);
    if (!compute_box(id, loop)) sch_.compute_at(block(id), loop);
    const std::vector<LoopRef> around = loops_of(block(id));
    outside = static_cast<size_t>(
                  std::find_if(around.begin(), around.end(), [&](const LoopRef& l) { return l.var == loop.var; }) -
                  around.begin()) +
              1;
  }
  const Edit* layout = nullptr;
  for (const Edit& edit : record_.edits()) {
    if (edit.kind == Edit::Kind::Transform && edit.stage == id) layout = &edit;
  }
  if (layout) {
    at(layout->written);
    transform(*layout, block(id));
    const std::vector<LoopRef> made = sch_.sequential_buffer_access(block(id), {.name = names_.at(s.op->outputs[0])});
    take_transformed(s, *layout, made);
  } else {
    take_roots(s, block(id), outside);
  }
  for (const LoopAction& action : s.loops) act(action);
  for (const Note& note : s.notes) {
    if (note.kind == Note::Kind::RollingBuffer) roll(id, note, layout ? nullptr : &outside);
  }
}

bool Lowering::compute_box(StageId id, const LoopRef& loop) {
  const StageBounds* found = bounds_.of(id);
  Box box;
  VarMap here;
  for (const auto& [var, value] : roots_) here[var] = value;
  for (const auto& [var, ref] : loops_) {
    if (!here.count(var)) here[var] = ref ? Expr(ref->var) : imm(var.dtype(), 0);
  }
  bool part = false;
  for (const Face& face : found->box) {
    if (!as_int(face.extent)) return false;
    part = part || !face.whole;
    box.base.push_back(substitute(face.base, here));
    box.extent.push_back(face.extent);
  }
  if (!part) return false;
  Steps steps(sch_);
  ComputeAtArgs args{.block = path_of(block(id)), .loop = steps.path_of(loop), .base = box.base, .extent = box.extent};
  bool done = false;
  for (const int64_t clip : {0, 1}) {
    if (clip) args.clip = true;
    done = done || steps.try_apply(args);
  }
  if (done) boxes_[id] = std::move(box);
  return done;
}

Buffer Lowering::allocated(const std::string& name) {
  const std::optional<Path> at = find_allocation(sch_.func(), name);
  return at ? stmt_at(sch_.func(), *at).as<AllocBuffer>()->buffer : Buffer();
}

}  // namespace hexproof::te
