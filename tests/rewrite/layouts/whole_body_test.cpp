// Programs without blocks: "root" is the whole body, and loops go by the names of their variables.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace whole_body_test {

Derivation scheduled(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  return derivation;
}
std::string failure(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const Error& e) {
    EXPECT_EQ(print(derivation.current()), print(derivation.source()));
    return e.what();
  }
  ADD_FAILURE() << "nothing failed\n" << print(derivation.current());
  return "";
}
void expect_result(const std::string& program, const std::string& schedule, const std::string& expected) {
  Derivation derivation = scheduled(program, schedule);
  expect_program(derivation.current(), expected);
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "");
}

constexpr const char* kFill = R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 0
    for i in range(16):
        A[i] = 1
)";

TEST(WholeBody, LoopsByName) {
  expect_result(kFill, "sch.merge_adjacent_loops(sch.get_loop('i', 0), sch.get_loop('i', index=1))\n", R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 0
        A[i] = 1
)");
  Derivation split = scheduled(R"(
def main(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 0
)",
                               "sch.split(sch.get_loop('i'), [4, 4])\n");
  EXPECT_NE(print(split.current()).find("T.grid(4, 4)"), std::string::npos) << print(split.current());
}

TEST(WholeBody, LoopsThatAreNotThere) {
  std::string message = failure(kFill, "sch.get_loop('i')\n");
  EXPECT_NE(message.find("there are 2 loops over 'i'"), std::string::npos) << message;
  EXPECT_NE(message.find("get_loop(\"i\", 0)"), std::string::npos) << message;
  message = failure(kFill, "sch.get_loop('i', 2)\n");
  EXPECT_NE(message.find("no loop number 2"), std::string::npos) << message;
  message = failure(kFill, "sch.get_loop('i', -1)\n");
  EXPECT_NE(message.find("no loop number -1"), std::string::npos) << message;
  message = failure(kFill, "sch.get_loop('j')\n");
  EXPECT_NE(message.find("no loop over 'j'"), std::string::npos) << message;
  EXPECT_NE(message.find("did you mean 'i'?"), std::string::npos) << message;
}

TEST(WholeBody, Layouts) {
  expect_result(R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    T_cache = T.alloc_buffer((16,), "int32")
    for i in range(16):
        T_cache[i] = A[i]
    for i in range(16):
        B[i] = T_cache[i]
)",
                "sch.transform_layout('root', 'T_cache', lambda i: [i // 4, i % 4])\n", R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    T_cache = T.alloc_buffer((4, 4), "int32")
    for i in range(16):
        T_cache[i // 4, i % 4] = A[i]
    for i in range(16):
        B[i] = T_cache[i // 4, i % 4]
)");
}

constexpr const char* kSum = R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A[i]
)";

constexpr const char* kHereAndThere = R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(3):
        A[i] = A[i + 1]
    for i in range(2):
        B[i * 2] = 1
)";

// A program without blocks gets copies without blocks.
TEST(WholeBody, Caches) {
  expect_result(kSum, "b = sch.cache_read('root', 'A', 'local')\nsch.transform_layout(b, 'A_local', lambda i: [i])\n",
                R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    A_local = T.alloc_buffer((14,), "int32", scope="local")
    for ax0 in range(14):
        A_local[ax0] = A[ax0]
    B[0] = 0
    for i in range(14):
        B[0] = B[0] + A_local[i]
)");
  expect_result(kSum, "sch.cache_write(sch.get_block('root'), 'B', 'local')\n", R"(
def main(A: T.Buffer((14,), "int32"), B: T.Buffer((1,), "int32")):
    B_local = T.alloc_buffer((1,), "int32", scope="local")
    B_local[0] = 0
    for i in range(14):
        B_local[0] = B_local[0] + A[i]
    for ax0 in range(1):
        B[ax0] = B_local[ax0]
)");
  // What is written only here and there is copied back there.
  expect_result(kHereAndThere, "sch.cache_write('root', 'B', 'local')\n", R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    B_local = T.alloc_buffer((4,), "int32", scope="local")
    for i in range(3):
        A[i] = A[i + 1]
    for i in range(2):
        B_local[i * 2] = 1
    for ax0 in range(3):
        if ax0 % 2 == 0:
            B[ax0] = B_local[ax0]
)");
}

TEST(WholeBody, CachesThatWouldBeWrong) {
  auto run = [](const char* program, const std::string& schedule) {
    Derivation derivation(parse(program));
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  };
  // The copy would be older than what the body reads.
  EXPECT_THROW(run(kHereAndThere, "sch.cache_read('root', 'A', 'local')\n"), PrimitiveRefused);
  // Where it is written depends on data: which cells to copy back nobody can say.
  EXPECT_THROW(run(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 0:
            B[i] = 1
)",
                   "sch.cache_write('root', 'B', 'local')\n"),
               Error);
}

constexpr const char* kBranches = R"(
def main(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        if i == 0 and j < 2:
            A[i, j] = 0
    for i, j in T.grid(4, 4):
        A[i, j] = A[i, j]
)";

TEST(WholeBody, Passes) {
  expect_result(kBranches, R"(
sch.remove_no_op("root")
sch.hoist_expression("root", loop=sch.get_loop("j"))
sch.reduce_loop_extents("root")
)",
                R"(
def main(A: T.Buffer((4, 4), "int32")):
    for j in range(2):
        A[0, j] = 0
)");
  expect_result(R"(
def main(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        if i * 4 + j < 14:
            A[i, j] = 7
    for i, j in T.grid(4, 4):
        if i == 3 and j >= 2:
            A[i, j] = 0
)",
                "sch.remove_branching_through_overcompute('root')\n", R"(
def main(A: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(4, 4):
        A[i, j] = 7
    for i, j in T.grid(4, 4):
        if i == 3 and j >= 2:
            A[i, j] = 0
)");
}

TEST(WholeBody, WhatNeedsABlock) {
  for (const char* schedule : {"sch.eliminate_branch('root')\n", "sch.compute_at('root', sch.get_loop('i', 0))\n",
                               "sch.decompose_reduction('root', sch.get_loop('i', 0))\n"}) {
    std::string message = failure(kFill, schedule);
    EXPECT_NE(message.find("needs a block"), std::string::npos) << message;
  }
  EXPECT_TRUE(scheduled(kFill, "assert_none = sch.get_loops('root')\n").steps().empty());
}

// A block of that name is that block.
TEST(WholeBody, ABlockNamedRoot) {
  Derivation derivation = scheduled(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    with T.block("root"):
        for i in range(4):
            A[i] = A[i]
    for i in range(4):
        B[i] = B[i]
)",
                                    "sch.remove_no_op('root')\n");
  std::string text = print(derivation.current());
  EXPECT_EQ(text.find("A[i]"), std::string::npos) << text;
  EXPECT_NE(text.find("B[i] = B[i]"), std::string::npos) << text;
}

}  // namespace whole_body_test
}  // namespace hexproof
