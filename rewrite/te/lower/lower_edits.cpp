// Caches, factored reductions and layouts: what changes the graph.
#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/te/lower/lowering.h"

namespace hexproof::te {

void Lowering::apply(const Edit& edit) {
  at(edit.written);
  const Stage& s = record_.stage(edit.stage);
  switch (edit.kind) {
    case Edit::Kind::CacheRead: {
      const Buffer& buffer = s.op->outputs.at(edit.tensor);
      BlockRef reader = edit.readers.size() == 1 ? block(edit.readers[0]) : BlockRef{kRootBlock};
      if (edit.readers.size() > 1) demand_all_readers(edit);
      const BlockRef made = sch_.cache_read(reader, {.name = names_.at(buffer), .write = false}, edit.scope);
      blocks_[edit.made] = made;
      names_[record_.stage(edit.made).op->outputs[0]] = store_of(made).buffer->name;
      return;
    }
    case Edit::Kind::CacheWrite: {
      const BlockRef of = block(edit.stage);
      const std::vector<Buffer>& caches = record_.stage(edit.made).op->outputs;
      std::vector<BlockRef> copies;
      for (size_t k = s.op->outputs.size(); k-- > 0;) {  // the copy that is made last stands first
        const std::string& name = names_.at(s.op->outputs[k]);
        copies.insert(copies.begin(), sch_.cache_write(of, {.name = name, .write = true}, edit.scope));
        names_[caches.at(k)] = store_of(copies[0]).value->buffer()->name;
      }
      blocks_[edit.made] = of;
      blocks_[edit.stage] = copies.size() > 1 ? one_block(copies) : copies[0];
      return;
    }
    case Edit::Kind::Rfactor: {
      const std::vector<LoopRef> loops = loops_of(block(edit.stage));
      const size_t reduced = record_.stage(edit.made).op->reduction->axes.size() + (edit.split ? 0 : 1);
      LoopRef loop = loops.at(loops.size() - reduced + edit.root);
      if (edit.split) {
        const LoopAction& split = *edit.split;
        const std::vector<LoopRef> parts = split_loop(loop, split);
        loop = parts.at(split.to[0].var == edit.axes[0].var ? 0 : 1);
      }
      blocks_[edit.made] = hexproof::rfactor(sch_, loop, edit.axis);
      names_[record_.stage(edit.made).op->outputs[0]] = store_of(blocks_[edit.made]).buffer->name;
      return;
    }
    case Edit::Kind::Transform:
      return;
  }
}

BlockRef Lowering::one_block(const std::vector<BlockRef>& copies) {
  for (size_t k = 1; k < copies.size(); ++k) {
    const std::vector<LoopRef> before = loops_of(copies[0]), here = loops_of(copies[k]);
    if (!before.empty()) sch_.merge_adjacent_loops(before[0], here.at(0));
  }
  const BlockRef whole = blockize(sch_, copies, true);
  Steps steps(sch_);
  steps.all_or_nothing([&] {
    for (const BlockRef& copy : copies) steps.apply(LowerBlockArgs{.at = steps.path_of_block(copy)});
    steps.simplify(steps.path_of_block(whole));
  });
  return whole;
}

void Lowering::apply_layout(const Edit& edit) {
  if (edit.kind != Edit::Kind::Transform || !record_.stage(edit.stage).op->is_placeholder()) return;
  at(edit.written);
  transform(edit, {kRootBlock});
}

void Lowering::demand_all_readers(const Edit& edit) {
  std::vector<StageId> others = record_.consumers(edit.stage);
  std::erase(others, edit.made);
  if (record_.stage(edit.stage).op->is_placeholder() && others.empty()) return;
  throw Unsupported(now_.span, "one cache of several readers is made of inputs that nobody else reads",
                    "a cache_read for each reader");
}

void Lowering::transform(const Edit& edit, const BlockRef& where) {
  const Buffer& buffer = record_.stage(edit.stage).op->outputs[0];
  sch_.transform_layout(where, {.name = names_.at(buffer)}, edit.map);
}

}  // namespace hexproof::te
