// Python in this process: started once, when the first schedule runs, or the one that has loaded us.
#pragma once
#include <pybind11/pybind11.h>

namespace hexproof::python {

/// Starts an interpreter if there is none: by itself, without the user's site packages and environment. The lock is
/// held by nobody afterwards. Safe to call from any thread, and again.
void start_python();
/// Takes up a running interpreter: what tools/python/support/ defines becomes this module's; the lock is held.
void adopt_python(pybind11::module_& native);
/// Was it started by start_python? Then it has no handlers of signals.
bool python_is_ours();

}  // namespace hexproof::python
