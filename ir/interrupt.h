// What an interrupt (SIGINT, SIGTERM) must not leave behind: files under temporary names, and child processes.
#pragma once
#include <spawn.h>
#include <sys/types.h>

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

/// Starts a program (found by PATH) with these file actions, without blocked signals and with the default action for
/// each; on an interrupt it is killed. Nothing when it cannot be started. The caller must wait for it by wait_child.
std::optional<pid_t> start_child(const std::vector<std::string>& command, const posix_spawn_file_actions_t& files);
/// Waits for a child of start_child: its wait status, or nothing when it still runs and `block` is false.
std::optional<int> wait_child(pid_t child, bool block);

/// Kills all children and deletes all that was remembered. While the result is held nothing new appears: hold it
/// until the process has ended. For the thread that handles signals; not for a signal handler.
InterruptLock clean_up_after_interrupt();

}  // namespace hexproof
