#include "tools/progress.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "ir/base/utf8.h"
#include "verify/prove/effort.h"

namespace hexproof::tools {
namespace {

struct ProgressShown {
  std::mutex mutex;
  std::condition_variable wake;
  std::string command, stage;
  bool begun = false, ended = false, in_place = false;

  void clear() {
    if (in_place) std::fputs("\r\033[K", stderr);
    in_place = false;
  }
};
ProgressShown& progress_shown() {
  static auto* the_one = new ProgressShown;  // outlives every thread
  return *the_one;
}

/// What is asked at the moment, if anything is, in one line.
std::string asked_question() {
  const std::string asking = TimeBudget::asking();
  return asking.substr(0, asking.find('\n'));
}

void show_progress() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const auto period = terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10'000);
  ProgressShown& s = progress_shown();
  std::unique_lock lock(s.mutex);
  while (!s.wake.wait_for(lock, period, [&] { return s.ended; })) {
    const std::string stage = s.stage.empty() ? asked_question() : s.stage;
    const std::string what = s.command + (stage.empty() ? "" : ": " + stage);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    s.in_place = terminal;
    std::fprintf(stderr, terminal ? "\r%5.1f s  %s\033[K" : "%.0f s: %s\n", seconds, visible_line(what).c_str());
    std::fflush(stderr);
  }
}

}  // namespace

void begin_progress(const std::string& command) {
  ProgressShown& s = progress_shown();
  std::lock_guard lock(s.mutex);
  s.command = command;
  if (!std::exchange(s.begun, true)) std::thread(show_progress).detach();
}

void progress(const std::string& stage) {
  std::lock_guard lock(progress_shown().mutex);
  progress_shown().stage = stage;
}

void clear_progress() {
  std::lock_guard lock(progress_shown().mutex);
  progress_shown().clear();
}

void end_progress() {
  ProgressShown& s = progress_shown();
  {
    std::lock_guard lock(s.mutex);
    s.ended = true;
    s.clear();
  }
  s.wake.notify_all();
}

}  // namespace hexproof::tools
