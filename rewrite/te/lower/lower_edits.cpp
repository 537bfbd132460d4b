// Caches, factored reductions and layouts: what changes the graph.
#include "rewrite/rules/args/buffers.h"
#include "rewrite/schedule/blocks/stages.h"
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
      const BlockRef copy = sch_.cache_write(of, {.name = names_.at(s.op->outputs[0]), .write = true}, edit.scope);
      blocks_[edit.made] = of;
      blocks_[edit.stage] = copy;
      names_[record_.stage(edit.made).op->outputs[0]] = store_of(of).buffer->name;
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
