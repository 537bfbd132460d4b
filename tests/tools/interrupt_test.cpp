// Ctrl-C leaves nothing half-written, and nothing running.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/tools/command_line.h"

extern char** environ;

namespace hexproof {
namespace interrupt_test {

namespace fs = std::filesystem;

/// A run of `hexproof certify` in the background, and the folders that it may write to.
struct Certify {
  fs::path folder = fs::path(testing::TempDir()) / ("interrupt-" + std::to_string(::getpid()));
  fs::path out = folder / "out", temporary = folder / "tmp", log = folder / "log";
  pid_t pid = 0;

  Certify() { fs::create_directories(out), fs::create_directories(temporary); }
  ~Certify() { fs::remove_all(folder); }

  /// `input`: the program, and perhaps a schedule. `path`: where programs are looked for before all else.
  void start(const std::vector<std::string>& input, const std::string& path = "") {
    std::string binary = HEXPROOF_BINARY_DIR "/hexproof";
    std::vector<std::string> words = {binary,    "certify", "--target", "hexagon",
                                      "--cache", "off",     "-o",       (out / "certificate").string()};
    words.insert(words.end(), input.begin(), input.end());
    std::vector<std::string> settings = {"TMPDIR=" + temporary.string(),
                                         "PATH=" + path + (path.empty() ? "" : ":") + std::getenv("PATH")};
    for (char** s = environ; *s; ++s) {
      std::string setting = *s;
      if (!setting.starts_with("PATH=") && !setting.starts_with("TMPDIR=")) settings.push_back(setting);
    }
    auto pointers = [](std::vector<std::string>& strings) {
      std::vector<char*> list;
      for (std::string& s : strings) list.push_back(s.data());
      list.push_back(nullptr);
      return list;
    };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    std::vector<char*> argv = pointers(words), env = pointers(settings);
    ASSERT_EQ(posix_spawn(&pid, binary.c_str(), &actions, nullptr, argv.data(), env.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  /// Until it is so, or the run has ended, or two minutes have passed.
  bool wait_until(const std::function<bool()>& so) {
    for (int i = 0; i < 24'000; ++i) {
      if (so()) return true;
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT);
      if (ended.si_pid != 0) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  void expect_interrupted() {
    ::kill(pid, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    std::string text = read_file(log);
    EXPECT_TRUE(WIFEXITED(status)) << text;
    EXPECT_EQ(WEXITSTATUS(status), 130) << text;
    EXPECT_NE(text.find("interrupted"), std::string::npos) << text;
    for (const fs::path& place : {out, temporary}) {
      EXPECT_TRUE(fs::is_empty(place)) << *fs::directory_iterator(place);
    }
  }
};

/// Is there such a process, and not only its exit status that init has not taken yet?
bool runs(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string number, name, state;
  return bool(file >> number >> name >> state) && state != "Z" && state != "X";
}

TEST(Interrupt, CertifyLeavesNothing) {
  for (int milliseconds : {0, 300, 1500}) {
    Certify run;
    std::string example = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/";
    run.start({example + "conv2d_conv2d.py", example + "schedule_k1_h1.py"});
    // It is at work once the folder that it stages its output in is there.
    ASSERT_TRUE(run.wait_until([&] { return !fs::is_empty(run.out); })) << read_file(run.log);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    run.expect_interrupted();
  }
}

// While it waits for the emulator; a stand-in, found by PATH like the real one, never ends.
TEST(Interrupt, TheEmulatorIsStoppedToo) {
  Certify run;
  fs::path programs = run.folder / "programs", emulator = programs / "qemu-hexagon", started = run.folder / "started";
  fs::create_directories(programs);
  write_file(emulator.string(),
             "#!/bin/sh\necho $$ > '" + started.string() + ".new'\nmv '" + started.string() + ".new' '" +
                 started.string() + "'\nexec sleep 100000\n",
             true);
  std::string program = (run.folder / "copy.py").string();
  write_file(program, R"(@T.prim_func
def copy(A: T.Buffer[(8,), "int32"], B: T.Buffer[(8,), "int32"]):
    for i in range(8):
        B[i] = A[i]
)");
  run.start({program}, programs.string());
  ASSERT_TRUE(run.wait_until([&] { return fs::exists(started); })) << read_file(run.log);
  pid_t child = std::stoi(read_file(started));
  ASSERT_TRUE(runs(child));
  EXPECT_FALSE(fs::is_empty(run.out));
  EXPECT_FALSE(fs::is_empty(run.temporary));
  run.expect_interrupted();
  EXPECT_FALSE(runs(child)) << "the emulator still runs";
}

}  // namespace interrupt_test
}  // namespace hexproof
