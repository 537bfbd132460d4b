// Groups of asynchronous copies that are in flight, and the cells that they touch.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/stmt.h"

namespace hexproof {

/// A group that was started: where, and in which iteration.
struct StartedGroup {
  Stmt stmt;                                           // the AsyncCommit
  std::vector<std::pair<std::string, int64_t>> loops;  // the variables of the loops around it, outermost first
};

/// The queues of a run. The groups of one are numbered from 1 in the order in which they start; those in flight are
/// always the youngest ones.
class FlightQueues {
 public:
  struct Queue {
    int64_t id;
    int64_t started = 0, done = 0;
    std::vector<StartedGroup> groups = {};  // groups[n - 1 - done] is number n
    bool uncounted = false;                 // how many groups it has is not known: none counts as in flight
  };

  /// A group starts, and its body runs until `leave`.
  void enter(int64_t id, StartedGroup group) {
    open_ = index_of(id);
    Queue& queue = queues_[*open_];
    ++queue.started;
    if (queue.uncounted) {
      ++queue.done;
      return;
    }
    ++in_flight_;
    queue.groups.push_back(std::move(group));
  }
  void leave() { open_.reset(); }
  /// At most `count` groups of the queue stay in flight.
  void wait(int64_t id, int64_t count) {
    Queue& queue = queues_[index_of(id)];
    const int64_t over = queue.started - queue.done - count;
    if (over <= 0) return;
    queue.groups.erase(queue.groups.begin(), queue.groups.begin() + over);
    queue.done += over, in_flight_ -= over;
  }

  /// A group or a wait may have been left out: nothing is told of the queue any more.
  void leave_uncounted(int64_t id) {
    wait(id, 0);
    queues_[index_of(id)].uncounted = true;
  }

  bool any() const { return in_flight_ > 0; }
  const std::vector<Queue>& queues() const { return queues_; }
  /// The queue whose group runs now.
  const std::optional<size_t>& open() const { return open_; }

 private:
  size_t index_of(int64_t id) {
    for (size_t k = 0; k < queues_.size(); ++k) {
      if (queues_[k].id == id) return k;
    }
    queues_.push_back({id});
    return queues_.size() - 1;
  }

  std::vector<Queue> queues_;
  std::optional<size_t> open_;
  int64_t in_flight_ = 0;
};

/// Which groups touched the cells of one memory.
class FlightShadow {
 public:
  struct Conflict {
    int64_t queue;
    StartedGroup group;
    bool group_writes;  // the cell; else it reads it
    int64_t cell;
  };

  /// Notes an access, of the group that runs if there is one; tells of a group in flight that it may not meet: another
  /// one that writes the cell, or, where the access writes, one that reads it.
  std::optional<Conflict> touch(int64_t cell, int64_t cells, bool write, const FlightQueues& flights) {
    if (!flights.any()) return std::nullopt;
    for (size_t k = 0; k < rows_.size(); ++k) {
      if (rows_[k].empty()) continue;
      const std::unique_ptr<Page>& page = rows_[k][static_cast<size_t>(cell) / kPage];
      if (!page) continue;
      const Touched& r = (*page)[static_cast<size_t>(cell) % kPage];
      const FlightQueues::Queue& queue = flights.queues()[k];
      const int64_t own = flights.open() == k ? queue.started : 0;
      const int64_t reader = r.reader == own ? r.reader_before : r.reader;
      if (r.writer > queue.done && r.writer != own) return conflict(queue, r.writer, true, cell);
      if (write && reader > queue.done) return conflict(queue, reader, false, cell);
    }
    if (!flights.open()) return std::nullopt;
    const size_t k = *flights.open();
    if (rows_.size() <= k) rows_.resize(k + 1);
    if (rows_[k].empty()) rows_[k].resize((static_cast<size_t>(cells) + kPage - 1) / kPage);
    std::unique_ptr<Page>& page = rows_[k][static_cast<size_t>(cell) / kPage];
    if (!page) page = std::make_unique<Page>();
    Touched& r = (*page)[static_cast<size_t>(cell) % kPage];
    const int64_t own = flights.queues()[k].started;
    if (write) {
      r.writer = own;
    } else if (r.reader != own) {
      r.reader_before = r.reader, r.reader = own;
    }
    return std::nullopt;
  }

  /// The memory goes away: a group in flight that touches a cell of it.
  std::optional<Conflict> end(const FlightQueues& flights) const {
    if (!flights.any()) return std::nullopt;
    for (size_t k = 0; k < rows_.size(); ++k) {
      const FlightQueues::Queue& queue = flights.queues()[k];
      for (size_t page = 0; page < rows_[k].size(); ++page) {
        for (size_t at = 0; rows_[k][page] && at < kPage; ++at) {
          const Touched& r = (*rows_[k][page])[at];
          const auto cell = static_cast<int64_t>(page * kPage + at);
          if (r.writer > queue.done) return conflict(queue, r.writer, true, cell);
          if (r.reader > queue.done) return conflict(queue, r.reader, false, cell);
        }
      }
    }
    return std::nullopt;
  }

 private:
  /// Numbers of groups; 0: none. Of readers the two youngest, for that one of them may be the group that asks.
  struct Touched {
    int64_t writer = 0, reader = 0, reader_before = 0;
  };
  static Conflict conflict(const FlightQueues::Queue& queue, int64_t number, bool writes, int64_t cell) {
    return {queue.id, queue.groups[static_cast<size_t>(number - 1 - queue.done)], writes, cell};
  }

  // A memory may be far larger than what is touched of it.
  static constexpr size_t kPage = 256;
  using Page = std::array<Touched, kPage>;
  std::vector<std::vector<std::unique_ptr<Page>>> rows_;  // [queue][cell / kPage][cell % kPage]
};

}  // namespace hexproof
