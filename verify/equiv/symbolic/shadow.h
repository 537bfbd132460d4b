// Conflicts between iterations of parallel loops, where an access may happen under a condition.
#pragma once
#include <unordered_map>

#include "ir/interpreter/race.h"
#include "verify/equiv/symbolic/terms/terms.h"

namespace hexproof::symbolic {

/// As RaceShadow of the interpreter. Accesses under the condition `true` need one record per cell and nesting level;
/// the others are listed one by one.
class GuardedShadow {
 public:
  /// Notes an access under `guard`; calls `clash(condition, loop, earlier_write)` for each conflict with an earlier
  /// one, with the condition under which both happen.
  template <class F>
  void touch(int64_t cell, int64_t cells, bool write, Term guard, Terms& terms, const ParallelStack& stack, F clash) {
    const auto& levels = stack.levels();
    if (levels.size() > rows_.size()) rows_.resize(levels.size());
    for (size_t k = 0; k < levels.size(); ++k) {
      const ParallelStack::Level& now = levels[k];
      if (rows_[k].empty()) rows_[k].resize(static_cast<size_t>(cells));
      Record& r = rows_[k][static_cast<size_t>(cell)];
      auto conflicts = [&](const Access& a) { return a.instance == now.instance && a.iteration != now.iteration; };
      if (conflicts(r.write)) clash(guard, *now.loop, true);
      if (write && conflicts(r.read)) clash(guard, *now.loop, false);
      if (r.listed != 0) {
        for (const Conditional& c : lists_[r.listed - 1]) {
          if ((write || c.write) && conflicts(c.access)) clash(terms.land(guard, c.guard), *now.loop, c.write);
        }
      }
      if (guard != Terms::kTrue) {
        if (r.listed == 0) lists_.emplace_back(), r.listed = static_cast<uint32_t>(lists_.size());
        auto& list = lists_[r.listed - 1];
        std::erase_if(list, [&](const Conditional& c) { return c.access.instance != now.instance; });
        list.push_back({{now.instance, now.iteration}, write, guard});
      } else if (write) {
        r.write = {now.instance, now.iteration};
      } else if (r.read.instance != now.instance) {
        r.read = {now.instance, now.iteration};
      } else if (r.read.iteration != now.iteration) {
        r.read.iteration = kSeveral;
      }
    }
  }

 private:
  static constexpr int64_t kSeveral = -1;
  struct Access {
    uint64_t instance = 0;
    int64_t iteration = 0;
  };
  struct Conditional {
    Access access;
    bool write;
    Term guard;
  };
  struct Record {
    Access write, read;
    uint32_t listed = 0;  // one more than the place in lists_
  };
  std::vector<std::vector<Record>> rows_;  // [level][cell]
  std::vector<std::vector<Conditional>> lists_;
};

}  // namespace hexproof::symbolic
