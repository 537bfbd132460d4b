// Schedule primitives with TVM's names: strategies that find places and arguments, and call rules of the kernel.
#pragma once
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rewrite/kernel/rule_args.h"
#include "rewrite/passes/passes.h"

namespace hexproof {

/// A block, by its name (unique in the function), or the nest of a loop in place of one. "root" is the whole body,
/// unless there is a block of that name.
struct BlockRef {
  std::string name;
  Var loop = {};  // given: the loop with all that stands in it
};
/// A loop, by its variable. It stays valid until a primitive consumes the loop.
struct LoopRef {
  Var var;
};

/// Which buffer of a block: by name, by position among what it reads or writes ("read", 0), or by position alone where
/// the primitive says which (cache_read, cache_write).
struct BufferChoice {
  std::string name = {};           // empty: by position
  std::optional<bool> write = {};  // of ("read", k), ("write", k)
  int64_t index = 0;
};

struct PadSuggestions;  // rewrite/schedule/padding/suggest_pad_value.h

/// A need of a rule that a schedule asked for was not proved: Refused, with the line of the schedule, and with what
/// would make it go through (`hint`), where that is known.
class PrimitiveRefused : public Refused {
 public:
  PrimitiveRefused(const Span& span, const std::string& primitive, const Refused& refused,
                   const std::string& hint = "");
  const char* what() const noexcept override { return message_.c_str(); }
  Span span;

 private:
  std::string message_;
};

/// Primitives on a derivation. Each is all or nothing: when it fails, the derivation is as before.
///
/// Errors: a rule that does not apply, or a handle that names nothing any more, is an Error at the span of `at`; a
/// condition that is not proved a PrimitiveRefused; what no rule can do yet Unsupported.
class Schedule {
  friend class Steps;  // rewrite/schedule/steps.h: primitives that are functions of their own

 public:
  Schedule(Derivation& derivation, Prover& prover) : derivation_(derivation), prover_(prover) {}

  /// The primitive that runs next, as the user wrote it, and where: for errors and for the steps.
  void at(std::string primitive, Span span) { primitive_ = std::move(primitive), span_ = std::move(span); }

  const PrimFunc& func() const { return derivation_.current(); }

  // Handles
  BlockRef get_block(const std::string& name);
  /// The loops around the block, outermost first, up to the block around it if there is one.
  std::vector<LoopRef> get_loops(const BlockRef& block);
  /// The loop over a variable of that name: the only one, or the one at `index` (from 0) in program order.
  LoopRef get_loop(const std::string& name, std::optional<int64_t> index);

  /// The outermost loops inside of the block, or of the nest, in program order.
  std::vector<LoopRef> get_child_loops(const BlockRef& block);

  // Loops
  /// `factors`, outermost first, one of them may be missing and is then inferred. The new loops run as often as they
  /// must: with factors given for all, their product must cover the extent.
  std::vector<LoopRef> split(const LoopRef& loop, const std::vector<std::optional<int64_t>>& factors);
  LoopRef fuse(const std::vector<LoopRef>& loops);
  /// The loops take each other's places so that they stand in this order; loops between them stay.
  void reorder(const std::vector<LoopRef>& order);
  void unroll(const LoopRef& loop);
  void vectorize(const LoopRef& loop);
  void parallel(const LoopRef& loop);
  /// The nest of the loop is marked as the instruction of that name (rewrite/intrinsics). Operands that are named may
  /// stand at any multiple of 4 bytes.
  void tensorize(const LoopRef& loop, const std::string& intrinsic, const std::vector<std::string>& unaligned = {});
  /// Two adjacent loops into one; returns the first.
  LoopRef merge(const LoopRef& first, const LoopRef& second);
  /// merge, after moving what stands between out of the way where that touches no cell of either loop's; the perfect
  /// nests below are merged, too, as far as is proved.
  LoopRef merge_adjacent_loops(const LoopRef& first, const LoopRef& second);
  /// A loop over a sequence into two: the first `count` statements, and the rest. Returns both.
  std::vector<LoopRef> distribute(const LoopRef& loop, int64_t count);

  // Blocks and buffers
  /// `pad` is "pad_value" of the rule; missing: padding may be neither read nor relied on.
  void transform_layout(const BlockRef& block, const BufferChoice& buffer, const IndexMap& map,
                        const std::optional<PadArg>& pad = {});
  /// Finds pad values for a layout of a buffer of the block (RFC 77, "Future possibilities": options for pad_value,
  /// determined automatically). Candidates are undef and the constants that the program suggests (pad_candidates.h).
  /// Each is tried by the kernel on a copy of the derivation: the layout with this value, loops in the order of the
  /// buffer (where that is proved), branches taken away by overcompute. It counts when more branches go than without a
  /// pad value; the stage that writes the padding itself does not count. The derivation is not changed. A layout that
  /// is refused without a pad value is an error, as for transform_layout.
  PadSuggestions suggest_pad_value(const BlockRef& block, const BufferChoice& buffer, const IndexMap& map);
  /// An allocation whose layout was transformed, and whose padding nothing touches, becomes a view of the un-padded
  /// buffer, if the layout keeps the order of the elements (RFC 77, "Unresolved questions": padding may be elided).
  /// `logical` is the layout that led to the buffer's; missing: what transform_layout did to it in this derivation.
  void elide_padding(const BlockRef& block, const BufferChoice& buffer,
                     const std::optional<LayoutChange>& logical = {});
  /// The buffer that a choice means.
  Buffer buffer_of(const BlockRef& block, const BufferChoice& buffer);
  BlockRef cache_read(const BlockRef& block, const BufferChoice& buffer, const std::string& scope);
  BlockRef cache_write(const BlockRef& block, const BufferChoice& buffer, const std::string& scope);
  /// The allocation that the block writes lives in that scope from now on.
  void set_scope(const BlockRef& block, const BufferChoice& buffer, const std::string& scope);
  /// Splits off the initialisation in front of `loop`. Returns its block; the given block is the update from now on.
  BlockRef decompose_reduction(const BlockRef& block, const LoopRef& loop);
  /// The condition of the block (T.where), or else of the innermost `if` around it, always holds: it goes.
  void eliminate_branch(const BlockRef& block);
  void compute_at(const BlockRef& block, const LoopRef& loop);
  /// The loops of the block (around it, or else in it) run over the buffer in memory order. Returns the new perfect
  /// nest (the first one, when several in the block access the buffer). By name, the buffer is followed where it is
  /// written, or else where it is read.
  std::vector<LoopRef> sequential_buffer_access(const BlockRef& block, const BufferChoice& buffer);

  /// Where a branch without else in the block stores to the buffer, its else stores `value` to the same cell: for cells
  /// that nobody sees (rule insert-store). `value` is a constant.
  void fill_branch(const BlockRef& block, const std::string& buffer, const PadArg& value);

  // Passes, on the nest of a block (rewrite/passes/passes.h). One that changes nothing is refused, with the reason.
  void hoist_expression(const BlockRef& block, const HoistOptions& options);
  void hoist_index_expressions(const BlockRef& block);
  void reduce_loop_extents(const BlockRef& block);
  void remove_no_op(const BlockRef& block);
  void separate_conditions(const BlockRef& block);
  void simplify_conditions(const BlockRef& block);
  /// Neighbouring branches on complementary (or equal) conditions into one; where both sides are equal, none is left.
  void merge_complementary_conditions(const BlockRef& block);
  void remove_branching_through_overcompute(const BlockRef& block, bool clamp);
  void remove_overcompute_through_branching(const BlockRef& block);
  void introduce_conditionals(const BlockRef& block);
  /// A pass by TVM's name on the whole function; one that changes nothing is fine.
  void apply_pass(const std::string& name);

  // Clean-up, of the whole function: hexproof's own primitives
  void simplify();
  void remove_branches();
  void remove_unit_loops();
  void inline_lets();
  void lower_blocks();
  /// Allocations as far inwards as their uses allow.
  void sink_allocations();
  /// As sink_allocations, then each buffer only as large as what is used of it (TVM's CompactBufferAllocation).
  void compact_buffers();
  /// Every buffer to one axis per group of axes (TVM's FlattenBuffer).
  void flatten_buffers();

 private:
  Path path_of(const LoopRef& loop) const;
  Path path_of(const BlockRef& block) const;
  /// As path_of, but Unsupported for the whole body: the primitive needs a block.
  Path path_of_block(const BlockRef& block) const;
  /// The block now goes by another name: handles to the old name follow.
  void rename(const std::string& from, const std::string& to) { renamed_[from] = to; }
  const std::string& current_name(const BlockRef& block) const;
  void apply(const RuleCall& call) { derivation_.apply(call, prover_, primitive_, span_); }
  /// Applies the rule if it applies and is proved.
  bool try_apply(const RuleCall& call);
  /// Tries the rule at every statement for which `f` holds, the last one first. Returns how often it was applied.
  template <class A>
  int apply_everywhere(A args, const std::function<bool(const Stmt&)>& f) {
    return apply_everywhere_by([&](const Path& at) -> RuleCall { return args.at = at, args; }, f);
  }
  int apply_everywhere_by(const std::function<RuleCall(const Path&)>& call, const std::function<bool(const Stmt&)>& f);
  /// Runs `f`; on any error the derivation is put back, and the error gets the place in the schedule.
  void primitive(const std::function<void()>& f);
  /// The fast-math flags with which `f`, which was refused, goes through: none of them can be left out. Empty when
  /// there are none. The derivation stays as it is.
  std::string flags_asked_for(const std::function<void()>& f);
  [[noreturn]] void fail(const std::string& message, const std::string& hint = "") const;
  /// Moves the one loop, or else the other, over the statements between them.
  void bring_together(const LoopRef& first, const LoopRef& second);
  /// Applies reindex-loops to the nest at `at`, for the first access and choice of loops that is proved; else why not.
  std::exception_ptr try_reindex(const Path& at, const Buffer& buffer, bool write);
  /// Distributes the nest at `at` until the statement of its body that accesses the buffer has loops of its own; where
  /// they are. Nothing when the body is no sequence.
  std::optional<Path> alone_in_loops(const Path& at, const Buffer& buffer, bool write);
  /// The same for loops further inside, in the sequence that the nest at `at` runs; false when one does not follow.
  bool reindex_inside(const Path& at, const Buffer& buffer, bool write);
  /// try_reindex, level by level, or on what is split off where that is needed; where the new loops are.
  Path reindex_nest(Path at, const Buffer& buffer, bool write);
  /// Bindings in the statement whose values depend on no data go, wherever that is proved.
  void inline_indices(const Path& nest);
  void on_block(const BlockRef& block, const std::function<int(Strategy&)>& pass);
  Buffer chosen_buffer(const BlockRef& block, const BufferChoice& buffer, bool write);
  /// cache-read or cache-write, by what is tried first; their arguments have the same names.
  template <class A>
  BlockRef cache(const BlockRef& block, const BufferChoice& buffer, const std::string& scope, bool write);

  Derivation& derivation_;
  Prover& prover_;
  std::string primitive_;
  Span span_;
  std::map<std::string, std::string> renamed_;
  int depth_ = 0;  // primitives at work, one inside of the other
};

/// Of `names`, those that are closest to `name` (at most three), as a hint: "did you mean 'A' or 'B'?", or empty.
std::string nearest_names(const std::string& name, const std::vector<std::string>& names);

}  // namespace hexproof
