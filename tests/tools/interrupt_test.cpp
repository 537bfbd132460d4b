// Ctrl-C leaves nothing half-written.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "tests/tools/command_line.h"

extern char** environ;

namespace hexproof {
namespace {

namespace fs = std::filesystem;

TEST(Interrupt, CertifyLeavesNothing) {
  fs::path folder = fs::path(testing::TempDir()) / ("interrupt-" + std::to_string(::getpid()));
  fs::create_directories(folder);
  std::string example = HEXPROOF_SOURCE_DIR "/examples/conv2d_conv2d/";
  std::string out = (folder / "certificate").string(), program = example + "conv2d_conv2d.py",
              schedule = example + "schedule_k1_h1.py", log = (folder / "log").string();
  for (int milliseconds : {0, 300, 1500}) {
    std::string binary = HEXPROOF_BINARY_DIR "/hexproof";
    std::vector<std::string> words = {binary,    "certify", program, schedule, "--target",
                                      "hexagon", "--cache", "off",   "-o",     out};
    std::vector<char*> argv;
    for (std::string& w : words) argv.push_back(w.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    pid_t pid = 0;
    ASSERT_EQ(posix_spawn(&pid, binary.c_str(), &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    // It is at work once the folder that it stages its output in is there.
    auto at_work = [&] {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory()) return true;
      }
      return false;
    };
    for (int i = 0; i < 2000 && !at_work(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::kill(pid, SIGINT);
    int status = 0;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    std::string text = read_file(log);
    fs::remove(log);
    EXPECT_TRUE(WIFEXITED(status)) << text;
    EXPECT_EQ(WEXITSTATUS(status), 130) << text;
    EXPECT_NE(text.find("interrupted"), std::string::npos) << text;
    EXPECT_TRUE(fs::is_empty(folder)) << fs::directory_iterator(folder)->path();
  }
}

}  // namespace
}  // namespace hexproof
