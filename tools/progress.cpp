#include "tools/progress.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace hexproof::tools {

Progress::Progress(bool quiet) {
  if (quiet) return;
  bool terminal = ::isatty(STDERR_FILENO) != 0;
  thread_ = std::thread([this, terminal] { show(terminal); });
}

Progress::~Progress() {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Progress::stage(const std::string& name) {
  std::lock_guard lock(mutex_);
  stage_ = name;
}

void Progress::show(bool terminal) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  auto period = terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(10'000);
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, period, [this] { return done_; })) {
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::fprintf(stderr, terminal ? "\r%5.1f s  %s\033[K" : "%.0f s: %s\n", seconds, stage_.c_str());
    std::fflush(stderr);
  }
  if (terminal) std::fputs("\r\033[K", stderr);
}

}  // namespace hexproof::tools
