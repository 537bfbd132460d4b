// Conflicts between iterations of parallel loops (parallel, vectorized, thread bindings).
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hexproof {

/// The parallel loops that are running, outermost first. Each execution of a loop is an instance of its own.
class ParallelStack {
 public:
  struct Level {
    uint64_t instance;
    int64_t iteration;
    const std::string* loop;  // the name of its variable
  };
  void enter(const std::string& loop) { levels_.push_back({next_++, 0, &loop}); }
  void iteration(int64_t k) { levels_.back().iteration = k; }
  void leave() { levels_.pop_back(); }
  const std::vector<Level>& levels() const { return levels_; }

 private:
  std::vector<Level> levels_;
  uint64_t next_ = 1;
};

/// Who touched the cells of one memory. Per cell and nesting level it keeps the last loop instance that wrote and that
/// read it, with the iteration (or that there were several). Instances are unique, so only the records of the running
/// ones can match: nothing else is needed.
class RaceShadow {
 public:
  struct Conflict {
    const std::string* loop;
    bool earlier_write;
  };

  /// Notes an access by the running iterations; tells of a conflict with an earlier one.
  std::optional<Conflict> touch(int64_t cell, int64_t cells, bool write, const ParallelStack& stack) {
    const auto& levels = stack.levels();
    if (levels.size() > rows_.size()) rows_.resize(levels.size());
    for (size_t k = 0; k < levels.size(); ++k) {
      Row& row = rows_[k];
      if (row.empty()) row.resize((static_cast<size_t>(cells) + kPage - 1) / kPage);
      std::unique_ptr<Page>& page = row[static_cast<size_t>(cell) / kPage];
      if (!page) page = std::make_unique<Page>();
      Record& r = (*page)[static_cast<size_t>(cell) % kPage];
      const ParallelStack::Level& now = levels[k];
      auto clash = [&](const Access& a) { return a.instance == now.instance && a.iteration != now.iteration; };
      if (clash(r.write)) return Conflict{now.loop, true};
      if (write && clash(r.read)) return Conflict{now.loop, false};
      if (write) {
        r.write = {now.instance, now.iteration};
      } else if (r.read.instance != now.instance) {
        r.read = {now.instance, now.iteration};
      } else if (r.read.iteration != now.iteration) {
        r.read.iteration = kSeveral;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr int64_t kSeveral = -1;
  struct Access {
    uint64_t instance = 0;
    int64_t iteration = 0;
  };
  struct Record {
    Access write, read;
  };
  // A memory may be far larger than what is touched of it.
  static constexpr size_t kPage = 256;
  using Page = std::array<Record, kPage>;
  using Row = std::vector<std::unique_ptr<Page>>;
  std::vector<Row> rows_;  // [level][cell / kPage][cell % kPage]
};

}  // namespace hexproof
