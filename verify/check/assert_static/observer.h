// The observer that asserts, as parts: facts, footprints, cells, obligations, blocks.
#pragma once
#include <set>

#include "verify/check/assert_static/assert_static.h"
#include "verify/check/assert_static/state.h"

namespace hexproof::asserting {

/// An access of a footprint, as formulas.
struct ExpectedAccess {
  Expr address;  // missing: anywhere
  std::vector<Expr> domain;
};

/// A statement at its path, with what is said of it.
struct Node {
  Stmt stmt;
  const StaticPlace* place = nullptr;
  std::vector<Expr> given;               // of the facts
  std::vector<ExpectedAccess> expected;  // one for each access of the footprint
  std::vector<std::unique_ptr<Node>> parts;
  /// The accesses of its footprint by the statement that holds them.
  std::unordered_map<const Node*, std::vector<size_t>> held;
  uint64_t visits = 0;
};

/// A cell of one allocation: the id of its data variable, how often that was allocated, the place in it.
struct CellId {
  uint32_t data = 0;
  uint64_t allocation = 0;
  int64_t at = 0;
  friend auto operator<=>(const CellId&, const CellId&) = default;
};

/// Which instances of a block touched a cell, by their spatial values.
struct Touches {
  std::optional<std::vector<Wide>> writer;
  std::vector<std::vector<Wide>> readers;  // two different ones are enough
};

/// A statement that runs.
struct Frame {
  Node* node = nullptr;
  bool looked_at = false;
  /// Of each access of the footprint, the values of its loops at which it happened.
  std::map<size_t, std::set<std::vector<Wide>>> happened = {};
  // A block whose variables are bound:
  bool bound = false;
  std::vector<Wide> spatial = {};
  /// Cells that the blocks directly in this one (or in the function) touched.
  std::map<const Node*, std::map<CellId, Touches>> touched = {};
};

class Observer : public RunObserver {
 public:
  Observer(const StaticClaims& claims, const AssertOptions& options);

  void start(const RunState& state) override { state_ = &state; }
  void enter(const Stmt& stmt, int part) override;
  void leave(const Stmt& stmt) override;
  void access(const SeenAccess& access) override;

  /// Is the statement that was entered last, and not left, an assume that is false? (or one of which nothing is known)
  bool in_false_assume() const;

  std::optional<FalseAssertion> failure;
  AssertCounts counts;

 private:
  std::unique_ptr<Node> node_at(const Stmt& stmt, Path& path);
  void group_footprint(Node& node);
  StateFormulas now();
  bool due(Node& node);
  /// Counts an evaluation; is the formula true, as far as is known?
  bool passes(StateFormulas& f, const Expr& formula, uint64_t* count);
  void fail(const char* kind, std::string what, const Expr& formula, StateFormulas& f, const Node& node,
            std::string text = "");

  void assert_facts(const Node& node);  // observer.cpp
  void assert_cells(const Node& node);  // cells.cpp
  void assert_cell(const MemoryFact& fact, StateFormulas& f, const Node& node);
  bool hit(const MemoryFact& fact, StateFormulas& f);
  std::optional<bool> may_hold_anything(const Expr& call, const std::vector<int64_t>& indices) const;
  void assert_covered(const SeenAccess& access, const Frame& frame, const Node& holder,
                      std::vector<std::pair<size_t, std::vector<Wide>>>* found);  // accesses.cpp
  std::optional<std::vector<Wide>> matches(const Node& node, size_t which, const SeenAccess& seen, StateFormulas& f);
  void assert_exact(Frame& frame);
  void assert_proved(const Node& node);  // obligations.cpp
  void assert_obligation(const Obligation& o, StateFormulas& f, const Node& node);
  void remember_loops(const Node& node);
  void bind_block(Frame& frame);  // blocks.cpp
  void assert_regions(const Frame& frame, const SeenAccess& access);
  void assert_independence(size_t frame, const SeenAccess& access);

  const StaticClaims& claims_;
  const AssertOptions& options_;
  const RunState* state_ = nullptr;
  PreparedFormulas prepared_;
  std::unique_ptr<Node> root_;
  std::vector<Frame> frames_;
  uint64_t work_ = 0;
  Truth assumed_ = Truth::True;                            // of the assume that was entered last
  std::map<uint32_t, uint64_t> allocations_;               // by the id of the data variable
  std::set<std::pair<uint32_t, int64_t>> holds_anything_;  // last stored: T.undef(), and not looked at since
  std::map<std::string, std::vector<int64_t>> occurred_;   // values of loop variables, by name
  uint64_t random_ = 1;
};

/// Calls `f` with each choice of values for the loops, bound in `formulas`: all of them, or, when they are more than
/// `most`, a few of each loop. False from `f` ends it. Nothing when a range is not known; else: were they all?
std::optional<bool> for_values(const std::vector<LoopRange>& loops, StateFormulas& formulas, uint64_t most,
                               const std::function<bool(const std::vector<Wide>&)>& f);

}  // namespace hexproof::asserting
