// What a process does that has no memory where nothing can be caught: before main, in a thread, in the C library.
#include "tools/out_of_memory.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>
#include <typeinfo>

#include "tools/command.h"

namespace hexproof::tools {
namespace {

std::terminate_handler others = nullptr;

[[noreturn]] void say_and_end() {
  constexpr std::string_view kWords = "error: out of memory\n";
  if (write(STDERR_FILENO, kWords.data(), kWords.size()) < 0) _exit(kInternal);
  _exit(kUndecided);
}

/// std::bad_alloc that nobody catches. (Its text needs memory; so does every other way out.)
void terminated() {
  const std::type_info* thrown = abi::__cxa_current_exception_type();
  if (thrown != nullptr && *thrown == typeid(std::bad_alloc)) say_and_end();
  if (others != nullptr) others();
  std::abort();
}

void take_over(int, char**, char**) { others = std::set_terminate(&terminated); }

/// Before the shared libraries are initialised: LLVM's options allocate then.
[[gnu::section(".preinit_array"), gnu::used]] void (*const kTakeOver)(int, char**, char**) = &take_over;

}  // namespace

void link_unwinder() {
  void* frame = nullptr;
  if (backtrace(&frame, 1) != 1) say_and_end();
}

}  // namespace hexproof::tools
