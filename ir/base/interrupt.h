// What an interrupt (SIGINT, SIGTERM) must not leave behind: files under temporary names, and child processes.
#pragma once
#include <sys/types.h>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hexproof {

using InterruptLock = std::unique_lock<std::mutex>;

/// While this is held no interrupt is handled; take it around making something and registering it.
InterruptLock hold_interrupts();
/// On an interrupt this file or folder is deleted, until `forget_path`.
void remember_path(const InterruptLock& lock, const std::string& path);
void forget_path(const std::string& path);

/// What a child has for its standard input, output and error: open files of this process; -1 leaves that one as it is
/// here.
struct StandardFiles {
  int in = -1, out = -1, err = -1;
};
/// Starts a program (found by PATH) with these files, without blocked signals and with the default action for each. On
/// an interrupt it is killed; it is killed too when this process ends in any other way, or the thread that started it
/// does. Nothing when it cannot be started. The caller must wait for it by wait_child, on the same thread.
std::optional<pid_t> start_child(const std::vector<std::string>& command, const StandardFiles& files);
/// A copy of this process, of the calling thread alone, that ends with what `work` returns as its status. Otherwise as
/// start_child. Locks that other threads held are held forever in it: the caller sees to it that `work` needs none.
std::optional<pid_t> fork_child(const std::function<int()>& work);
/// Waits for a child: its wait status, or nothing when it still runs and `block` is false.
std::optional<int> wait_child(pid_t child, bool block);

/// Kills all children and deletes all that was remembered. While the result is held nothing new appears: hold it
/// until the process has ended. For the thread that handles signals; not for a signal handler.
InterruptLock clean_up_after_interrupt();

}  // namespace hexproof
