#include "verify/prove/effort.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include "verify/prove/interrupted.h"
#include "verify/prove/obligation.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;

double processor_seconds() {
  double sum = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval& t : {used.ru_utime, used.ru_stime}) {
      sum += static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
    }
  }
  return sum;
}

double seconds_of(Clock::time_point at) { return std::chrono::duration<double>(at.time_since_epoch()).count(); }

struct Running {
  std::mutex mutex;
  double seconds = 0;  // 0: no budget
  Clock::time_point clock;
  double processor = 0;
  bool paused = false;
  std::vector<const Obligation*> asking;
};
Running& running() {
  static auto* all = new Running;  // outlives every thread
  return *all;
}

/// Seconds of the budget that are used: of the clock, and of the less of both.
struct Used {
  double budget, clock, less;
};
Used used() {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  if (r.paused) return {0, 0, 0};
  double clock = std::chrono::duration<double>(Clock::now() - r.clock).count();
  // The processor is asked only when it matters.
  double less = r.seconds > 0 && clock >= r.seconds ? std::min(clock, processor_seconds() - r.processor) : clock;
  return {r.seconds, clock, less};
}

std::string line_of(const Obligation& o) {
  std::string where = o.where.span ? o.where.span.str() : o.where.function;
  return fmt::format("{}: {}{}{}", o.rule, o.why, where.empty() ? "" : ", at ", where);
}

constexpr double kHung = 10;  // times the budget, by the clock alone

}  // namespace

Effort& Effort::here() {
  thread_local Effort effort;
  return effort;
}

void TimeBudget::start(double seconds) {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  r.seconds = std::max(seconds, 0.0);
  r.clock = Clock::now();
  r.processor = processor_seconds();
}

TimeBudget::Pause::Pause() : clock_(seconds_of(Clock::now())), processor_(processor_seconds()) {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  r.paused = true;
}

TimeBudget::Pause::~Pause() {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  r.paused = false;
  r.clock +=
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_of(Clock::now()) - clock_));
  r.processor += processor_seconds() - processor_;
}

double TimeBudget::seconds() { return used().budget; }

bool TimeBudget::used_up() {
  Used u = used();
  return u.budget > 0 && u.less >= u.budget;
}

bool TimeBudget::overrun() {
  Used u = used();
  return u.budget > 0 && (u.less >= u.budget * 1.25 + 5 || u.clock >= u.budget * kHung + 5);
}

int TimeBudget::milliseconds_left(int most) {
  Used u = used();
  if (u.budget <= 0) return most;
  // A child that runs counts once it has ended: by the clock it is let go at the budget's end, and a second later.
  double left = std::max(u.budget - u.less, 1.0) * 1000;
  return static_cast<int>(std::min<double>(most, left));
}

std::string TimeBudget::asking() {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  std::string out;
  for (const Obligation* o : r.asking) out += (out.empty() ? "" : "\n") + line_of(*o);
  return out;
}

Asking::Asking(const Obligation& obligation) : obligation_(&obligation) {
  if (work_is_interrupted) throw OutOfTime("interrupted; what stayed open:\n" + line_of(obligation));
  if (TimeBudget::used_up()) {
    throw OutOfTime(fmt::format("the time budget of {:g} s is used up (--budget); what stayed open:\n{}",
                                TimeBudget::seconds(), line_of(obligation)));
  }
  Running& r = running();
  std::lock_guard lock(r.mutex);
  r.asking.push_back(&obligation);
}

Asking::~Asking() {
  Running& r = running();
  std::lock_guard lock(r.mutex);
  auto it = std::find(r.asking.begin(), r.asking.end(), obligation_);
  if (it != r.asking.end()) r.asking.erase(it);
}

}  // namespace hexproof
