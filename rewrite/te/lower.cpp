#include "rewrite/te/lower.h"

#include <algorithm>

#include "rewrite/rules/args/blocks.h"
#include "rewrite/rules/args/buffers.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"
#include "rewrite/te/bounds.h"
#include "rewrite/te/notes.h"

namespace hexproof::te {
namespace {

using Loops = std::vector<std::optional<LoopRef>>;

class Lowering {
 public:
  Lowering(const Script& script, Derivation& derivation, Prover& prover)
      : record_(*script.schedule), sch_(derivation, prover), last_(script.written) {
    for (StageId id = 0; id < record_.stages().size(); ++id) {
      const Stage& s = record_.stage(id);
      for (const Buffer& buffer : s.origin->outputs) {
        if (auto it = script.naive.buffers.find(buffer); it != script.naive.buffers.end()) names_[buffer] = it->second;
        if (auto it = script.naive.blocks.find(buffer); it != script.naive.blocks.end()) blocks_[id] = {it->second};
      }
    }
  }

  void run() {
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

 private:
  void at(const Written& written) {
    now_ = written;
    sch_.at(written.text, written.span);
  }

  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const {
    throw Error(now_.span, message, hint);
  }

  const BlockRef& block(StageId id) const {
    auto it = blocks_.find(id);
    if (it == blocks_.end())
      fail("'" + record_.stage(id).name + "' is no part of what is lowered",
           "tvm.lower is given the tensors at the ends of the schedule");
    return it->second;
  }

  Path path_of(const BlockRef& ref) { return Steps(sch_).path_of_block(ref); }
  const Block& record_of(const BlockRef& ref) { return record_at<Block>(sch_.func(), path_of(ref), "a block"); }

  /// The store of the block, not of its init.
  const Store& store_of(const BlockRef& ref) {
    const Store* found = nullptr;
    visit_stmt(record_of(ref).body, [&](const Stmt& s) {
      if (const Store* store = s.as<Store>(); store && !found) found = store;
      return true;
    });
    if (!found) fail("block '" + ref.name + "' stores nothing");
    return *found;
  }

  std::vector<LoopRef> loops_of(const BlockRef& ref) {
    std::vector<LoopRef> out;
    for (const Path& at : loops_around(sch_.func(), path_of(ref))) {
      out.push_back({record_at<For>(sch_.func(), at, "a loop").var});
    }
    return out;
  }

  void apply(const Edit& edit) {
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

  /// Of an input; of what is computed, where its loops are made.
  void apply_layout(const Edit& edit) {
    if (edit.kind != Edit::Kind::Transform || !record_.stage(edit.stage).op->is_placeholder()) return;
    at(edit.written);
    transform(edit, {kRootBlock});
  }

  /// A cache of several readers is one of the whole body.
  void demand_all_readers(const Edit& edit) {
    std::vector<StageId> others = record_.consumers(edit.stage);
    std::erase(others, edit.made);
    if (record_.stage(edit.stage).op->is_placeholder() && others.empty()) return;
    throw Unsupported(now_.span, "one cache of several readers is made of inputs that nobody else reads",
                      "a cache_read for each reader");
  }

  std::vector<LoopRef> split_loop(const LoopRef& loop, const LoopAction& split) {
    std::vector<std::optional<int64_t>> factors{split.nparts, split.factor};
    return sch_.split(loop, factors);
  }

  /// A box may be smaller than the factor: then the inner loop is all of it.
  LoopAction at_most_whole(const LoopRef& loop, LoopAction split) {
    Steps steps(sch_);
    const For& f = record_at<For>(steps.func(), steps.path_of(loop), "a loop");
    if (const int64_t* n = as_int(f.extent); n && *n > 0 && split.factor) split.factor = std::min(*split.factor, *n);
    return split;
  }

  void transform(const Edit& edit, const BlockRef& where) {
    const Buffer& buffer = record_.stage(edit.stage).op->outputs[0];
    sch_.transform_layout(where, {.name = names_.at(buffer)}, edit.map);
  }

  /// Where the stage is computed, then its loops.
  void place(StageId id) {
    const Stage& s = record_.stage(id);
    if (s.op->is_placeholder() || s.attach == Attach::Inline) return;
    size_t outside = 0;
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
  }

  /// In the box that InferBound finds: the rule proves that it is enough.
  bool compute_box(StageId id, const LoopRef& loop) {
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
    ComputeAtArgs args{
        .block = path_of(block(id)), .loop = steps.path_of(loop), .base = box.base, .extent = box.extent};
    bool done = false;
    for (const int64_t clip : {0, 1}) {
      if (clip) args.clip = true;
      done = done || steps.try_apply(args);
    }
    if (done) boxes_[id] = std::move(box);
    return done;
  }

  Buffer allocated(const std::string& name) {
    const std::optional<Path> at = find_allocation(sch_.func(), name);
    return at ? stmt_at(sch_.func(), *at).as<AllocBuffer>()->buffer : Buffer();
  }

  void compact() {
    Steps steps(sch_);
    for (const auto& [id, box] : boxes_) {
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

  void take_transformed(const Stage& s, const Edit& layout, const std::vector<LoopRef>& made) {
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

  /// Which loop each root is: the block's variables are known by where they stand, as indices of the store, or among
  /// the reductions.
  void take_roots(const Stage& s, const BlockRef& ref, size_t outside) {
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

  void act(const LoopAction& action) {
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

  std::vector<LoopRef> present(const std::vector<IterVar>& ivs) const {
    std::vector<LoopRef> out;
    for (const IterVar& iv : ivs) {
      if (const std::optional<LoopRef>& loop = loops_.at(iv.var)) out.push_back(*loop);
    }
    return out;
  }

  /// The loop; one of a single iteration is made where there is none.
  LoopRef materialised(StageId id, const IterVar& iv) {
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

  /// The init of a reduction stands in front of its outermost loop that reduces. Where that is not shown to be the
  /// same, the init stays in the block: nothing but speed is lost.
  void start_reduction(StageId id) {
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

  void say(StageId id, const Note& note) {
    at(note.written);
    const Stage& s = record_.stage(id);
    if (s.attach == Attach::Inline) fail("'" + s.name + "' is inlined: it has no loops");
    const bool of_stage = note.kind == Note::Kind::SetScope || note.kind == Note::Kind::StorageAlign;
    apply_note(sch_, note,
               {.loop = of_stage ? std::nullopt : loops_.at(note.at.var),
                .made_loop = [&] { return materialised(id, note.at); },
                .block = block(id),
                .buffer = names_.at(s.op->outputs[0])});
  }

  struct Box {
    std::vector<Expr> base, extent;
  };

  const Schedule& record_;
  hexproof::Schedule sch_;
  Written last_, now_;
  std::map<Buffer, std::string> names_;  // of the buffers of the graph: in the program
  std::map<StageId, BlockRef> blocks_;
  Bounds bounds_;
  std::map<StageId, Box> boxes_;                 // in which stages are computed
  VarMap roots_;                                 // the values of axes that are loops themselves
  std::map<Var, std::optional<LoopRef>> loops_;  // nothing: it runs once, and has no loop
};

}  // namespace

void lower(const Script& script, Derivation& derivation, Prover& prover) {
  if (script.schedule) Lowering(script, derivation, prover).run();
}

}  // namespace hexproof::te
