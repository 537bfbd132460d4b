#include "ir/base/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "ir/base/diagnostic.h"

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

namespace {

/// In the child: what it does not take from its parent. Calls nothing that another thread could have locked.
void become_child(pid_t parent) {
  // The parent may have ended before this asks for the signal: then it is somebody else's child already.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(127);
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &standard, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Each of `files` becomes 0, 1 and 2.
bool take_standard_files(const StandardFiles& files) {
  int from[] = {files.in, files.out, files.err};
  // First out of the way, as one of them may be 0, 1 or 2 itself.
  for (int& file : from) {
    if (file >= 0 && (file = fcntl(file, F_DUPFD_CLOEXEC, 3)) < 0) return false;
  }
  for (int k = 0; k < 3; ++k) {
    if (from[k] >= 0 && dup2(from[k], k) < 0) return false;
  }
  return true;
}

/// The child shares this process's memory until it is another program, and this thread waits for that: nothing is
/// copied, however large the process.
[[gnu::noinline]] pid_t spawn(char* const* argv, const StandardFiles& files, pid_t parent, volatile bool* failed) {
  pid_t child = vfork();
  if (child != 0) return child;
  become_child(parent);
  if (take_standard_files(files)) execvp(argv[0], argv);
  *failed = true;
  _exit(127);
}

/// No signal is handled in a child that shares its parent's memory, or has a copy of its handlers.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

std::optional<pid_t> start_child(const std::vector<std::string>& command, const StandardFiles& files) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  InterruptLock lock = hold_interrupts();
  SignalsHeld held;
  volatile bool failed = false;
  pid_t child = spawn(argv.data(), files, getpid(), &failed);
  if (child < 0) return std::nullopt;
  remembered().children.insert(child);
  if (!failed) return child;
  lock.unlock();
  wait_child(child, true);
  return std::nullopt;
}

std::optional<pid_t> fork_child(const std::function<int()>& work) {
  InterruptLock lock = hold_interrupts();
  SignalsHeld held;
  const pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0) return std::nullopt;
  if (child == 0) {
    become_child(parent);
    // What is remembered is the parent's. Nothing here is cleaned up or flushed: that is the parent's too.
    remembered().paths.clear();
    remembered().children.clear();
    lock.unlock();
    _exit(work());
  }
  remembered().children.insert(child);
  return child;
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
