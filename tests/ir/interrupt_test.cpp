// Child processes and temporary paths under an interrupt.
#include "ir/interrupt.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "ir/file.h"

namespace hexproof {
namespace {

std::optional<pid_t> start(const std::vector<std::string>& command, const std::string& out = "/dev/null") {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::optional<pid_t> child = start_child(command, files);
  posix_spawn_file_actions_destroy(&files);
  return child;
}

std::string scratch(const std::string& name) {
  return (std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid()))).string();
}

TEST(Interrupt, AChildHasNoBlockedSignals) {
  sigset_t signals, before;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  std::string out = scratch("mask");
  std::optional<pid_t> child = start({"grep", "SigBlk", "/proc/self/status"}, out);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(child);
  std::optional<int> status = wait_child(*child, true);
  ASSERT_TRUE(status && WIFEXITED(*status));
  EXPECT_EQ(read_file(out), "SigBlk:\t0000000000000000\n");
  std::filesystem::remove(out);
}

TEST(Interrupt, EndsChildrenAndDeletesWhatIsRemembered) {
  std::string kept = scratch("kept"), folder = scratch("folder");
  write_file(kept, "x");
  std::filesystem::create_directories(folder);
  write_file(folder + "/file", "x");
  remember_path(hold_interrupts(), kept);
  remember_path(hold_interrupts(), folder);
  forget_path(kept);
  std::optional<pid_t> child = start({"sleep", "600"});
  ASSERT_TRUE(child);
  EXPECT_FALSE(wait_child(*child, false));
  clean_up_after_interrupt();
  EXPECT_TRUE(std::filesystem::exists(kept));
  EXPECT_FALSE(std::filesystem::exists(folder));
  std::optional<int> status = wait_child(*child, true);
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL);
  forget_path(folder);
  std::filesystem::remove(kept);
}

TEST(Interrupt, AProgramThatDoesNotExistIsNotStarted) { EXPECT_FALSE(start({"/nowhere/no-such-program"})); }

}  // namespace
}  // namespace hexproof
