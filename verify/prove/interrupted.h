// Ctrl-C where the process lives on (in Python): the work on questions ends.
#pragma once
#include <atomic>

namespace hexproof {

/// While it is set no question is asked any more (OutOfTime), and no answer is kept. Set by a signal handler, and
/// cleared by who starts the next piece of work.
inline std::atomic<bool> work_is_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace hexproof
