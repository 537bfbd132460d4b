// LLVM's optimiser and code generators in a process of their own. They end the process that they run in where they
// meet what they cannot compile (report_fatal_error, an assertion, a crash, a pass that does not end); here that is a
// message.
//
// The process is a fork, not another program: the module is in its memory already, whoever links this library has it,
// and it starts in a millisecond. A fork of a process with threads has locks that nobody will open if another thread
// held one at that moment. The C library opens its own (malloc, stdio). For LLVM's there is a gate: what takes global
// locks of LLVM in this process holds a `UsesLlvm`, and a fork is made while there is none. Should a child stand still
// all the same, it is ended after `kContainedSeconds`.
#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace hexproof::codegen {

/// Held (not twice on one thread) while code of LLVM runs that may take its global locks.
class UsesLlvm {
 public:
  UsesLlvm();
  ~UsesLlvm();
  UsesLlvm(const UsesLlvm&) = delete;
};

/// The code generator broke down: what it said, or how it ended.
class Breakdown : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Of processor time. An hour of LLVM for one function is no use to anyone; a kernel takes 0.1 s.
constexpr int kContainedSeconds = 120;

/// The parts that `work` returns when it is run in a child. Throws Breakdown when the child ends in any other way,
/// std::bad_alloc when it had no memory, std::system_error when the machine has no more processes or files, and
/// InternalError with the message of an exception of `work`. The caller holds neither a UsesLlvm nor llvm_options().
std::vector<std::string> contained(const std::function<std::vector<std::string>()>& work,
                                   int seconds = kContainedSeconds);

/// In such a child: takes all memory that was freed so far. What is asked for after that stands in the order in which
/// it is asked for, whatever the parent's threads did; LLVM's code generators order some things by their addresses.
/// Elsewhere nothing happens: the memory would be lost.
void take_free_memory();

}  // namespace hexproof::codegen
