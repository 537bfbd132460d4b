// Child processes and temporary paths under an interrupt.
#include "ir/base/interrupt.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "ir/base/file.h"

namespace hexproof {
namespace interrupt_test {

std::optional<pid_t> start(const std::vector<std::string>& command, const std::string& out = "/dev/null") {
  int file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  std::optional<pid_t> child = start_child(command, {-1, file, -1});
  close(file);
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

/// Waits at most ten seconds for a process that was inherited; its wait status.
std::optional<int> end_of(pid_t process) {
  for (int i = 0; i < 1000; ++i) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) == process) return status;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return std::nullopt;
}

// A parent that is killed cleans up nothing; its children end all the same. This process inherits the grandchild and
// sees how it ends.
TEST(Interrupt, ChildrenDieWithAParentThatIsKilled) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  for (bool forked : {false, true}) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    std::optional<pid_t> parent = fork_child([&] {
      auto sleep = [] {
        pause();
        return 0;
      };
      std::optional<pid_t> child = forked ? fork_child(sleep) : start({"sleep", "600"});
      pid_t number = child.value_or(-1);
      if (write(ends[1], &number, sizeof number) != sizeof number) return 1;
      pause();
      return 0;
    });
    ASSERT_TRUE(parent);
    pid_t grandchild = -1;
    ASSERT_EQ(read(ends[0], &grandchild, sizeof grandchild), static_cast<ssize_t>(sizeof grandchild));
    close(ends[0]), close(ends[1]);
    ASSERT_GT(grandchild, 0);
    EXPECT_EQ(kill(grandchild, 0), 0) << "the grandchild does not run";
    kill(*parent, SIGKILL);
    ASSERT_TRUE(wait_child(*parent, true));
    std::optional<int> status = end_of(grandchild);
    if (!status) kill(grandchild, SIGKILL);
    ASSERT_TRUE(status) << "the grandchild outlived its parent";
    // Killed; or it saw, before it could ask to be, that its parent was gone.
    EXPECT_TRUE(WIFEXITED(*status) || (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL));
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(Interrupt, AForkedChildEndsWithWhatItsWorkReturns) {
  std::optional<pid_t> child = fork_child([] { return 42; });
  ASSERT_TRUE(child);
  std::optional<int> status = wait_child(*child, true);
  ASSERT_TRUE(status && WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 42);
}

}  // namespace interrupt_test
}  // namespace hexproof
