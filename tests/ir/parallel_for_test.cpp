// Loops on threads: each number once, one error for all, and as many threads as there are.
#include "ir/base/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace hexproof {
namespace {

TEST(ParallelFor, EachNumberOnce) {
  for (int jobs : {0, 1, 2, 9}) {
    std::vector<std::atomic<int>> seen(100);
    parallel_for(seen.size(), jobs, [&](size_t k) { ++seen[k]; });
    for (const std::atomic<int>& count : seen) EXPECT_EQ(count, 1) << jobs;
  }
  parallel_for(0, 4, [](size_t) { FAIL() << "there is no number below 0"; });
}

TEST(ParallelFor, OneThreadKeepsTheOrder) {
  std::vector<size_t> seen;
  parallel_for(5, 1, [&](size_t k) { seen.push_back(k); });
  EXPECT_EQ(seen, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

TEST(ParallelFor, WhatIsThrownEndsIt) {
  for (int jobs : {1, 4}) {
    std::atomic<int> begun = 0;
    auto run = [&] {
      parallel_for(1000000, jobs, [&](size_t) {
        ++begun;
        throw std::runtime_error("no");
      });
    };
    EXPECT_THROW(run(), std::runtime_error);
    EXPECT_LE(begun, jobs);
  }
}

TEST(ParallelFor, OneThreadForEachCoreUnlessTold) {
  EXPECT_GE(threads_for(0), 1u);
  EXPECT_EQ(threads_for(-3), threads_for(0));
  EXPECT_EQ(threads_for(7), 7u);
}

}  // namespace
}  // namespace hexproof
