#include "ir/interrupt.h"

#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "ir/diagnostic.h"

extern char** environ;

namespace hexproof {
namespace {

struct Remembered {
  std::mutex mutex;
  std::set<std::string> paths;
  std::set<pid_t> children;  // started and not yet waited for, so none of these numbers names another process
};
Remembered& remembered() {
  static auto* all = new Remembered;  // outlives every thread
  return *all;
}

}  // namespace

InterruptLock hold_interrupts() { return InterruptLock(remembered().mutex); }

void remember_path(const InterruptLock& lock, const std::string& path) {
  HEXPROOF_CHECK(lock.owns_lock(), "a path is remembered without the lock");
  remembered().paths.insert(path);
}

void forget_path(const std::string& path) {
  InterruptLock lock = hold_interrupts();
  remembered().paths.erase(path);
}

std::optional<pid_t> start_child(const std::vector<std::string>& command, const posix_spawn_file_actions_t& files) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  InterruptLock lock = hold_interrupts();
  pid_t child = 0;
  int failed = posix_spawnp(&child, argv[0], &files, &attributes, argv.data(), environ);
  if (!failed) remembered().children.insert(child);
  lock.unlock();
  posix_spawnattr_destroy(&attributes);
  return failed ? std::nullopt : std::optional(child);
}

std::optional<int> wait_child(pid_t child, bool block) {
  // The wait that ends the child's number is made under the lock, so that no interrupt kills a stranger.
  siginfo_t seen = {};
  while (block && waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  InterruptLock lock = hold_interrupts();
  int status = 0;
  pid_t got = 0;
  do {
    got = waitpid(child, &status, WNOHANG);
  } while (got < 0 && errno == EINTR);
  if (got == 0) return std::nullopt;
  remembered().children.erase(child);
  if (got < 0) throw Error(std::string("waiting for a child process: ") + std::strerror(errno));
  return status;
}

InterruptLock clean_up_after_interrupt() {
  InterruptLock lock = hold_interrupts();
  for (pid_t child : remembered().children) kill(child, SIGKILL);
  for (pid_t child : remembered().children) {  // so that none writes a file any more
    siginfo_t seen = {};
    while (waitid(P_PID, static_cast<id_t>(child), &seen, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
  }
  std::error_code error;
  for (const std::string& path : remembered().paths) std::filesystem::remove_all(path, error);
  return lock;
}

}  // namespace hexproof
