// Long work in C++: others may run meanwhile, and Ctrl-C ends it.
#pragma once
#include <optional>
#include <type_traits>

#include "tools/python/objects.h"
#include "verify/prove/interrupted.h"

namespace hexproof::python {

/// While it lives in the thread that Python gives signals to, SIGINT ends the work on questions, besides what Python
/// does about it.
class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;

 private:
  bool installed_ = false;
};

/// While one lives, some call is at work in this process. With the last one ends the time budget that was started
/// meanwhile: what Python does between two calls is bounded by nothing. (A budget that ran before, that of a command
/// whose schedule calls us, goes on.)
class AtWork {
 public:
  AtWork();
  ~AtWork();
  AtWork(const AtWork&) = delete;
};

/// Does the work without the lock. A time budget may be started inside of it, and ends with it. A KeyboardInterrupt (or
/// what else a handler of signals raises) comes before its result and before what it throws.
template <class Work>
auto while_others_run(const Work& work) {
  using Result = std::invoke_result_t<Work>;
  auto signals = [] {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  std::conditional_t<std::is_void_v<Result>, int, std::optional<Result>> result{};
  try {
    AtWork at_work;
    Interruptible interruptible;
    py::gil_scoped_release others_may_run;
    if constexpr (std::is_void_v<Result>) {
      work();
    } else {
      result.emplace(work());
    }
  } catch (...) {
    if (work_is_interrupted) signals();
    throw;
  }
  signals();
  if constexpr (!std::is_void_v<Result>) return std::move(*result);
}

}  // namespace hexproof::python
