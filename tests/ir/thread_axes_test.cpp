// What loops over thread axes mean in TVM and parallel loops do not is not read as parallel loops.
#include "ir/notes/thread_axes.h"

#include <gtest/gtest.h>

#include "ir/text/text.h"

namespace hexproof {
namespace thread_axes_test {

/// "unsupported", or empty.
std::string reading(const std::string& body) {
  const std::string text = "@T.prim_func\ndef f(A: T.Buffer((16,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n" + body;
  try {
    parse_module(text);
    return "";
  } catch (const Unsupported& e) {
    EXPECT_TRUE(e.span) << text;
    return "unsupported";
  }
}

TEST(ThreadAxes, OneVariableForAllLoopsOfAKernel) {
  const std::string inner =
      "        for j in T.thread_binding(4, thread=\"threadIdx.x\"):\n            A[i * 4 + j] = 1\n";
  EXPECT_EQ(reading("    for i in T.thread_binding(4, thread=\"blockIdx.x\"):\n" + inner), "");
  EXPECT_EQ(reading("    for i in T.thread_binding(4, thread=\"threadIdx.x\"):\n" + inner), "unsupported");
  const std::string again =
      "        for k in T.thread_binding(4, thread=\"threadIdx.x\"):\n            A[i * 4 + k] = 2\n";
  EXPECT_EQ(reading("    for i in T.thread_binding(4, thread=\"blockIdx.x\"):\n" + inner + again), "unsupported");
}

TEST(ThreadAxes, ThreadsThatWouldWait) {
  const std::string blocks = "    for i in T.thread_binding(4, thread=\"blockIdx.x\"):\n";
  EXPECT_EQ(reading(blocks + R"(        for k in range(2):
            for j in T.thread_binding(4, thread="threadIdx.x"):
                A[i * 4 + j] = A[i * 4 + (j + k) % 4]
)"),
            "unsupported");
  EXPECT_EQ(reading(blocks + R"(        for j in T.thread_binding(4, thread="threadIdx.x"):
            A[i * 4 + j] = 1
        for k in T.thread_binding(4, thread="threadIdx.y"):
            A[i * 4 + k] = 2
)"),
            "unsupported");
  EXPECT_EQ(reading(blocks + R"(        if i > 1:
            for j in T.thread_binding(4, thread="threadIdx.x"):
                for k in range(2):
                    A[i * 4 + j] = k
)"),
            "");
}

TEST(ThreadAxes, LoopsBesideEachOtherAreKernelsOfTheirOwn) {
  EXPECT_EQ(reading(R"(    for i in T.thread_binding(16, thread="threadIdx.x"):
        A[i] = 1
    for i in T.thread_binding(8, thread="threadIdx.x"):
        A[i] = 2
)"),
            "");
}

TEST(ThreadAxes, MemoryThatThreadsShare) {
  for (const auto& [scope, want] : {std::pair{"shared", "unsupported"}, {"local", "unsupported"}, {"global", ""}}) {
    EXPECT_EQ(reading("    C = T.alloc_buffer((16,), \"int32\", scope=\"" + std::string(scope) + R"(")
    for i in T.thread_binding(16, thread="threadIdx.x"):
        C[i] = 1
        A[i] = C[i]
)"),
              want)
        << scope;
  }
  EXPECT_EQ(reading(R"(    for i in T.thread_binding(16, thread="threadIdx.x"):
        C = T.alloc_buffer((1,), "int32", scope="local")
        C[0] = 1
        A[i] = C[0]
)"),
            "");
}

TEST(ThreadAxes, ReductionsOverThreads) {
  const std::string text = R"(    for i in T.KIND:
        with T.block("sum"):
            k = T.axis.reduce(16, i)
            with T.init():
                B[0] = 0
            B[0] = B[0] + A[k]
)";
  auto of_kind = [&](const std::string& kind) {
    std::string out = text;
    return reading(out.replace(out.find("T.KIND"), 6, kind));
  };
  EXPECT_EQ(of_kind("T.serial(16)"), "");
  EXPECT_EQ(of_kind("T.thread_binding(16, thread=\"threadIdx.x\")"), "unsupported");
}

TEST(ThreadAxes, MemoryOfABlockInsideOfALoopOverItsThreads) {
  auto with = [](const std::string& axis, const std::string& scope) {
    return reading("    for i in T.thread_binding(16, thread=\"" + axis +
                   "\"):\n        S = T.alloc_buffer((1,), \"int32\", scope=\"" + scope +
                   "\")\n        S[0] = A[i]\n        A[i] = S[0] + 1\n");
  };
  EXPECT_EQ(with("threadIdx.x", "shared"), "unsupported");
  EXPECT_EQ(with("threadIdx.x", "local"), "");
  EXPECT_EQ(with("blockIdx.x", "shared"), "");
}

}  // namespace thread_axes_test
}  // namespace hexproof
