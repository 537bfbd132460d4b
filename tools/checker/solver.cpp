#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iterator>
#include <sstream>

#include "tools/checker/needs.h"

namespace hexproof::checker {
namespace {

/// A child process with pipes to its input and from its output.
class Child {
 public:
  explicit Child(const std::string& command) {
    std::istringstream words(command);
    std::vector<std::string> parts(std::istream_iterator<std::string>(words), {});
    std::vector<char*> argv;
    for (std::string& part : parts) argv.push_back(part.data());
    argv.push_back(nullptr);
    int to[2], from[2];
    if (parts.empty() || pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      dup2(to[0], 0), dup2(from[1], 1), dup2(from[1], 2);
      execvp(argv[0], argv.data());
      _exit(127);
    }
    close(to[0]), close(from[1]);
    to_ = to[1], from_ = from[0];
    fcntl(to_, F_SETFL, O_NONBLOCK);
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Writes the text, and reads until `until` stands in the output, the child ends, or time is over. False: it is over.
  /// What was read stands in `out`, without `until`.
  bool say(const std::string& text, const std::string& until, int seconds, std::string* out) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    size_t written = 0;
    while (to_ >= 0 || from_ >= 0) {
      size_t at = until.empty() ? out->npos : out->find(until);
      if (at != out->npos) {
        out->resize(at);
        return true;
      }
      const bool writing = to_ >= 0 && written < text.size();
      if (!writing && until.empty() && to_ >= 0) close(to_), to_ = -1;  // nothing more is asked of it
      if (from_ < 0) break;
      pollfd fds[] = {{from_, POLLIN, 0}, {writing ? to_ : -1, POLLOUT, 0}};
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0 || poll(fds, 2, static_cast<int>(left.count())) == 0) {
        kill(pid_, SIGKILL);
        return false;
      }
      if (writing && fds[1].revents) {
        ssize_t n = write(to_, text.data() + written, text.size() - written);
        if (n > 0) written += static_cast<size_t>(n);
        if (n < 0) close(to_), to_ = -1;
      }
      if (fds[0].revents) {
        char buffer[4096];
        ssize_t n = read(from_, buffer, sizeof buffer);
        if (n > 0) out->append(buffer, static_cast<size_t>(n));
        if (n <= 0) close(from_), from_ = -1;
      }
    }
    return true;
  }
  bool ended() const { return from_ < 0; }
  /// Closes the pipes and waits. Could it be started at all?
  bool end() {
    if (to_ >= 0) close(to_), to_ = -1;
    if (from_ >= 0) {
      close(from_), from_ = -1;
      if (pid_ > 0) kill(pid_, SIGKILL);
    }
    int status = 0;
    if (pid_ > 0) waitpid(pid_, &status, 0);
    const bool started = pid_ > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 127);
    pid_ = -1;
    return started;
  }

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

/// The one word that was said; "unknown" for anything else.
std::string answer(const std::string& said) {
  std::istringstream words(said);
  std::string first, second;
  words >> first;
  return !(words >> second) && (first == "unsat" || first == "sat") ? first : "unknown";
}

std::string ask_alone(const std::string& command, const std::string& script, int seconds) {
  Child child(command);
  std::string said;
  if (!child.say(script, "", seconds, &said)) return "time";
  return child.end() ? answer(said) : "none";
}

}  // namespace

std::vector<std::string> ask(const std::string& command, const std::vector<Need>& needs, int seconds) {
  const std::string kMark = "hexproof-check:next";
  std::vector<std::string> out(needs.size());
  bool together = true;  // until the solver is seen not to know how
  for (size_t k = 0; k < needs.size();) {
    if (!together) {
      out[k] = ask_alone(command, needs[k].script, seconds);
      if (out[k++] == "none") return out;
      continue;
    }
    Child child(command);
    const size_t first = k;
    bool fits = true;
    while (fits && k < needs.size() && !child.ended()) {
      std::string said, text = (k > first ? "(reset)\n" : "") + needs[k].script + "(echo \"" + kMark + "\")\n";
      bool in_time = child.say(text, kMark, seconds, &said);
      std::replace(said.begin(), said.end(), '"', ' ');  // some print an echo with its quotes
      out[k] = in_time ? answer(said) : "time";
      fits = out[k] == "unsat" || out[k] == "sat";  // else nothing that it says later is taken for an answer
      if (in_time && !fits) out[k] = ask_alone(command, needs[k].script, seconds);
      if (out[k++] == "none") return out;
    }
    together = k > first + 1 || out[first] == "time";
  }
  return out;
}

}  // namespace hexproof::checker
