#include "tools/python/working.h"

#include <pthread.h>
#include <signal.h>

#include <mutex>

#include "verify/prove/effort.h"

namespace hexproof::python {
namespace {

struct sigaction pythons;  // what Python does about SIGINT: sets flags, which it looks at when it runs again
bool watching = false;     // by the one thread that may

/// Calls that are at work, of all threads and inside of each other.
struct Calls {
  std::mutex mutex;
  int at_work = 0;
  bool had_budget = false;  // before the first of them
};
Calls& calls_now() {
  static auto* all = new Calls;  // outlives every thread
  return *all;
}

extern "C" void end_the_work(int signal) {
  work_is_interrupted = true;
  pythons.sa_handler(signal);
}

bool is_pythons_main_thread() {
  static const py::object main = py::module_::import("threading").attr("main_thread")().attr("ident");
  return main.cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace

AtWork::AtWork() {
  Calls& calls = calls_now();
  std::lock_guard lock(calls.mutex);
  if (calls.at_work++ == 0) calls.had_budget = TimeBudget::seconds() > 0;
}

AtWork::~AtWork() {
  Calls& calls = calls_now();
  std::lock_guard lock(calls.mutex);
  if (--calls.at_work == 0 && !calls.had_budget) TimeBudget::stop();
}

Interruptible::Interruptible() {
  work_is_interrupted = false;
  if (watching || !is_pythons_main_thread()) return;
  struct sigaction now = {};
  if (sigaction(SIGINT, nullptr, &now) != 0) return;
  const bool handled = !(now.sa_flags & SA_SIGINFO) && now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN;
  if (!handled || now.sa_handler == &end_the_work) return;
  pythons = now;
  now.sa_handler = &end_the_work;
  installed_ = watching = sigaction(SIGINT, &now, nullptr) == 0;
}

Interruptible::~Interruptible() {
  if (!installed_) return;
  sigaction(SIGINT, &pythons, nullptr);
  watching = false;
}

}  // namespace hexproof::python
