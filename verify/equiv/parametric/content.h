// What a cell of memory holds at a moment of a program's run, worked out backwards from the last store to it.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verify/access/footprint.h"
#include "verify/equiv/parametric/fold.h"
#include "verify/equiv/parametric/scenario.h"

namespace hexproof::parametric {

struct Cell {
  Buffer buffer;
  std::vector<Expr> indices;
};
Access as_access(const Cell& cell);
/// That `iteration` is one of the loop's.
std::vector<Expr> within(const LoopRange& range, const Expr& iteration);

/// A moment of a run: before a statement, in chosen iterations of the loops around it.
struct ProgramPoint {
  enum class Kind : uint8_t { Entry, InSeq, InLoop, Inside } kind = Kind::Entry;
  std::shared_ptr<const ProgramPoint> outer = {};  // before the statement that we are in
  Stmt stmt = {};                                  // that one
  size_t ran = 0;                                  // InSeq: so many parts ran
  Expr min = {}, iteration = {};                   // InLoop: the first value of the loop, and the one that runs
  std::optional<Cell> own = {};  // InLoop: a cell of which is known what it holds when the iteration starts:
  Expr own_value = {};           // this; missing: what it held before the loop
  VarMap values = {};            // of all variables in scope
};
using MomentRef = std::shared_ptr<const ProgramPoint>;

/// An assume of a program: for all values of `loops` under `guards`, the condition, over the arguments on entry.
struct Assumed {
  std::vector<LoopRange> loops;
  std::vector<Expr> guards;
  Expr condition;
  Stmt stmt;
};

class Content {
 public:
  /// What a cell of an argument holds on entry.
  using Entry = std::function<Expr(const Cell&)>;

  /// `scalars`: values for the free variables of the function (those of the other program's that stand for them).
  /// `side` keeps the evaluations of two programs apart.
  Content(const PrimFunc& func, VarMap scalars, Scenario& scenario, Folds& folds, Entry entry, char side);

  /// What the cell of an argument holds when the function is through. Throws Open.
  Expr at_end(const Cell& cell);
  bool writes(const Buffer& buffer) const { return data_written(body_).count(buffer->data) > 0; }
  /// Calls `f` with each assume, while its loops and guards are known in the scenario. `A[i] == T.undef()` is the
  /// permission to read a cell; it is true of a buffer that is `readable`: each of its cells holds a value on entry.
  void each_assume(const std::function<bool(const Buffer&)>& readable, const std::function<void(const Assumed&)>& f);
  /// Every read of the memory of `buffer`, under the loops and guards around it.
  std::vector<Access> reads(const Buffer& buffer) const;

 private:
  using Thunk = std::function<Expr()>;

  struct AssumeVisit {
    const std::function<bool(const Buffer&)>& readable;
    const std::function<void(const Assumed&)>& f;
    Assumed around = {};
  };
  void assumes_in(const Stmt& stmt, const MomentRef& moment, AssumeVisit* visit);
  Expr before(const MomentRef& moment, const Cell& cell);
  Expr after(const Stmt& stmt, const MomentRef& moment, const Cell& cell);
  Expr after_store(const Stmt& stmt, const Store& s, const MomentRef& moment, const Cell& cell);
  Expr after_lanes(const Stmt& stmt, const Store& s, int lanes, const MomentRef& moment, const Cell& cell);
  Expr after_loop(const Stmt& stmt, const For& s, const MomentRef& moment, const Cell& cell, const LoopRange& range);
  std::optional<Expr> only_iteration(const std::vector<Access>& writes, const Cell& cell);
  /// What a loop leaves in a cell: `step`, again and again.
  Expr fold(const LoopRange& loop, const Expr& acc, Expr step, const Cell& cell, const Thunk& init);
  void demand_given_start(const Thunk& init);
  Expr regrouped(Fold f, const Thunk& init, const std::function<Expr(const Expr&)>& whole);
  std::optional<Expr> last_value(const Fold& f, const Thunk& init);
  std::optional<Expr> without_first(const Fold& f, const Thunk& init);

  /// Which expression of which statement is evaluated; `lane`: of a vector store.
  struct Place {
    const StmtNode* stmt = nullptr;
    size_t expr = 0;
    std::vector<size_t> path = {};
    Expr lane = {};
  };
  /// The `expr`-th expression of a statement.
  Expr eval(const Stmt& stmt, size_t expr, const Expr& e, const MomentRef& moment, const Expr& lane = {});
  Expr eval(const Expr& e, const MomentRef& moment);
  Expr operand(const Expr& e, size_t k, const MomentRef& moment);
  /// An evaluation of its own where the flags leave the operation open.
  Expr computed(const Expr& e, std::vector<Expr> args, const MomentRef& moment);
  Expr read(const Expr& e, const MomentRef& moment);
  /// A choice between two cases, each worked out under its condition; only one when the condition is settled.
  Expr choose(const Expr& condition, const Thunk& yes, const Thunk& no);

  MomentRef inside(const Stmt& stmt, const MomentRef& outer) const;
  MomentRef bound(const MomentRef& moment, const Var& var, const Expr& value) const;
  MomentRef in_seq(const Stmt& stmt, const MomentRef& outer, size_t ran) const;
  MomentRef in_loop(const Stmt& stmt, const MomentRef& outer, const LoopRange& range, const Expr& iteration,
                    const Cell* own, const Expr& own_value) const;
  bool may_write(const Stmt& stmt, const Buffer& buffer);
  std::vector<Access> writes_of(const Stmt& stmt, const MomentRef& moment, const Buffer& buffer);
  Expr same(const Cell& a, const Cell& b) const;
  Expr same(const Access& a, const Cell& b) const;
  bool is_same(const Cell& a, const Cell& b);
  /// The value that a store puts into a cell.
  Expr stored(const Stmt& stmt, Expr value, const Cell& cell);
  /// Does the statement that an evaluation is part of put it into this cell? Then no other has it but by a copy.
  bool is_stored(const Expr& evaluation, const Cell& cell) const;
  void owe_fits(const Expr& e);
  [[noreturn]] void open(const std::string& why, const Stmt& stmt) const;

  Stmt body_;
  VarMap scalars_;
  Scenario& scenario_;
  Folds& folds_;
  Entry entry_;
  char side_;
  Place place_;
  bool in_part_ = false;                          // what is asked for is what a part of a loop's iterations left
  std::map<std::string, size_t> places_;          // of evaluations, numbered
  std::unordered_set<Expr, ExprHash> relied_on_;  // accumulators that have to start at what is given
  std::unordered_map<Expr, const StmtNode*, ExprHash> made_in_;  // evaluations, and the statement that each is part of
  std::unordered_map<Expr, Cell, ExprHash> stored_;              // and the cell into which that statement puts it
  std::map<const StmtNode*, std::set<Var>> written_;
  std::vector<Stmt> kept_;                // so that the addresses in `written_` stay theirs
  std::map<const StmtNode*, int> depth_;  // how often we are in a loop
};

}  // namespace hexproof::parametric
