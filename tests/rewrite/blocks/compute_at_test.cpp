#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace compute_at_test {

Args at(const std::string& block, const std::string& loop) { return {{"block", block}, {"loop", loop}}; }

/// A producer over 18 cells, a consumer that reads a window of three; `%P` and `%C` are the bodies of the blocks.
constexpr const char* kStencil = R"(
def main(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    P = T.alloc_buffer((18,), "float32")
    for i in range(18):
        with T.block("P"):
            vi = T.axis.spatial(18, i)
            P[vi] = A[vi] * T.float32(2)
    for io, ii in T.grid(4, 4):
        with T.block("C"):
            vi = T.axis.spatial(16, io * 4 + ii)
            B[vi] = P[vi] + P[vi + 1] + P[vi + 2]
)";

TEST(ComputeAt, ComputesTheWindow) {
  expect_applies(kStencil, "compute-at", at("P", "io"), R"(
def main(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    P = T.alloc_buffer((18,), "float32")
    for io in range(4):
        for ax0 in range(6):
            with T.block("P"):
                vi = T.axis.spatial(18, io * 4 + ax0)
                P[vi] = A[vi] * T.float32(2)
        for ii in range(4):
            with T.block("C"):
                vi = T.axis.spatial(16, io * 4 + ii)
                B[vi] = P[vi] + P[vi + 1] + P[vi + 2]
)");
  expect_applies(kStencil, "compute-at", at("P", "ii"), "");
}

TEST(ComputeAt, ReductionIsComputedAgainFromItsInit) {
  const char* func = R"(
def main(A: T.Buffer((8, 5), "float32"), F: T.Buffer((8, 5), "float32"), B: T.Buffer((3, 8), "float32")):
    P = T.alloc_buffer((8,), "float32")
    for i, k in T.grid(8, 5):
        with T.block("P"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                P[vi] = T.float32(0)
            P[vi] = P[vi] + A[vi, vk] * F[vi, vk]
    for r, j in T.grid(3, 8):
        with T.block("C"):
            vr, vj = T.axis.remap("SS", [r, j])
            B[vr, vj] = P[7 - vj]
)";
  expect_applies(func, "compute-at", at("P", "r"), "");
  expect_applies(func, "compute-at", at("P", "j"), R"(
def main(A: T.Buffer((8, 5), "float32"), F: T.Buffer((8, 5), "float32"), B: T.Buffer((3, 8), "float32")):
    P = T.alloc_buffer((8,), "float32")
    for r, j in T.grid(3, 8):
        for ax0 in range(5):
            with T.block("P"):
                vi = T.axis.spatial(8, 0 - j + 7)
                vk = T.axis.reduce(5, ax0)
                with T.init():
                    P[vi] = T.float32(0)
                P[vi] = P[vi] + A[vi, vk] * F[vi, vk]
        with T.block("C"):
            vr, vj = T.axis.remap("SS", [r, j])
            B[vr, vj] = P[7 - vj]
)");
}

// Without an init the sum would go on in the next iteration.
TEST(ComputeAt, Condition6AnAccumulationMayNotRunTwice) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((8, 5), "int32"), B: T.Buffer((3, 8), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        P[i] = 0
    for i, k in T.grid(8, 5):
        with T.block("P"):
            vi, vk = T.axis.remap("SR", [i, k])
            P[vi] = P[vi] + A[vi, vk]
    for r, j in T.grid(3, 8):
        B[r, j] = P[j]
)");
  EXPECT_TRUE(not_applicable(func, "compute-at", at("P", "r")));
}

// The box has a constant size: for the last tile it would leave the producer's domain.
TEST(ComputeAt, Condition3ABoxBeyondTheProducer) {
  PrimFunc func = parse(R"(
def main(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    P = T.alloc_buffer((10,), "int32")
    for i in range(10):
        with T.block("P"):
            vi = T.axis.spatial(10, i)
            P[vi] = A[vi]
    for io in range(3):
        for ii in range(4):
            if io * 4 + ii < 10:
                B[io * 4 + ii] = P[io * 4 + ii]
)");
  expect_refused_rightly(func, "compute-at", at("P", "io"), "was computed by the producer before");
}

// The consumer overwrites what the producer reads: computed later, it sees new values.
constexpr const char* kInPlace = R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = A[vi%SRC] + 1
    for j in range(8):
        A[7 - j] = P[j] + B[j]
)";
PrimFunc in_place(const std::string& source) {
  std::string text = kInPlace;
  return parse(text.replace(text.find("%SRC"), 4, source));
}

TEST(ComputeAt, Condition4AnInputThatTheConsumerOverwrites) {
  expect_refused_rightly(in_place(""), "compute-at", at("P", "j"), "is not overwritten on the way");
  PrimFunc apart = in_place(" + 8");
  EXPECT_EQ(difference(apart, applied(apart, "compute-at", at("P", "j"))), "");
}

TEST(ComputeAt, Condition4AnInputThatIsOverwrittenInBetween) {
  expect_refused_rightly(parse(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = A[vi]
    for i in range(8):
        A[i] = 0
    for j in range(8):
        B[j] = P[j]
)"),
                         "compute-at", at("P", "j"), "is not overwritten on the way");
}

// The producer fills a part only, and the box that is found covers all reads of all iterations.
TEST(ComputeAt, TwoReadersInOneBody) {
  expect_applies(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = A[vi]
    for j in range(4):
        B[j] = 3
        B[j] = P[j * 2]
        C[j] = P[j * 2 + 1]
)",
                 "compute-at", at("P", "j"), R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for j in range(4):
        B[j] = 3
        for ax0 in range(2):
            with T.block("P"):
                vi = T.axis.spatial(8, j * 2 + ax0)
                P[vi] = A[vi]
        B[j] = P[j * 2]
        C[j] = P[j * 2 + 1]
)");
}

TEST(ComputeAt, DoesNotApply) {
  PrimFunc stencil = parse(kStencil);
  EXPECT_TRUE(not_applicable(stencil, "compute-at", at("P", "x")));
  EXPECT_TRUE(not_applicable(stencil, "compute-at", at("C", "io")));
  EXPECT_TRUE(not_applicable(stencil, "compute-at", at("P", "i")));
  auto refuses = [](const std::string& text, const std::string& loop) {
    return not_applicable(parse(text), "compute-at", at("P", loop));
  };
  // Iterations that run at the same time would share the buffer.
  EXPECT_TRUE(refuses(R"(
def main(B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = vi
    for j in T.parallel(8):
        B[j] = P[j // 2]
)",
                      "j"));
  // A value that is chosen anew may not be computed twice.
  EXPECT_TRUE(refuses(R"(
def main(B: T.Buffer((2, 8), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = T.undef(dtype="int32")
    for r, j in T.grid(2, 8):
        B[r, j] = P[j]
)",
                      "r"));
  // The producer reads a cell that another instance wrote.
  EXPECT_TRUE(refuses(R"(
def main(B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    P[0] = 0
    for i in range(7):
        with T.block("P"):
            vi = T.axis.spatial(7, i)
            P[vi + 1] = P[vi] + 1
    for j in range(8):
        B[j] = P[j]
)",
                      "j"));
  // Loops whose length depends on another loop, or on memory.
  EXPECT_TRUE(refuses(R"(
def main(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        for k in range(i + 1):
            with T.block("P"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(8, k)
                with T.init():
                    P[vi] = 0
                P[vi] = P[vi] + A[vi, vk]
    for j in range(8):
        B[j] = P[j]
)",
                      "j"));
  EXPECT_TRUE(refuses(R"(
def main(A: T.Buffer((8, 8), "int32"), N: T.Buffer((1,), "int32"), B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        for k in range(N[0]):
            with T.block("P"):
                vi = T.axis.spatial(8, i)
                vk = T.axis.reduce(8, k)
                with T.init():
                    P[vi] = 0
                P[vi] = P[vi] + A[vi, vk]
    for j in range(8):
        B[j] = P[j]
)",
                      "j"));
  // Reductions that would run in another order.
  EXPECT_TRUE(refuses(R"(
def main(A: T.Buffer((4, 3, 2), "float32"), B: T.Buffer((4,), "float32")):
    P = T.alloc_buffer((4,), "float32")
    for i, l, k in T.grid(4, 2, 3):
        with T.block("P"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(3, k)
            vl = T.axis.reduce(2, l)
            with T.init():
                P[vi] = T.float32(0)
            P[vi] = P[vi] + A[vi, vk, vl]
    for j in range(4):
        B[j] = P[j]
)",
                      "j"));
}

// A cell that two iterations compute could be rounded in two ways.
TEST(ComputeAt, Condition7OpenRoundingOnlyWhereNoCellIsComputedTwice) {
  const std::string stencil = kStencil;
  auto program = [](std::string text, const std::string& value, const std::string& granted) {
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"A[vi] * T.float32(2)", value},
          std::pair<std::string, std::string>{
              "    P = T.alloc", "    T.func_attr({\"hexproof.fp\": \"" + granted + "\"})\n    P = T.alloc"}}) {
      text.replace(text.find(from), from.size(), to);
    }
    return parse(text);
  };
  const std::string sum = "A[vi] * A[vi] + A[vi]";
  for (const char* granted : {"contract", "reassoc"}) {
    PrimFunc shared = program(stencil, sum, granted);
    std::optional<Refused> refused = refusal(shared, "compute-at", at("P", "io"));
    ASSERT_TRUE(refused);
    EXPECT_NE(refused->obligation.why.find("no cell is computed in two iterations"), std::string::npos);
    std::string apart = stencil;
    apart.replace(apart.find(" + P[vi + 1] + P[vi + 2]"), 24, "");
    applied(program(apart, sum, granted), "compute-at", at("P", "io"));
    applied(program(apart, sum, granted), "compute-at", at("P", "ii"));
  }
  applied(program(stencil, "A[vi] * A[vi]", "contract"), "compute-at", at("P", "io"));  // rounded in one way
  applied(program(stencil, sum, "nnan"), "compute-at", at("P", "io"));
}

// Another reader outside of the loop would find cells that nobody computed, once the buffer is as small as its tile.
TEST(ComputeAt, Condition1AnotherReader) {
  PrimFunc func = parse(R"(
def main(B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = vi
    for j in range(8):
        B[j] = P[j]
    for k in range(8):
        C[k] = P[k]
)");
  expect_not_applicable_rightly(func, "compute-at", at("P", "j"), "is read outside of the loop, too", R"(
def main(B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for j in range(8):
        P[0] = j
        B[j] = P[0]
    for k in range(8):
        C[k] = P[k]
)");
}

// Another writer: the producer would come after it.
TEST(ComputeAt, Condition1AnotherWriter) {
  PrimFunc func = parse(R"(
def main(B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("P"):
            vi = T.axis.spatial(8, i)
            P[vi] = vi
    P[3] = 70
    for j in range(8):
        B[j] = P[j]
)");
  expect_not_applicable_rightly(func, "compute-at", at("P", "j"), "is written elsewhere, too", R"(
def main(B: T.Buffer((8,), "int32")):
    P = T.alloc_buffer((8,), "int32")
    P[3] = 70
    for j in range(8):
        P[j] = j
        B[j] = P[j]
)");
}

// The rule computes the window of three that is read. With two, the last of them holds nothing yet.
TEST(ComputeAt, Condition2TheBoxHoldsWhatIsRead) {
  expect_owed_rightly(parse(kStencil), "compute-at", at("P", "io"), "that is read in the loop is computed there", R"(
def main(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    P = T.alloc_buffer((18,), "float32")
    for io in range(4):
        for ax0 in range(5):
            P[io * 4 + ax0] = A[io * 4 + ax0] * T.float32(2)
        for ii in range(4):
            B[io * 4 + ii] = P[io * 4 + ii] + P[io * 4 + ii + 1] + P[io * 4 + ii + 2]
)");
}

// Where the box begins and ends is computed anew, in the type of the loops.
TEST(ComputeAt, Condition5TheNewBindingsFit) {
  expect_owed(parse(kStencil), "compute-at", at("P", "io"), "the new binding of 'vi' fits its type");
  expect_owed(parse(kStencil), "compute-at", at("P", "ii"), "the new binding of 'vi' fits its type");
}

}  // namespace compute_at_test
}  // namespace hexproof
