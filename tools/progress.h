// What the command is doing, while it takes long.
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace hexproof::tools {

/// Shows the current stage on standard error: in place on a terminal, a line every 10 s elsewhere; nothing when quiet.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  /// From now on: this stage.
  void stage(const std::string& name);

 private:
  void show(bool terminal);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::string stage_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace hexproof::tools
