// Full-size runs belong to optimised builds: under the sanitizers they take many minutes, and the same code runs on
// small programs there.
#pragma once
#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SKIP_FULL_SIZE_UNDER_SANITIZERS() GTEST_SKIP() << "full-size runs are left to the release build"
#else
#define SKIP_FULL_SIZE_UNDER_SANITIZERS() static_cast<void>(0)
#endif
