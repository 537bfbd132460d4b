// A run past its errors meets those that stand behind, and none that only follows from one.
#include "ir/interpreter/past_errors.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace past_errors_test {

/// The lines of the errors, and of what kind they are, on tensors of zeros.
std::vector<std::pair<int, ErrorKind>> errors(const std::string& body, int lets_pass = 0) {
  const PrimFunc func =
      parse_module("def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n" + body).functions.at(0);
  std::vector<Tensor> tensors = {make_tensor(kInt32, {8}), make_tensor(kInt32, {8})};
  std::set<const StmtNode*> false_assumes;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (s.as<Assume>() && s->span.line == lets_pass) false_assumes.insert(s.get());
    return true;
  });
  std::vector<std::pair<int, ErrorKind>> out;
  for (const RunError& e : run_past_errors(func, tensors, {}, {.max_steps = 10'000}, false_assumes).errors) {
    out.emplace_back(e.span.line, e.kind);
  }
  // The first one is that of a plain run.
  const RunResult plain = run(func, tensors, {}, {});
  const int first = plain.error ? plain.error->span.line : 0;
  EXPECT_EQ(first, out.empty() ? 0 : out.front().first);
  return out;
}
using Errors = std::vector<std::pair<int, ErrorKind>>;

TEST(PastErrors, EachStatementOnceInTheOrderOfTheRun) {
  EXPECT_EQ(errors("    for i in range(8):\n        A[i + 7] = 1\n    B[0] = 5 // A[2]\n    B[9] = 1\n"),
            (Errors{{3, ErrorKind::OutOfBounds}, {4, ErrorKind::Operation}, {5, ErrorKind::OutOfBounds}}));
  EXPECT_EQ(errors("    A[0] = 1\n"), Errors{});
}

TEST(PastErrors, WhatAnErrorLeavesIsOpenAndNothingFollowsFromIt) {
  // The cell that would have been written is no uninitialised one, and its value decides nothing.
  EXPECT_EQ(errors("    C = T.alloc_buffer((8,), \"int32\")\n    C[0] = 5 // A[2]\n    B[0] = C[0]\n    B[B[0]] = 1\n"
                   "    B[1] = 7 // C[0]\n    if C[0] > 3:\n        B[9] = 1\n    A[8] = 1\n"),
            (Errors{{3, ErrorKind::Operation}, {9, ErrorKind::OutOfBounds}}));
  // So is all that a branch would have written.
  EXPECT_EQ(errors("    C = T.alloc_buffer((8,), \"int32\")\n    if A[9] > 0:\n        C[0] = 1\n    else:\n"
                   "        C[0] = 2\n    B[0] = C[0]\n    B[9] = C[0]\n"),
            (Errors{{3, ErrorKind::OutOfBounds}, {8, ErrorKind::OutOfBounds}}));
}

const char* const kOpenZero = "    C = T.alloc_buffer((2,), \"int32\")\n    x = T.int32(0) // A[0]\n";

TEST(PastErrors, AStoreAtAnOpenIndexMayHaveFilledEachCell) {
  const Errors division{{3, ErrorKind::Operation}};
  EXPECT_EQ(errors(kOpenZero + std::string("    C[x] = 5\n    B[0] = C[0]\n    B[1] = 7 // C[1]\n")), division);
  // So may one at an index that is in error itself, or that came of data and is outside.
  const std::string uses = "    B[0] = C[0]\n";
  const std::string alloc = "    C = T.alloc_buffer((2,), \"int32\")\n";
  EXPECT_EQ(errors(alloc + "    C[T.int32(0) // A[0]] = 5\n" + uses), division);
  EXPECT_EQ(errors(alloc + "    C[A[0] + 2] = 5\n" + uses), (Errors{{3, ErrorKind::OutOfBounds}}));
  EXPECT_EQ(errors(alloc + "    C[2] = 5\n" + uses),
            (Errors{{3, ErrorKind::OutOfBounds}, {4, ErrorKind::Uninitialised}}));
}

TEST(PastErrors, APermissionUnderAnOpenConditionMayHaveFilledItsCell) {
  const Errors division{{3, ErrorKind::Operation}},
      and_another{{3, ErrorKind::Operation}, {6, ErrorKind::Uninitialised}};
  const std::string uses = "    B[0] = C[0]\n    B[1] = C[1]\n";
  EXPECT_EQ(errors(kOpenZero + ("    T.assume(x != 0 or C[0] == T.undef())\n" + uses)), and_another);
  EXPECT_EQ(errors(kOpenZero + ("    T.assume(x != 0 or C[x] == T.undef())\n" + uses)), division);
  EXPECT_EQ(errors(kOpenZero + ("    if x == 0:\n        T.assume(C[0] == T.undef())\n" + uses)), division);
}

std::string group(const std::string& indent, const std::string& copy) {
  return indent + "with T.attr(0, \"async_commit_queue_scope\", 0):\n" + indent + "    " + copy + "\n";
}
std::string wait(const std::string& indent, int count, const std::string& then) {
  return indent + "with T.attr(0, \"async_wait_queue_scope\", 0):\n" + indent +
         "    with T.attr(0, \"async_wait_inflight_count\", " + std::to_string(count) + "):\n" + indent + "        " +
         then + "\n";
}

TEST(PastErrors, NothingIsToldOfAQueueWhoseGroupsAreNotCounted) {
  const Errors division{{3, ErrorKind::Operation}};
  const std::string d = "    D = T.alloc_buffer((2,), \"int32\")\n", all = wait("    ", 0, "B[1] = D[0]");
  const std::string first = d + group("    ", "C[0] = A[1]"), second = group("        ", "D[0] = A[2]");
  EXPECT_EQ(errors(kOpenZero + first + "    if x == 0:\n" + second + wait("    ", 1, "B[0] = C[0]") + all), division);
  EXPECT_EQ(errors(kOpenZero + first + "    if x == 0:\n" + wait("        ", 0, "B[0] = 1") + "    B[0] = C[0]\n"),
            division);
  // Where the count is known, it is told.
  const Errors known =
      errors(kOpenZero + first + "    if A[0] == 0:\n" + second + wait("    ", 2, "B[0] = C[0]") + all);
  ASSERT_GE(known.size(), 2u);
  EXPECT_EQ(known[1].second, ErrorKind::InFlight);
}

TEST(PastErrors, OfEachKindOfAStatementTheFirst) {
  EXPECT_EQ(errors("    for i in range(9):\n        B[i] = 5 // A[i]\n"),
            (Errors{{3, ErrorKind::Operation}, {3, ErrorKind::OutOfBounds}}));
}

// (The last one is where the function ends, and its caller sees A.)
TEST(PastErrors, OfARaceAnUndefAndACopyInFlight) {
  EXPECT_EQ(errors("    for i in T.parallel(8):\n        B[0] = i\n    C = T.alloc_buffer((8,), \"int32\")\n"
                   "    C[0] = T.undef(dtype=\"int32\")\n    if C[0] > 3:\n        B[1] = 1\n"
                   "    with T.attr(0, \"async_commit_queue_scope\", 0):\n        C[1] = A[6]\n    A[6] = 2\n"),
            (Errors{{3, ErrorKind::Race},
                    {6, ErrorKind::Undef},
                    {10, ErrorKind::InFlight},
                    {4, ErrorKind::InFlight},
                    {0, ErrorKind::InFlight}}));
}

TEST(PastErrors, AFalseAssumeEndsTheRunUnlessItIsToBePassedOver) {
  const char* const text = "    A[8] = 1\n    T.assume(A[0] > 3)\n    A[9] = 1\n";
  EXPECT_EQ(errors(text), (Errors{{2, ErrorKind::OutOfBounds}, {3, ErrorKind::FalseAssume}}));
  EXPECT_EQ(errors(text, 3),
            (Errors{{2, ErrorKind::OutOfBounds}, {3, ErrorKind::FalseAssume}, {4, ErrorKind::OutOfBounds}}));
}

}  // namespace past_errors_test
}  // namespace hexproof
