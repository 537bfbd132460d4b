#include "backend/codegen/contained.h"

#include <fcntl.h>
#include <llvm/Support/ErrorHandling.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <sstream>
#include <system_error>

#include "backend/codegen/target.h"
#include "ir/base/diagnostic.h"
#include "ir/base/interrupt.h"

namespace hexproof::codegen {
namespace {

using Clock = std::chrono::steady_clock;

/// Shared by those who use LLVM; alone, while a child is made.
std::shared_mutex& gate() {
  static auto* mutex = new std::shared_mutex;  // outlives every thread
  return *mutex;
}
/// A child has one thread and needs no gate. (It could not open it: a lock of this kind knows the thread by its
/// number.)
bool in_child = false;

constexpr int kWaiting = 10;                               // seconds of the clock to wait, per second of the processor
constexpr int kBroken = 70, kThrown = 71, kNoMemory = 72;  // exit statuses of a child
constexpr size_t kLongestMessage = 2000;

struct Pipe {
  int out = -1, in = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "no pipe to a process");
    out = ends[0], in = ends[1];
  }
  ~Pipe() { close_in(), close(out); }
  void close_in() {
    if (in >= 0) close(in);
    in = -1;
  }
};

bool write_all(int file, const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    ssize_t n = write(file, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n, size -= static_cast<size_t>(n);
  }
  return true;
}

/// In the child: a fatal error of LLVM is its words on standard error, and no handler, no destructor, no core.
void broken_down(void*, const char* message, bool) {
  write_all(STDERR_FILENO, message, std::strlen(message));
  _exit(kBroken);
}

void out_of_memory(void*, const char*, bool) { _exit(kNoMemory); }

/// The child's whole life. Each part is written as its size and its bytes.
int live(const std::function<std::vector<std::string>()>& work, int results, int words, int seconds) {
  dup2(words, STDOUT_FILENO);
  dup2(words, STDERR_FILENO);
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // Of processor time: how busy the machine is makes no difference.
  rlimit processor{static_cast<rlim_t>(seconds), static_cast<rlim_t>(seconds) + 1};
  setrlimit(RLIMIT_CPU, &processor);
  llvm::install_fatal_error_handler(&broken_down);
  llvm::install_bad_alloc_error_handler(&out_of_memory);
  try {
    for (const std::string& part : work()) {
      uint64_t size = part.size();
      if (!write_all(results, &size, sizeof size) || !write_all(results, part.data(), part.size())) return kBroken;
    }
    return 0;
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (const std::system_error&) {  // threads
    return kNoMemory;
  } catch (const std::exception& e) {
    write_all(STDERR_FILENO, e.what(), std::strlen(e.what()));
    return kThrown;
  }
}

/// What came through both pipes.
struct Drained {
  std::string bytes, said;
  bool ended = false;  // before time was over
};
Drained drain(Pipe& results, Pipe& words, int seconds) {
  Drained out;
  auto deadline = Clock::now() + std::chrono::seconds(seconds);
  pollfd files[] = {{results.out, POLLIN, 0}, {words.out, POLLIN, 0}};
  std::string* into[] = {&out.bytes, &out.said};
  std::vector<char> buffer(1 << 16);
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return out;
    if (poll(files, 2, static_cast<int>(left)) <= 0) continue;
    for (int k = 0; k < 2; ++k) {
      if (files[k].fd < 0 || files[k].revents == 0) continue;
      ssize_t n = read(files[k].fd, buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        files[k].fd = -1;
      } else if (k == 0 || out.said.size() < kLongestMessage) {
        into[k]->append(buffer.data(), static_cast<size_t>(n));
      }
    }
  }
  out.ended = true;
  return out;
}

std::vector<std::string> parts_of(const std::string& bytes) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < bytes.size();) {
    uint64_t size = 0;
    HEXPROOF_CHECK(bytes.size() - at >= sizeof size, "a part of what a child wrote is missing");
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    HEXPROOF_CHECK(bytes.size() - at >= size, "a part of what a child wrote is missing");
    parts.push_back(bytes.substr(at, size));
    at += size;
  }
  return parts;
}

/// The first line of what it said, without addresses: the same words on every run.
std::string in_words(const std::string& said) {
  std::istringstream words(said.substr(0, said.find('\n')));
  std::string out;
  for (std::string word; words >> word && out.size() < 300;) {
    if (!word.starts_with("0x")) out += (out.empty() ? "" : " ") + word;
  }
  return out;
}

}  // namespace

UsesLlvm::UsesLlvm() {
  if (!in_child) gate().lock_shared();
}
UsesLlvm::~UsesLlvm() {
  if (!in_child) gate().unlock_shared();
}

void take_free_memory() {
  if (!in_child) return;
  constexpr size_t kLarge = size_t{1} << 24, kLargest = size_t{1} << 18, kStep = 16;
  constexpr size_t kKept = 1040;  // what is not larger, and freed, is kept by the thread
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(2 * kLarge));
  // What is larger than all that was left free is the memory that nobody had yet.
  void* large = std::malloc(kLarge);
  const uintptr_t fresh = reinterpret_cast<uintptr_t>(large);
  std::free(large);
  for (size_t size = kLargest; fresh != 0 && size >= kStep; size -= kStep) {
    while (void* taken = std::malloc(size)) {
      if (reinterpret_cast<uintptr_t>(taken) - fresh >= kLarge) continue;  // (before it, too)
      if (size > kKept) std::free(taken);
      break;
    }
  }
}

std::vector<std::string> contained(const std::function<std::vector<std::string>()>& work, int seconds) {
  Pipe results, words;
  std::optional<pid_t> child;
  {
    // The options first, as everybody takes them: whoever has them may be waiting to use LLVM.
    std::lock_guard options(llvm_options());
    std::lock_guard alone(gate());
    child = fork_child([&] {
      in_child = true;
      llvm_options().unlock();  // held by this thread, here too
      return live(work, results.in, words.in, seconds);
    });
  }
  if (!child) throw std::system_error(errno, std::generic_category(), "no process could be started");
  results.close_in(), words.close_in();
  auto [bytes, said, ended] = drain(results, words, seconds * kWaiting);
  if (!ended) kill(*child, SIGKILL);
  int status = wait_child(*child, true).value();
  said = in_words(said);
  if (!ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
    throw Breakdown("it was stopped after " + std::to_string(seconds) + " s");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return parts_of(bytes);
  // (By SIGKILL the system ends a process when it has no more memory.)
  if ((WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL))
    throw std::bad_alloc();
  if (WIFEXITED(status) && WEXITSTATUS(status) == kThrown) internal_error(__FILE__, __LINE__, said);
  std::string how = WIFSIGNALED(status)
                        ? "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")"
                        : "status " + std::to_string(WEXITSTATUS(status));
  throw Breakdown(said.empty() ? "it ended with " + how : said);
}

}  // namespace hexproof::codegen
