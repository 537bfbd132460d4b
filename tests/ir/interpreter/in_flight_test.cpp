// What a run says of asynchronous copies in flight: by the bytecode and by the walk, with the same words.
#include <gtest/gtest.h>

#include "ir/interpreter/interpreter.h"
#include "ir/interpreter/paths.h"
#include "ir/text/text.h"

namespace hexproof {
namespace in_flight_test {

const std::string kCommit = "with T.attr(0, \"async_commit_queue_scope\", 0):\n";
std::string wait(int left, int queue = 0) {
  return "with T.attr(0, \"async_wait_queue_scope\", " + std::to_string(queue) +
         "), T.attr(0, \"async_wait_inflight_count\", " + std::to_string(left) + "):\n";
}

RunResult run_text(const std::string& body) {
  PrimFunc func =
      parse_module("@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n" + body)
          .functions.at(0);
  std::vector<Tensor> walked(2, make_tensor(kInt32, {8})), fast = walked;
  for (size_t i = 0; i < 32; ++i) walked[0].data[i] = fast[0].data[i] = static_cast<uint8_t>(i * 7);
  Arguments bound = bind_arguments(func, walked, {});
  RunResult out = run_by_walk(func, walked, bound, {});
  std::optional<RunResult> other = run_by_bytecode(func, fast, bound, {});
  EXPECT_TRUE(other) << body;
  if (!other) return out;
  EXPECT_EQ(out.error ? out.error->str() : "", other->error ? other->error->str() : "") << body;
  if (out.error) return out;
  EXPECT_EQ(out.steps, other->steps);
  EXPECT_EQ(walked[1].data, fast[1].data);
  return out;
}
std::string error_of(const std::string& body) {
  RunResult result = run_text(body);
  if (!result.error) return "";
  EXPECT_EQ(result.error->kind, ErrorKind::InFlight) << result.error->str();
  return result.error->message;
}

TEST(InFlight, AWaitSeesTheCopyThrough) {
  const std::string copy = "    t = T.alloc_buffer((8,), \"int32\")\n    " + kCommit +
                           "        for i in range(8):\n            t[i] = A[i]\n";
  EXPECT_EQ(error_of(copy + "    " + wait(0) + "        for i in range(8):\n            B[i] = t[i]\n"), "");
  const std::string met = error_of(copy + "    " + wait(1) + "        for i in range(8):\n            B[i] = t[i]\n");
  EXPECT_EQ(met.find("t[0] is read while a copy in flight on queue 0 writes it: t[i] = A[i], started at "), 0u) << met;
  EXPECT_NE(error_of(copy + "    " + wait(0, 1) + "        B[0] = t[0]\n"), "") << "another queue";
}

TEST(InFlight, WhatIsReadMayBeReadAndNotWritten) {
  const std::string copy = "    " + kCommit + "        B[0] = A[1]\n";
  const std::string end = "    " + wait(0) + "        B[1] = 2\n";
  EXPECT_EQ(error_of(copy + "    B[2] = A[1]\n" + end), "");
  EXPECT_EQ(error_of(copy + "    A[2] = A[1]\n" + end), "");
  EXPECT_EQ(error_of(copy + "    A[1] = 3\n" + end).find("A[1] is written while a copy in flight on queue 0 reads it"),
            0u);
  EXPECT_EQ(error_of(copy + "    B[0] = 3\n" + end).find("B[0] is written while"), 0u);
}

TEST(InFlight, GroupsMeetEachOther) {
  const std::string two = "    for i in range(2):\n        " + kCommit;
  const std::string end = "    " + wait(0) + "        B[7] = 2\n";
  EXPECT_EQ(error_of(two + "            B[i] = A[0]\n" + end), "") << "both read it";
  EXPECT_NE(error_of(two + "            B[0] = A[i]\n" + end).find("started at"), std::string::npos);
  EXPECT_NE(error_of(two + "            B[i] = B[0]\n" + end), "") << "the second one reads what the first one writes";
  // Of three readers the middle one reads and writes: the first is in flight still.
  EXPECT_NE(error_of("    " + kCommit + "        B[1] = A[0]\n    " + kCommit +
                     "        B[2] = A[0]\n        A[0] = 1\n" + end),
            "");
  EXPECT_EQ(error_of("    " + kCommit + "        A[0] = A[0] + 1\n        A[0] = A[0] + 1\n" + end), "") << "its own";
}

TEST(InFlight, MemoryStays) {
  const std::string copy = "    for i in range(2):\n        t = T.alloc_buffer((1,), \"int32\")\n        " + kCommit +
                           "            t[0] = A[i]\n";
  EXPECT_EQ(error_of(copy + "        " + wait(0) + "            B[i] = t[0]\n"), "");
  EXPECT_EQ(error_of(copy + "        B[i] = 0\n").find("the memory of 't' goes away while a copy in flight"), 0u);
  EXPECT_EQ(error_of("    " + kCommit + "        B[0] = 1\n").find("the function ends, and its caller sees 'B', while"),
            0u);
}

TEST(InFlight, TheYoungestStayInFlight) {
  const std::string text = "    for i in range(4):\n        " + kCommit + "            B[i] = A[i]\n        " +
                           wait(1) + "            A[7] = B[%]\n    " + wait(0) + "        B[7] = 0\n";
  auto with = [&](const std::string& index) {
    std::string out = text;
    return error_of(out.replace(out.find('%'), 1, index));
  };
  EXPECT_EQ(with("T.max(i - 1, 0)").find("B[0] is read while"), 0u) << "in the first iteration";
  EXPECT_EQ(with("T.if_then_else(i > 0, i - 1, 5)"), "");
  const std::string met = with("i");
  EXPECT_NE(met.find("with i = 0"), std::string::npos) << met;
}

TEST(InFlight, ANegativeCount) {
  RunResult result = run_text(
      "    for i in range(2):\n        with T.attr(0, \"async_wait_queue_scope\", 0), T.attr(0, "
      "\"async_wait_inflight_count\", 0 - i):\n            B[i] = 1\n");
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->kind, ErrorKind::NegativeCount);
  EXPECT_EQ(result.error->message, "a wait that leaves -1 groups in flight");
}

}  // namespace in_flight_test
}  // namespace hexproof
