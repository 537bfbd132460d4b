// LLVM's code generator breaks down in a process of its own.
#include "backend/codegen/contained.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "backend/host.h"
#include "backend/kernel.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"
#include "verify/check/check.h"

namespace hexproof {
namespace contained_test {

using codegen::Breakdown;
using codegen::contained;
using Parts = std::vector<std::string>;

std::string words_of(const std::function<Parts()>& work, int seconds = 60) {
  try {
    contained(work, seconds);
  } catch (const Breakdown& e) {
    return e.what();
  }
  ADD_FAILURE() << "it did not break down";
  return "";
}

TEST(Contained, ReturnsParts) {
  std::string large(3'000'000, 'x');
  large[12345] = '\0';
  EXPECT_EQ(contained([&] { return Parts{"", large, "end"}; }), (Parts{"", large, "end"}));
  EXPECT_EQ(contained([] { return Parts{}; }), Parts{});
}

TEST(Contained, HowItEndsIsSaid) {
  EXPECT_NE(words_of([]() -> Parts { std::abort(); }).find("signal 6"), std::string::npos);
  EXPECT_NE(words_of([]() -> Parts {
              std::raise(SIGTERM);
              return {};
            }).find("signal 15"),
            std::string::npos);
  EXPECT_NE(words_of([]() -> Parts { _exit(3); }).find("status 3"), std::string::npos);
  EXPECT_EQ(words_of([]() -> Parts {
              std::fputs("Cannot select: 0x55fe v2i1 = truncate\n  0x1: more of it\n", stderr);
              std::abort();
            }),
            "Cannot select: v2i1 = truncate");
  EXPECT_NE(words_of(
                []() -> Parts {
                  for (std::atomic<int> k{0};;) ++k;
                },
                1)
                .find("stopped"),
            std::string::npos);
}

// That says nothing of the program: the system ends a process by SIGKILL when it has no memory left.
TEST(Contained, WhatItHadNoMemoryFor) {
  EXPECT_THROW(contained([]() -> Parts { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(contained([]() -> Parts {
                 std::raise(SIGKILL);
                 return {};
               }),
               std::bad_alloc);
}

TEST(Contained, AnExceptionIsABugOfOurs) {
  EXPECT_THROW(contained([]() -> Parts { throw std::runtime_error("lost"); }), InternalError);
}

PrimFunc vectorized(const std::string& type, const std::string& body) {
  return parse_module("def f(A: T.Buffer((130,), \"" + type + "\"), B: T.Buffer((130,), \"" + type +
                      "\"), C: T.Buffer((130,), \"" + type +
                      "\"), D: T.Buffer((130,), \"bool\")):\n    for i in "
                      "range(130):\n        C[i] = A[i]\n    for j in T.vectorized(130):\n        " +
                      body + "\n")
      .functions.at(0);
}

Kernel for_hexagon(const PrimFunc& func, Prover& prover) {
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << print(func) << report.reason;
  Derivation derivation(func);
  return emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report)});
}

// LLVM 19 makes a vector of bools by a truncation of it, for which its Hexagon target has no pattern.
const char* kParity =
    "C[j] = T.Select((A[j] % T.int16(2) == T.int16(0) and B[j] > T.int16(3)) or (A[j] % T.int16(2) == T.int16(1) and "
    "B[j] < T.int16(9)), A[j], B[j])";

TEST(Contained, WhatLlvmCannotSelectIsUnsupportedWithItsPlace) {
  Prover prover;
  try {
    for_hexagon(vectorized("int16", kParity), prover);
    FAIL() << "LLVM compiles it by now: take another program";
  } catch (const Unsupported& e) {
    EXPECT_EQ(e.span.line, 4) << e.what();  // the vectorized loop, not the one before it
    EXPECT_NE(std::string(e.what()).find("Cannot select: "), std::string::npos) << e.what();
    EXPECT_EQ(std::string(e.what()).find("0x"), std::string::npos) << e.what();
  }
  // This process compiles as before.
  EXPECT_FALSE(for_hexagon(vectorized("int16", "C[j] = A[j] + B[j]"), prover).object.empty());
}

// HVX has no choice between vectors of bools, however it is written; such loops are scalar.
TEST(Contained, ChoicesBetweenBoolsCompile) {
  Prover prover;
  for (std::string type : {"int8", "int16", "int32"}) {
    for (std::string body :
         {"D[j] = T.Select(A[j] > T.int8(0), B[j] > T.int8(3), B[j] <= T.int8(-3))",
          "D[j] = T.if_then_else(A[j] == T.int8(0), B[j] > T.int8(3), B[j] <= T.int8(-3))",
          "D[j] = (A[j] < T.int8(2) and B[j] > T.int8(3)) or (A[j] >= T.int8(2) and B[j] <= T.int8(-3))",
          "D[j] = (A[j] <= T.int8(2) and B[j] > T.int8(3)) or (T.int8(3) <= A[j] and B[j] <= T.int8(-3))",
          "D[j] = not ((A[j] != T.int8(2) or B[j] > T.int8(3)) and (A[j] == T.int8(2) or B[j] <= T.int8(-3)))"}) {
      for (size_t at; (at = body.find("int8(")) != std::string::npos;) body.replace(at, 5, type + " (");
      EXPECT_FALSE(for_hexagon(vectorized(type, body), prover).object.empty()) << body;
    }
  }
}

// A child is made while other threads compile and allocate: none stands still.
TEST(Contained, BesideOtherThreads) {
  PrimFunc func = vectorized("int32", "C[j] = A[j] * B[j]");
  std::atomic<int> right{0};
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int k = 0; k < 15; ++k) {
        if (t % 2 == 0) {
          right +=
              contained([&] { return Parts{std::string(1000, 'a' + t)}; }, 60) == Parts{std::string(1000, 'a' + t)};
          continue;
        }
        HostBatch batch;
        batch.add(func);
        batch.compile();
        right += batch.size() == 1;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 60);
}

}  // namespace contained_test
}  // namespace hexproof
