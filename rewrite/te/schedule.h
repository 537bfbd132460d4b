// What a schedule of tensor expressions asks for, as TVM records it: stages with loops and attach points, in any order.
// Nothing is proved here; lower.h turns it into steps of the kernel.
#pragma once
#include <stdexcept>
#include <variant>

#include "ir/layout/index_map.h"
#include "rewrite/te/tensor.h"

namespace hexproof::te {

/// A mistake in a schedule: its cure stands in `hint`. The place is where the user's call stands.
class ScheduleMistake : public std::runtime_error {
 public:
  explicit ScheduleMistake(const std::string& message, std::string hint = "", bool unsupported = false)
      : std::runtime_error(message), hint(std::move(hint)), unsupported(unsupported) {}
  std::string hint;
  bool unsupported;
};

/// The call that asked for something, for steps and messages.
struct Written {
  std::string text = {};
  Span span = {};
};

using StageId = size_t;

/// What happened to the loops of a stage, in the user's order.
struct LoopAction {
  enum class Kind : uint8_t { Split, Fuse, Reorder };
  Kind kind;
  std::vector<IterVar> from, to;          // Split: parent -> outer, inner; Fuse: loops -> one; Reorder: the order
  std::optional<int64_t> factor, nparts;  // of Split, one of them
  Written written = {};
};

/// What is said of a loop, or of the stage, and changes no order.
struct Note {
  enum class Kind : uint8_t {
    Unroll,
    Vectorize,
    Parallel,
    Bind,
    Tensorize,
    Pragma,
    StorageAlign,
    SetScope,
    RollingBuffer,
    DoubleBuffer
  };
  Kind kind;
  IterVar at;        // the loop; of StorageAlign the axis; none of what is said of the stage
  std::string name;  // thread axis, instruction, key of the pragma, scope
  std::optional<std::variant<int64_t, std::string>> value;
  int64_t factor = 0, offset = 0;  // of StorageAlign
  Written written = {};

  /// Said of a loop; else of the stage and its memory.
  bool of_loop() const {
    return kind != Kind::StorageAlign && kind != Kind::SetScope && kind != Kind::RollingBuffer &&
           kind != Kind::DoubleBuffer;
  }
};

enum class Attach : uint8_t { Root, Inline, Scope };

/// What a stage is of a scan. A step runs in its loop over time, at the root of which it is computed.
enum class ScanPart : uint8_t { None, State, Init, Step };

struct Stage {
  std::string name;
  OperationRef op;      // with what caches put in; axes and outputs as they were made
  OperationRef origin;  // whose tensors the user holds
  std::vector<IterVar> leaves;
  std::vector<IterVar> used = {};  // were leaves
  std::vector<LoopAction> loops = {};
  std::vector<Note> notes = {};
  Attach attach = Attach::Root;
  IterVar attach_at = {};
  StageId attach_stage = 0;
  Written attach_written = {};
  bool output = false;
  ScanPart part = ScanPart::None;
  bool update = false;     // a step whose result is the state
  StageId scan_stage = 0;  // of which scan
};

/// What changes the graph itself.
struct Edit {
  enum class Kind : uint8_t { CacheRead, CacheWrite, Rfactor, Transform };
  Kind kind;
  StageId stage;      // that is cached, factored or transformed
  size_t tensor = 0;  // which of its outputs
  StageId made = 0;   // the new stage
  std::string scope = "";
  std::vector<StageId> readers = {};     // of CacheRead
  std::vector<IterVar> axes = {};        // Rfactor: the loop; Transform: the new loops
  int64_t axis = 0;                      // Rfactor: where the loop stands among the axes of the partial results
  size_t root = 0;                       // Rfactor: which axis of the reduction the loop is of,
  std::optional<LoopAction> split = {};  // and how that was split
  IndexMap map = {};                     // of Transform
  Written written = {};
};

/// A value: a copy is what it was at that moment.
class Schedule {
 public:
  explicit Schedule(const std::vector<OperationRef>& outputs);

  const std::vector<Stage>& stages() const { return stages_; }
  const Stage& stage(StageId id) const { return stages_.at(id); }
  const std::vector<Edit>& edits() const { return edits_; }
  /// Stages after what they read.
  const std::vector<StageId>& order() const { return order_; }
  StageId stage_of(const OperationRef& op) const;
  StageId stage_of(const Buffer& buffer) const;
  /// The stages that read an output of this one.
  std::vector<StageId> consumers(StageId id) const;
  /// The same, with those that read what an inlined one stands for in its place.
  std::vector<StageId> readers_of(StageId id) const;

  // Loops
  std::pair<IterVar, IterVar> split(StageId id, const IterVar& parent, std::optional<int64_t> factor,
                                    std::optional<int64_t> nparts, const Written& written);
  IterVar fuse(StageId id, const std::vector<IterVar>& loops, const Written& written);
  void reorder(StageId id, const std::vector<IterVar>& order, const Written& written);
  void note(StageId id, Note note);

  /// The loop over time in which a step of a scan stands; none: it is no step.
  const IterVar* time_of(const Stage& s) const;
  /// Which axis of the stage's tensors it is, as they lie in memory; none: a loop, or an axis of a layout before.
  std::optional<size_t> storage_axis(StageId id, const IterVar& iv) const;

  // Where a stage is computed
  void compute_at(StageId id, StageId at, const IterVar& loop, const Written& written);
  void compute_inline(StageId id, const Written& written);
  void compute_root(StageId id);

  // The graph
  Tensor cache_read(const Tensor& tensor, const std::string& scope, const std::vector<OperationRef>& readers,
                    const Written& written);
  std::vector<Tensor> cache_write(const std::vector<Tensor>& tensors, const std::string& scope, const Written& written);
  std::vector<Tensor> rfactor(const Tensor& tensor, const IterVar& loop, int64_t axis, const Written& written);
  /// The new loops; none of a placeholder.
  std::vector<IterVar> transform_layout(StageId id, const IndexMap& map, const Written& written);

  /// What only the whole shows: attach points that are no loops, cycles, readers outside. Throws Error at the place.
  void demand_attached() const;
  /// The loops around a stage in others, innermost first (the document's attach path), each with its stage.
  std::vector<std::pair<StageId, IterVar>> attach_path(StageId id) const;

 private:
  size_t leaf(const Stage& s, const IterVar& iv) const;
  void demand_aligned(StageId id, const Note& note) const;
  void demand_open(const Stage& s, const char* what) const;
  /// What a scan is made of is computed where the scan says, in its memory.
  void demand_no_part(const Stage& s, const std::string& what) const;
  void take_scan(StageId id);
  StageId add(Stage stage, StageId before, bool behind);
  std::vector<Stage> stages_;
  std::vector<StageId> order_;
  std::vector<Edit> edits_;
};

}  // namespace hexproof::te
