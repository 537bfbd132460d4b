// Groups of asynchronous copies and waits: how they are read and printed, and where they may not stand.
#include "ir/notes/async_queues.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {
namespace async_queues_test {

PrimFunc read(const std::string& body) {
  IRModule module = parse_module(
      "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\"), n: T.int32):\n" + body);
  return module.functions.at(0);
}

/// The message of the error that the text is, or empty.
std::string defect(const std::string& body) {
  try {
    read(body);
    return "";
  } catch (const Error& e) {
    EXPECT_TRUE(e.span) << body;
    return e.what();
  }
}
void expect_defect(const std::string& body, const std::string& what) {
  EXPECT_NE(defect(body).find(what), std::string::npos) << body << defect(body);
}

const std::string kCommit = "    with T.attr(0, \"async_commit_queue_scope\", 3):\n";
const std::string kWait =
    "    with T.attr(0, \"async_wait_queue_scope\", 3), T.attr(0, \"async_wait_inflight_count\", 0):\n";

std::string indented(const std::string& lines, int by) {
  std::string out;
  for (size_t at = 0; at < lines.size();) {
    size_t end = lines.find('\n', at) + 1;
    out += std::string(static_cast<size_t>(by), ' ') + lines.substr(at, end - at);
    at = end;
  }
  return out;
}

TEST(AsyncQueues, ReadPrintedAndReadAgain) {
  for (bool scope : {false, true}) {
    PrimFunc func = read(
        kCommit +
        (scope ? "        with T.attr(0, \"async_scope\", 1):\n            B[0] = A[0]\n" : "        B[0] = A[0]\n") +
        "    for i in range(n):\n" +
        "        with T.attr(0, \"async_wait_queue_scope\", 3):\n"
        "            with T.attr(0, \"async_wait_inflight_count\", i + 1):\n"
        "                A[1] = 2\n                A[2] = 3\n");
    size_t groups = 0, waits = 0;
    visit_stmt(func.body, [&](const Stmt& s) {
      if (const AsyncCommit* group = s.as<AsyncCommit>()) groups += group->queue == 3 && group->body.as<Store>();
      if (const AsyncWait* wait = s.as<AsyncWait>()) waits += wait->queue == 3 && wait->body.as<Seq>();
      EXPECT_FALSE(s.as<AttrStmt>());
      return true;
    });
    EXPECT_EQ(groups, 1u);
    EXPECT_EQ(waits, 1u);
    const std::string text = print(func);
    EXPECT_NE(text.find("\"async_scope\", 1"), std::string::npos) << text;
    EXPECT_TRUE(same_program(func, parse_module(text).functions.at(0))) << text;
    EXPECT_EQ(print(parse_module(text).functions.at(0)), text);
  }
}

TEST(AsyncQueues, TheCountIsSubstituted) {
  PrimFunc func = read(
      "    for i in range(4):\n        with T.attr(0, \"async_wait_queue_scope\", 0), T.attr(0, "
      "\"async_wait_inflight_count\", i):\n            A[0] = 1\n");
  const For& loop = *func.body.as<For>();
  Stmt body = substitute(loop.body, VarMap{{loop.var, i32(7)}});
  EXPECT_TRUE(is_int(body.as<AsyncWait>()->inflight, 7));
  EXPECT_FALSE(same_program(func, read("    for i in range(4):\n        A[0] = 1\n")));
}

TEST(AsyncQueues, WhereTheyMayNotStand) {
  const std::string store = "        A[0] = 1\n";
  EXPECT_EQ(defect(kCommit + store + kWait + store), "");
  expect_defect(kCommit + indented(kCommit + store, 4), "in another group");
  expect_defect(kCommit + indented(kWait + store, 4), "in another group");
  for (const char* loop : {"T.parallel(4)", "T.vectorized(4)", "T.thread_binding(4, thread=\"threadIdx.x\")"}) {
    for (const std::string& scope : {kCommit, kWait}) {
      expect_defect("    for i in " + std::string(loop) + ":\n" + indented(scope + store, 4), "run at once");
    }
  }
  EXPECT_EQ(defect("    for i in T.unroll(4):\n" + indented(kCommit + store, 4)), "");
  EXPECT_EQ(defect(kCommit + "        for i in T.parallel(4):\n            A[i] = 1\n"), "");
  expect_defect(kCommit + "        t = T.alloc_buffer((4,), \"int32\")\n        t[0] = 1\n", "allocated in a group");
  expect_defect(
      "    with T.attr(0, \"async_wait_queue_scope\", 3), T.attr(0, \"async_wait_inflight_count\", A[0]):\n" + store,
      "depends on what memory holds");
  expect_defect("    with T.attr(0, \"async_scope\", 1):\n" + store, "outside of the scope that it belongs to");
  expect_defect("    with T.attr(0, \"async_wait_inflight_count\", 1):\n" + store,
                "outside of the scope that it belongs to");
  expect_defect("    with T.attr(0, \"async_wait_queue_scope\", 1):\n" + store, "how many groups it leaves");
  expect_defect("    with T.attr(0, \"async_commit_queue_scope\", -1):\n" + store, "a queue is a number");
}

TEST(AsyncQueues, OtherKeysAreNotModelled) {
  for (const char* key : {"async_anything", "software_pipeline_stage"}) {
    EXPECT_THROW(read("    with T.attr(0, \"" + std::string(key) + "\", 1):\n        A[0] = 1\n"), Unsupported);
  }
}

}  // namespace async_queues_test
}  // namespace hexproof
