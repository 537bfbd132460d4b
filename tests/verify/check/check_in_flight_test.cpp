// Asynchronous copies: what is waited for long enough is proved for all sizes, and what is not is refuted.
#include <fmt/format.h>

#include "tests/verify/check/check_fixture.h"

namespace hexproof {
namespace check_in_flight_test {

/// A loop of which iteration i uses what was copied `ahead` iterations before into slot i % slots.
struct Pipeline {
  int slots = 2, ahead = 1, left = 1;

  std::string text() const {
    std::string out =
        "def f(a: T.handle, b: T.handle, c: T.int32):\n    n = T.int32()\n"
        "    A = T.match_buffer(a, (n, 4), \"int32\")\n    B = T.match_buffer(b, (n, 4), \"int32\")\n";
    out += fmt::format("    t = T.alloc_buffer(({}, 4), \"int32\")\n", slots);
    out += fmt::format("    for p in range({}):\n", ahead);
    out += fmt::format(
        "        with T.attr(0, \"async_commit_queue_scope\", 0):\n            if p < n:\n"
        "                for j in range(4):\n                    t[p % {}, j] = A[p, j]\n",
        slots);
    out += "    for i in range(n):\n";
    const std::string at = "        ";
    out += fmt::format(
        "{0}with T.attr(0, \"async_commit_queue_scope\", 0):\n{0}    if i < n - {1}:\n"
        "{0}        for j in range(4):\n{0}            t[(i + {1}) % {2}, j] = A[i + {1}, j]\n",
        at, ahead, slots);
    out += fmt::format(
        "        with T.attr(0, \"async_wait_queue_scope\", 0), T.attr(0, \"async_wait_inflight_count\", "
        "{}):\n            for k in range(4):\n                B[i, k] = t[i % {}, k]\n",
        left, slots);
    return out;
  }
};

using CheckInFlight = CheckTest;

bool only_in_flight_stays(const CheckReport& report) {
  for (const CheckedObligation& o : report.obligations) {
    if (o.answer.verdict != Verdict::Proved && o.obligation.rule == "check-in-flight") return false;
  }
  return true;
}

/// The in-flight claims alone: that reads find values is another question.
void in_flight_proved(const Pipeline& p) {
  CheckReport report = check(parse(p.text()), CheckTest::prover());
  EXPECT_TRUE(only_in_flight_stays(report)) << describe(report) << p.text();
  EXPECT_NE(report.finding, Finding::Refuted) << describe(report) << p.text();
}

TEST_F(CheckInFlight, EnoughSlotsAndWaits) {
  in_flight_proved({});
  in_flight_proved({.slots = 1, .ahead = 0, .left = 0});
  in_flight_proved({.slots = 3, .ahead = 2, .left = 2});
  in_flight_proved({.slots = 3, .ahead = 1, .left = 1});
  in_flight_proved({.slots = 3, .ahead = 2, .left = 0});
  in_flight_proved({.slots = 2, .ahead = 1, .left = 0});
}

TEST_F(CheckInFlight, TooManyAreLeft) {
  const std::string met = "in flight on queue 0 writes it";
  refuted(Pipeline{.left = 2}.text(), met);
  refuted(Pipeline{.slots = 3, .ahead = 2, .left = 3}.text(), met);
  refuted(Pipeline{.slots = 1, .ahead = 0, .left = 1}.text(), met);
}

TEST_F(CheckInFlight, TooFewSlots) {
  refuted(Pipeline{.slots = 1, .ahead = 1, .left = 1}.text(), "in flight on queue 0 writes it");
  refuted(Pipeline{.slots = 2, .ahead = 2, .left = 2}.text(), "in flight on queue 0 writes it");
}

TEST_F(CheckInFlight, GroupsUnderABranchAreNotBelievedToStart) {
  // The group of each second iteration: one that is left in flight may be the one that is used.
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), c: T.int32):
    t = T.alloc_buffer((9,), "int32")
    for i in range(8):
        with T.attr(0, "async_commit_queue_scope", 0):
            t[i] = A[i]
        if c > 0:
            with T.attr(0, "async_commit_queue_scope", 0):
                t[8] = 1
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", %):
            B[i] = t[i]
    with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
        T.evaluate(0)
)";
  auto with = [&](const char* count) {
    std::string out = text;
    return out.replace(out.find('%'), 1, count);
  };
  proved(with("0"));
  refuted(with("1"), "in flight on queue 0 writes it");
}

TEST_F(CheckInFlight, WhatACopyReadsIsNotWritten) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(4):
            B[i] = A[i]
    for j in range(4):
        A[j + %] = 1
    with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
        T.evaluate(0)
)";
  auto with = [&](const char* offset) {
    std::string out = text;
    return out.replace(out.find('%'), 1, offset);
  };
  proved(with("4"));
  refuted(with("3"), "A[3] is written while a copy in flight on queue 0 reads it");
}

TEST_F(CheckInFlight, MemoryStaysUntilItIsThrough) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        t = T.alloc_buffer((1,), "int32")
        with T.attr(0, "async_commit_queue_scope", 0):
            t[0] = A[i]
        with T.attr(0, "async_wait_queue_scope", %), T.attr(0, "async_wait_inflight_count", 0):
            B[i] = A[i]
)";
  auto with = [&](const char* queue) {
    std::string out = text;
    return out.replace(out.find('%'), 1, queue);
  };
  proved(with("0"));
  refuted(with("1"), "the memory of 't' goes away");
  refuted(
      "def f(A: T.Buffer((8,), \"int32\")):\n    with T.attr(0, \"async_commit_queue_scope\", 0):\n        A[0] = 1\n",
      "the function ends, and its caller sees 'A'");
}

TEST_F(CheckInFlight, TheFirstIterationHasNoneBefore) {
  // Iteration i waits behind its use: what iteration 0 uses is in flight.
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    t = T.alloc_buffer((8,), "int32")
    for j in range(8):
        t[j] = 0
    with T.attr(0, "async_commit_queue_scope", 0):
        for j in range(8):
            t[j] = A[j]
    for i in range(8):
        %B[i] = t[i]
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", 0):
            T.evaluate(0)
)";
  auto with = [&](const char* guard) {
    std::string out = text;
    return out.replace(out.find('%'), 1, guard);
  };
  refuted(with(""), "t[0] is read while");
  proved(with("if i > 0:\n            "));
}

TEST_F(CheckInFlight, NoNegativeNumberIsLeft) {
  const std::string text = R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.attr(0, "async_wait_queue_scope", 0), T.attr(0, "async_wait_inflight_count", i - %):
            B[i] = 1
)";
  auto with = [&](const char* least) {
    std::string out = text;
    return out.replace(out.find('%'), 1, least);
  };
  proved(with("0"));
  refuted(with("1"), "a wait that leaves -1 groups in flight");
}

}  // namespace check_in_flight_test
}  // namespace hexproof
