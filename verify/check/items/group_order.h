// The groups of asynchronous copies of a queue, counted: which one a statement starts, and which a wait has seen
// through.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "verify/facts/facts.h"

namespace hexproof {

/// May a wait leave so many groups in flight? It is neither negative nor more than 2^63 - 1.
Expr is_number_of_groups(const Expr& count);
inline constexpr const char* kNumberOfGroups =
    "a wait leaves no negative number of groups in flight, nor 2^63 and more";

/// A wait that surely ran before a place: where `when` holds, every group with a number below `below`, as a count of
/// groups, is through.
struct WaitBefore {
  std::vector<Expr> when;
  Expr below;
};

/// Counts the groups of each queue in the order in which they start. All counts are int64, over scalars and the loops
/// around the place. A group that a branch may leave out is counted, too: the order stays right, but no wait that
/// leaves groups in flight is believed of such a queue, for it may leave fewer of the counted ones.
class GroupOrder {
 public:
  explicit GroupOrder(const PrimFunc& func);

  /// How many groups of the queue start before an execution of the statement at `path` (at a group: its number);
  /// nothing where that is no expression over the loops.
  std::optional<Expr> before(int64_t queue, const Path& path) const;
  /// The same, behind it.
  std::optional<Expr> behind(int64_t queue, const Path& path) const;
  /// The waits for the queue that ran before each execution of the statement at `path`, itself included if it is one;
  /// `behind`: and those in it.
  std::vector<WaitBefore> waits(int64_t queue, const Path& path, bool behind = false) const;

 private:
  std::optional<Expr> total(int64_t queue, const Stmt& stmt) const;
  /// Of the waits that surely run where `stmt` runs, the last ones; `map` holds the values of loops in which they are.
  void sure_waits(int64_t queue, const Stmt& stmt, const Path& path, const std::vector<Expr>& when, const VarMap& map,
                  std::vector<WaitBefore>* out) const;
  void one_wait(int64_t queue, const Path& path, const std::vector<Expr>& when, const VarMap& map,
                std::vector<WaitBefore>* out) const;

  const PrimFunc& func_;
  std::map<Var, LoopRange> ranges_;  // of the loops, resolved
  std::map<Path, Expr> counts_;      // of the waits, resolved
  std::set<int64_t> conditional_;    // queues with a group that may be left out
};

}  // namespace hexproof
