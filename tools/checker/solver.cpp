#include "tools/checker/solver.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <sstream>
#include <vector>

namespace hexproof::checker {
namespace {

/// What the child prints until it ends, or nothing more in time.
std::string collect(int from, int to, const std::string& script, int seconds, bool* late) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::string out;
  size_t written = 0;
  bool writing = true;
  fcntl(to, F_SETFL, O_NONBLOCK);
  while (true) {
    pollfd fds[] = {{from, POLLIN, 0}, {writing ? to : -1, POLLOUT, 0}};
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(fds, 2, static_cast<int>(left.count())) == 0) {
      *late = true;
      break;
    }
    if (writing && fds[1].revents) {
      ssize_t n = write(to, script.data() + written, script.size() - written);
      if (n > 0) written += static_cast<size_t>(n);
      if (n < 0 || written == script.size()) close(to), writing = false;
    }
    if (fds[0].revents) {
      char buffer[4096];
      ssize_t n = read(from, buffer, sizeof buffer);
      if (n <= 0) break;
      out.append(buffer, static_cast<size_t>(n));
    }
  }
  if (writing) close(to);
  return out;
}

}  // namespace

std::string ask(const std::string& command, const std::string& script, int seconds) {
  std::istringstream words(command);
  std::vector<std::string> parts;
  for (std::string word; words >> word;) parts.push_back(word);
  std::vector<char*> argv;
  for (std::string& part : parts) argv.push_back(part.data());
  argv.push_back(nullptr);
  int to[2], from[2];
  if (parts.empty() || pipe2(to, O_CLOEXEC) != 0) return "none";
  if (pipe2(from, O_CLOEXEC) != 0) return close(to[0]), close(to[1]), "none";
  const pid_t child = fork();
  if (child == 0) {
    dup2(to[0], 0), dup2(from[1], 1), dup2(from[1], 2);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(to[0]), close(from[1]);
  bool late = false;
  std::string text = child < 0 ? "" : collect(from[0], to[1], script, seconds, &late);
  close(from[0]);
  int status = 0;
  if (late) kill(child, SIGKILL);
  if (child > 0) waitpid(child, &status, 0);
  if (late) return "time";
  if (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) return "none";
  std::istringstream said(text);
  std::string first;
  said >> first;
  return first == "unsat" || first == "sat" ? first : "unknown";
}

}  // namespace hexproof::checker
