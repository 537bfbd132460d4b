// A loop whose iterations run on several threads.
#pragma once
#include <cstddef>
#include <functional>

namespace hexproof {

/// So many threads; 0 or less: one for each core.
size_t threads_for(int jobs);
/// Calls `work` with each number below `count`, the smaller ones first, on `threads_for(jobs)` threads, this one among
/// them; on fewer where the machine has no more. Once one call has thrown no other begins; what the first one threw is
/// thrown here when all have ended.
void parallel_for(size_t count, int jobs, const std::function<void(size_t)>& work);

}  // namespace hexproof
