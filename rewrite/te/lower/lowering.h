// A recorded schedule as steps: what is known of stages while they are lowered.
#pragma once
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"
#include "rewrite/te/bounds/bounds.h"
#include "rewrite/te/lower/lower.h"

namespace hexproof::te {

class Lowering {
 public:
  Lowering(const Script& script, Derivation& derivation, Prover& prover);
  void run();

 private:
  /// The loop in which the window of a stage slides, along which axis, and how long it is.
  struct Rolled {
    Var loop;
    size_t axis = 0;
    int64_t extent = 0;
  };
  struct Box {
    std::vector<Expr> base, extent;
  };

  // The program as it is now (lower_blocks.cpp)
  void at(const Written& written) {
    now_ = written;
    sch_.at(written.text, written.span);
  }
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const {
    throw Error(now_.span, message, hint);
  }
  const BlockRef& block(StageId id) const;
  /// The store of the block, not of its init.
  const Store& store_of(const BlockRef& ref);
  std::vector<LoopRef> loops_of(const BlockRef& ref);
  Path path_of(const BlockRef& ref) { return Steps(sch_).path_of_block(ref); }
  const Block& record_of(const BlockRef& ref) { return record_at<Block>(sch_.func(), path_of(ref), "a block"); }

  /// The block that writes the k-th output, which is its so-manieth: of a scan, that of the update.
  std::pair<BlockRef, int64_t> writer(StageId id, size_t k) const;

  // What changes the graph (lower_edits.cpp)
  void apply(const Edit& edit);
  /// Copies that stand next to one another as one block, which stores what each of them does.
  BlockRef one_block(const std::vector<BlockRef>& copies);
  /// Of an input; of what is computed, where its loops are made.
  void apply_layout(const Edit& edit);
  /// A cache of several readers is one of the whole body.
  void demand_all_readers(const Edit& edit);
  void transform(const Edit& edit, const BlockRef& where);

  // Where a stage is computed, and in which box (lower_place.cpp)
  /// Where the stage is computed, then its loops.
  void place(StageId id);
  /// In the box that InferBound finds: the rule proves that it is enough.
  bool compute_box(StageId id, const LoopRef& loop);
  Buffer allocated(const std::string& name);

  // What an earlier iteration computed (lower_rolling.cpp)
  /// What the stage has already is not computed again where its window slides. `outside`: how many loops around it are
  /// not its own; missing where its loops follow a layout.
  void roll(StageId id, const Note& note, const size_t* outside);
  /// What was rolled is allocated right around the loop in which its window slides.
  void allocate_rolled();

  // Its loops (lower_loops.cpp)
  std::vector<LoopRef> split_loop(const LoopRef& loop, const LoopAction& split);
  /// A box may be smaller than the factor: then the inner loop is all of it.
  LoopAction at_most_whole(const LoopRef& loop, LoopAction split);
  void take_transformed(const Stage& s, const Edit& layout, const std::vector<LoopRef>& made);
  /// Which loop each root is: the block's variables are known by where they stand, as indices of the store, or among
  /// the reductions.
  void take_roots(const Stage& s, const BlockRef& ref, size_t outside);
  void act(const LoopAction& action);
  std::vector<LoopRef> present(const std::vector<IterVar>& ivs) const;
  /// The loop; one of a single iteration is made where there is none.
  LoopRef materialised(StageId id, const IterVar& iv);

  // What is left when all loops are made (lower.cpp)
  /// The init of a reduction stands in front of its outermost loop that reduces. Where that is not shown to be the
  /// same, the init stays in the block: nothing but speed is lost.
  void start_reduction(StageId id);
  void say(StageId id, const Note& note);
  void compact();
  /// Blocks as loops, but for those that a note on what is lowered speaks of.
  void lower_blocks();
  bool is_double_buffered(StageId id) const;
  /// Rows as far apart as it was asked for, of memory that is as small as its use.
  void align(StageId id, const Note& note);

  const Schedule& record_;
  hexproof::Schedule sch_;
  Written last_, now_;
  std::map<Buffer, std::string> names_;  // of the buffers of the graph: in the program
  std::map<StageId, BlockRef> blocks_;
  Bounds bounds_;
  std::map<StageId, Box> boxes_;  // in which stages are computed
  std::map<StageId, Rolled> rolled_;
  VarMap roots_;                                 // the values of axes that are loops themselves
  std::map<Var, std::optional<LoopRef>> loops_;  // nothing: it runs once, and has no loop
};

}  // namespace hexproof::te
