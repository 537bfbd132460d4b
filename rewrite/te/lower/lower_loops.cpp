// The loops of a stage: which loop each axis is, and what the schedule does with them.
#include <algorithm>

#include "rewrite/rules/args/loops.h"
#include "rewrite/te/lower/lowering.h"

namespace hexproof::te {

std::vector<LoopRef> Lowering::split_loop(const LoopRef& loop, const LoopAction& split) {
  std::vector<std::optional<int64_t>> factors{split.nparts, split.factor};
  return sch_.split(loop, factors);
}

LoopAction Lowering::at_most_whole(const LoopRef& loop, LoopAction split) {
  Steps steps(sch_);
  const For& f = record_at<For>(steps.func(), steps.path_of(loop), "a loop");
  if (const int64_t* n = as_int(f.extent); n && *n > 0 && split.factor) split.factor = std::min(*split.factor, *n);
  return split;
}

void Lowering::take_transformed(const Stage& s, const Edit& layout, const std::vector<LoopRef>& made) {
  // Axes of one cell have no loop where the rule leaves them out.
  std::vector<size_t> present;
  for (size_t k = 0; k < layout.axes.size(); ++k) {
    if (made.size() >= layout.axes.size() || !is_int(layout.axes[k].dom.extent, 1)) present.push_back(k);
  }
  if (present.size() > made.size()) fail("the loops of '" + s.name + "' do not follow its new layout");
  for (const IterVar& iv : layout.axes) loops_[iv.var] = std::nullopt;
  for (size_t k = 0; k < present.size(); ++k) loops_[layout.axes[present[k]].var] = made[k];
  if (!s.op->reduction) return;
  const auto& reduced = s.op->reduction->axes;
  const std::vector<LoopRef> all = loops_of(blocks_.at(record_.stage_of(s.op->outputs[0])));
  for (size_t k = 0; k < reduced.size(); ++k) loops_[reduced[k].var] = all.at(all.size() - reduced.size() + k);
}

void Lowering::take_roots(const Stage& s, const BlockRef& ref, size_t outside) {
  const std::vector<LoopRef> around = loops_of(ref);
  const std::vector<LoopRef> own(around.begin() + static_cast<std::ptrdiff_t>(outside), around.end());
  const Block& b = record_of(ref);
  auto loop_in = [&](const Expr& binding) -> std::optional<LoopRef> {
    for (const LoopRef& l : own) {
      if (uses_var(binding, l.var)) return l;
    }
    return std::nullopt;
  };
  const Store& store = store_of(ref);
  for (size_t d = 0; d < s.op->axes.size(); ++d) {
    loops_[s.op->axes[d].var] = std::nullopt;
    for (const hexproof::IterVar& iv : b.iters) {
      if (d < store.indices.size() && uses_var(store.indices[d], iv.var)) {
        loops_[s.op->axes[d].var] = loop_in(iv.binding);
        roots_[s.op->axes[d].var] = iv.binding;
      }
    }
  }
  size_t k = 0;
  for (const hexproof::IterVar& iv : b.iters) {
    if (iv.kind != IterKind::Reduce || !s.op->reduction) continue;
    if (k < s.op->reduction->axes.size()) loops_[s.op->reduction->axes[k++].var] = loop_in(iv.binding);
  }
  std::vector<LoopRef> order;
  for (const IterVar& iv : s.op->roots()) {
    auto it = loops_.find(iv.var);
    if (it != loops_.end() && it->second) order.push_back(*it->second);
  }
  size_t seen = 0;
  for (const LoopRef& l : own) seen += seen < order.size() && order[seen].var == l.var ? 1 : 0;
  if (seen < order.size()) sch_.reorder(order);
}

void Lowering::act(const LoopAction& action) {
  at(action.written);
  switch (action.kind) {
    case LoopAction::Kind::Split: {
      const std::optional<LoopRef> loop = loops_.at(action.from[0].var);
      for (const IterVar& iv : action.to) loops_[iv.var] = std::nullopt;
      if (!loop) return;
      const std::vector<LoopRef> made = split_loop(*loop, at_most_whole(*loop, action));
      for (size_t k = 0; k < 2; ++k) loops_[action.to[k].var] = made.at(k);
      return;
    }
    case LoopAction::Kind::Fuse: {
      const std::vector<LoopRef> loops = present(action.from);
      loops_[action.to[0].var] =
          loops.empty() ? std::nullopt : std::optional(loops.size() == 1 ? loops[0] : sch_.fuse(loops));
      return;
    }
    case LoopAction::Kind::Reorder:
      if (const std::vector<LoopRef> loops = present(action.from); loops.size() > 1) sch_.reorder(loops);
      return;
  }
}

std::vector<LoopRef> Lowering::present(const std::vector<IterVar>& ivs) const {
  std::vector<LoopRef> out;
  for (const IterVar& iv : ivs) {
    if (const std::optional<LoopRef>& loop = loops_.at(iv.var)) out.push_back(*loop);
  }
  return out;
}

LoopRef Lowering::materialised(StageId id, const IterVar& iv) {
  if (const std::optional<LoopRef>& loop = loops_.at(iv.var)) return *loop;
  const Stage& s = record_.stage(id);
  Steps steps(sch_);
  auto here = std::find_if(s.leaves.begin(), s.leaves.end(), [&](const IterVar& l) { return l.var == iv.var; });
  std::optional<LoopRef> inner;
  for (auto it = here; it != s.leaves.end() && !inner; ++it) inner = loops_.at(it->var);
  LoopRef out;
  steps.all_or_nothing([&] {
    const Path place = inner ? steps.path_of(*inner) : steps.path_of_block(block(id));
    steps.apply(AddUnitLoopArgs{.at = place, .name = identifier(iv.var.name())});
    out = {record_at<For>(steps.func(), place, "a loop").var};
  });
  loops_[iv.var] = out;
  return out;
}

}  // namespace hexproof::te
