// Loops and shapes of narrow types: a region, a box or an extent that the type of an index does not hold. And blocks
// that use the variables of the loops around them beside their own.
#include "tests/rewrite/support.h"

namespace hexproof {
namespace narrow_types_test {

/// A buffer that `first` iterations fill, read by a loop of a narrow type too.
std::string filled(const std::string& size, const std::string& type, const std::string& least,
                   const std::string& extent) {
  return "def main(B: T.Buffer((" + size + ",), \"int32\")):\n    A = T.alloc_buffer((" + size +
         ",), \"int32\")\n    for i in range(" + least + ", " + size +
         " - 10):\n        A[i] = i\n    for i in T.serial(T." + type + "(" + least + "), T." + type + "(" + extent +
         ")):\n        B[i] = A[i]\n";
}

TEST(NarrowTypes, ACompactedBufferThatTheIndexTypeDoesNotReach) {
  for (const char* type : {"int8", "int16", "int32", "int64"}) {
    expect_applies(filled("300", type, "0", "100"), "compact-buffer", {{"buffer", std::string("A")}}, "");
    expect_applies(filled("300", type, "5", "100"), "compact-buffer", {{"buffer", std::string("A")}}, "");
  }
  expect_applies(filled("1000", "uint8", "0", "255"), "compact-buffer", {{"buffer", std::string("A")}}, "");
  expect_applies(filled("40000", "int16", "0", "32767"), "compact-buffer", {{"buffer", std::string("A")}}, "");
}

TEST(NarrowTypes, ARegionThatIsTooSmallIsRefused) {
  // The loop of the narrow type leaves the part that the other loop uses.
  PrimFunc func = parse(R"(
def main(B: T.Buffer((300,), "int32")):
    A = T.alloc_buffer((300,), "int32")
    for i in range(290):
        A[i] = i
    for i in T.serial(T.int8(0), T.int8(100)):
        B[i] = A[i]
)");
  std::optional<Refused> refused = refusal(
      func, "compact-buffer",
      {{"buffer", std::string("A")}, {"base", std::vector<Expr>{i32(200)}}, {"extent", std::vector<Expr>{i32(90)}}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->answer.verdict, Verdict::Refuted) << refused->what();
}

TEST(NarrowTypes, CachesOfMixedIndices) {
  std::string text = R"(
def main(A: T.Buffer((300,), "int32"), B: T.Buffer((300,), "int32")):
    for i in T.serial(T.int8(0), T.int8(100)):
        for j in range(200):
            with T.block("b"):
                v = T.axis.spatial(T.int8(100), i)
                w = T.axis.opaque(290, j)
                B[w] = A[v] + A[w + 90]
)";
  expect_applies(text, "cache-read", {{"block", nth<Block>(parse(text))}, {"buffer", std::string("A")}}, "");
}

TEST(NarrowTypes, ALayoutWhoseBoxTheShapeTypeDoesNotHold) {
  std::string text = R"(
def main(A: T.Buffer((T.int8(100),), "int32"), B: T.Buffer((T.int8(100),), "int32")):
    for i in T.serial(T.int8(0), T.int8(100)):
        B[i] = A[i]
)";
  PrimFunc func = parse(text);
  Var i = Var::fresh("i", kInt32);
  PrimFunc after = applied(
      func, "transform-layout",
      {{"buffer", std::string("A")}, {"map", IndexMap{{i}, {Expr(i) * i32(2)}, {}}}, {"pad_value", int64_t{0}}});
  EXPECT_EQ(int_value(after.buffer_params()[0]->shape[0]), 199);
}

Args decompose(const std::string& text, const std::string& loop) {
  PrimFunc func = parse(text);
  return {{"at", nth<Block>(func)}, {"loop", loop_named(func, loop)}};
}

TEST(LoopVariables, OfAnInit) {
  expect_applies(R"(
def main(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 8):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = i
            C[vi] = C[vi] + A[vi, vk] * i
)",
                 "decompose-reduction",
                 decompose(R"(
def main(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8,), "int32")):
    for i, k in T.grid(8, 8):
        with T.block("s"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                C[vi] = i
            C[vi] = C[vi] + A[vi, vk] * i
)",
                           "i"),
                 R"(
def main(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8,), "int32")):
    for i_init in range(8):
        with T.block("s_init"):
            vi_init = T.axis.spatial(8, i_init)
            C[vi_init] = i_init
    for i, k in T.grid(8, 8):
        with T.block("s_update"):
            vi, vk = T.axis.remap("SR", [i, k])
            C[vi] = C[vi] + A[vi, vk] * i
)");
}

// The variable of a reduction's loop stands at its start where the init runs.
TEST(LoopVariables, OfAReductionInAnInit) {
  const char* text = R"(
def main(A: T.Buffer((9, 9), "int32"), C: T.Buffer((9,), "int32")):
    for i in range(8):
        for k in range(2, 8):
            with T.block("s"):
                vi = T.axis.spatial(9, i + 1)
                vk = T.axis.reduce((2, 8), k)
                with T.init():
                    C[i + 1] = A[i, k] + k
                C[vi] = C[vi] + A[vi, vk]
)";
  for (const char* loop : {"i", "k"}) expect_applies(text, "decompose-reduction", decompose(text, loop), "");
}

TEST(LoopVariables, InALoopOfAnInitAndInADomain) {
  const char* text = R"(
def main(A: T.Buffer((9, 9), "int32"), C: T.Buffer((9, 9), "int32")):
    for i in range(8):
        for k in range(8):
            with T.block("s"):
                vi = T.axis.spatial((0, i + 1), i)
                vk = T.axis.reduce(8, k)
                with T.init():
                    for j in range(i + 1):
                        C[vi, j] = j + i
                for j in range(i + 1):
                    C[vi, j] = C[vi, j] + A[vi, vk]
)";
  for (const char* loop : {"i", "k"}) expect_applies(text, "decompose-reduction", decompose(text, loop), "");
}

std::string producer(const std::string& binding, const std::string& value) {
  return R"(
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    t = T.alloc_buffer((64,), "int32")
    for i in range(63):
        with T.block("p"):
            v = T.axis.spatial(64, )" +
         binding + R"()
            t[v] = )" +
         value + R"(
    for j in range(63):
        with T.block("c"):
            v = T.axis.spatial(64, )" +
         (binding == "i" ? "j" : "j + 1") + R"()
            B[v] = t[v]
)";
}

Args at_j(const std::string& text) { return {{"block", std::string("p")}, {"loop", loop_named(parse(text), "j")}}; }

TEST(LoopVariables, OfAProducerThatMoves) {
  std::string text = producer("i", "A[i] + i");
  expect_applies(text, "compute-at", at_j(text), R"(
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    t = T.alloc_buffer((64,), "int32")
    for j in range(63):
        with T.block("p"):
            v = T.axis.spatial(64, j)
            t[v] = A[v] + v
        with T.block("c"):
            v = T.axis.spatial(64, j)
            B[v] = t[v]
)");
}

TEST(LoopVariables, OfAProducerWithAnInit) {
  std::string text = R"(
def main(A: T.Buffer((64, 8), "int32"), B: T.Buffer((64,), "int32")):
    t = T.alloc_buffer((64,), "int32")
    for i in range(64):
        for k in range(8):
            with T.block("p"):
                v = T.axis.spatial(64, i)
                w = T.axis.reduce(8, k)
                with T.init():
                    t[v] = i + k
                t[v] = t[v] + A[i, k]
    for j in range(64):
        with T.block("c"):
            v = T.axis.spatial(64, j)
            B[v] = t[v]
)";
  expect_applies(text, "compute-at", at_j(text), "");
}

// The loop's variable is not the block's: there is nothing to put in its place.
TEST(LoopVariables, OfAShiftedProducerStayWhereTheyAre) {
  std::string text = producer("i + 1", "A[i] + i");
  EXPECT_TRUE(not_applicable(parse(text), "compute-at", at_j(text)));
  std::string own = producer("i + 1", "A[v - 1] + v - 1");
  expect_applies(own, "compute-at", at_j(own), "");
}

}  // namespace narrow_types_test
}  // namespace hexproof
