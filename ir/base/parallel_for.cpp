#include "ir/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace hexproof {

size_t threads_for(int jobs) {
  return jobs > 0 ? static_cast<size_t>(jobs) : std::max(1u, std::thread::hardware_concurrency());
}

void parallel_for(size_t count, int jobs, const std::function<void(size_t)>& work) {
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  auto take = [&] {
    try {
      for (size_t k; (k = next++) < count;) work(k);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    try {
      for (size_t k = 1; k < std::min(threads_for(jobs), count); ++k) threads.emplace_back(take);
    } catch (const std::system_error&) {  // with as many as there are
    }
    take();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace hexproof
