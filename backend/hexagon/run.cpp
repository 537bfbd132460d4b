// Running an executable under QEMU's user mode.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "backend/arguments.h"
#include "backend/hexagon.h"
#include "backend/hexagon/protocol.h"
#include "backend/scratch.h"
#include "ir/base/file.h"
#include "ir/base/interrupt.h"

namespace hexproof {
namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Waits for the child, at most `limit` seconds; then it is killed. The wait status, or nothing after a kill.
std::optional<int> wait_for(pid_t child, double limit) {
  Clock::time_point start = Clock::now();
  useconds_t pause = 200;
  for (;;) {
    if (std::optional<int> status = wait_child(child, false)) return status;
    if (since(start) > limit) {
      kill(child, SIGKILL);
      wait_child(child, true);
      return std::nullopt;
    }
    usleep(pause);
    pause = std::min<useconds_t>(pause + pause / 4, 20000);
  }
}

std::string missing(const HexagonOptions& options) {
  return "'" + options.qemu +
         "' cannot be started: install QEMU's user mode emulators (package qemu-user) or name the program";
}

/// Starts a program with these standard files; nothing when it cannot be started.
std::optional<pid_t> start(const std::vector<std::string>& command, const std::string& in, const std::string& out,
                           const std::string& err) {
  const int made = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  StandardFiles files{open(in.c_str(), O_RDONLY | O_CLOEXEC), open(out.c_str(), made, 0600),
                      open(err.c_str(), made, 0600)};
  bool opened = files.in >= 0 && files.out >= 0 && files.err >= 0;
  std::optional<pid_t> child = opened ? start_child(command, files) : std::nullopt;
  for (int file : {files.in, files.out, files.err}) {
    if (file >= 0) close(file);
  }
  return child;
}

[[noreturn]] void explain(int status, const std::string& errors) {
  std::string said = errors.empty() ? "" : "; it said: " + errors.substr(0, 500);
  bool by_signal = WIFSIGNALED(status);
  int code = by_signal ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  if (code == 128 + SIGSEGV || code == 128 + SIGILL || code == 128 + SIGABRT) {
    throw HexagonFailure("status " + std::to_string(code) +
                         ": an instruction that the emulator does not support (HVX floats are such), or an access "
                         "outside of the program's memory" +
                         said);
  }
  throw HexagonFailure("the program ended with status " + std::to_string(code) + said);
}

}  // namespace

bool have_qemu(const HexagonOptions& options) {
  ScratchFolder folder;
  std::optional<pid_t> child = start({options.qemu, "--version"}, "/dev/null", folder.path("out"), folder.path("err"));
  if (!child) return false;
  std::optional<int> status = wait_for(*child, 10);
  return status && WIFEXITED(*status) && WEXITSTATUS(*status) == 0;
}

HexagonRun run_hexagon(const Executable& program, std::vector<Tensor>& buffers, const ScalarArguments& scalars,
                       const HexagonOptions& options) {
  ScalarValues values = bind_scalars(program.func, buffers, scalars);
  const std::string block = fill_block(program.func, program.block, scalar_words(program.func, values), buffers);
  ScratchFolder folder;
  write_file(folder.path("program"), {reinterpret_cast<const char*>(program.elf.data()), program.elf.size()}, true);
  write_file(folder.path("in"), block);

  Clock::time_point started = Clock::now();
  std::optional<pid_t> child = start({options.qemu, "-cpu", "v67", folder.path("program")}, folder.path("in"),
                                     folder.path("out"), folder.path("err"));
  if (!child) throw HexagonFailure(missing(options));
  std::optional<int> status = wait_for(*child, options.seconds);
  HexagonRun run;
  run.seconds = since(started);
  if (!status) throw HexagonFailure("stopped after " + std::to_string(options.seconds) + " s");
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == 127) throw HexagonFailure(missing(options));
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0) explain(*status, read_file(folder.path("err")));

  std::string out = read_file(folder.path("out"));
  size_t head = hexagon::kCounterWords * 4;
  if (out.size() != head + block.size()) throw HexagonFailure("the program's output is not complete");
  uint32_t counts[hexagon::kCounterWords];
  std::memcpy(counts, out.data(), head);
  run.packets = counts[3] - counts[0];
  run.instructions = counts[4] - counts[1];
  run.hvx = counts[5] - counts[2];
  empty_block(program.block, block, out.substr(head), buffers);
  return run;
}

}  // namespace hexproof
