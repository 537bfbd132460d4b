#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace sink_alloc_test {

Args sink(const std::string& buffer) { return {{"buffer", buffer}}; }

TEST(SinkAlloc, IntoTheLoop) {
  expect_applies(R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(4):
        for j in range(8):
            C[j] = A[i, j]
        for j in range(8):
            B[i, j] = C[7 - j]
)",
                 "sink-alloc", sink("C"), R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    for i in range(4):
        C = T.alloc_buffer((8,), "int32")
        for j in range(8):
            C[j] = A[i, j]
        for j in range(8):
            B[i, j] = C[7 - j]
)");
}

TEST(SinkAlloc, AccumulatorThatIsCleared) {
  expect_applies(R"(
def main(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4,), "float32")):
    C = T.alloc_buffer((4,), "float32")
    for i in range(4):
        C[i] = T.float32(0)
        for j in range(8):
            C[i] = C[i] + A[i, j]
        B[i] = C[i]
)",
                 "sink-alloc", sink("C"), "");
}

// The running sum goes from one iteration to the next.
TEST(SinkAlloc, Condition2AValueThatFlowsOn) {
  PrimFunc flows = parse(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    for i in range(4):
        if i == 0:
            C[0] = 0
        C[0] = C[0] + A[i]
        B[i] = C[0]
)");
  expect_refused_rightly(flows, "sink-alloc", sink("C"), "was written here before");
  expect_applies(R"(
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    for i in range(4):
        if i >= 0:
            C[0] = 0
        C[0] = C[0] + A[i]
        B[i] = C[0]
)",
                 "sink-alloc", sink("C"), "");
}

// The last cell is written in the first iteration only.
TEST(SinkAlloc, Condition2OneCellTooFew) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(4):
        for j in range(8):
            if i == 0 or j < 7:
                C[j] = A[i, j]
        for j in range(8):
            B[i, j] = C[j]
)"),
                         "sink-alloc", sink("C"), "was written here before");
}

TEST(SinkAlloc, DoesNotApply) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for j in range(8):
        C[j] = 0
    for i in range(4):
        for k in range(8):
            B[i, k] = C[k]
)");
  EXPECT_TRUE(not_applicable(func, "sink-alloc", sink("A")));
  EXPECT_TRUE(not_applicable(func, "sink-alloc", sink("C")));
}

// What is written outside of the loop would be another memory.
TEST(SinkAlloc, Condition1AUseOutsideOfTheLoop) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for j in range(8):
        C[j] = 0
    for i in range(4):
        for k in range(8):
            B[i, k] = C[k]
)");
  EXPECT_TRUE(not_applicable(func, "sink-alloc", {{"buffer", std::string("C")}, {"loop", std::string("i")}}));
  EXPECT_NE(difference(func, parse(R"(
def wrong(A: T.Buffer((4, 8), "int32"), B: T.Buffer((4, 8), "int32")):
    D = T.alloc_buffer((8,), "int32")
    for j in range(8):
        D[j] = 0
    for i in range(4):
        C = T.decl_buffer((8,), "int32")
        for k in range(8):
            B[i, k] = C[k]
)")),
            "");
}

TEST(SinkAlloc, Condition2NoVectorizedLoop) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in T.vectorized(8):
        C[i] = A[i]
        B[i] = C[i]
)");
  expect_not_applicable(func, "sink-alloc", {{"buffer", std::string("C")}, {"loop", std::string("i")}}, "vectorized");
}

}  // namespace sink_alloc_test
}  // namespace hexproof
