#include "tests/rewrite/support.h"

namespace hexproof {
namespace reorder_test {

Args order_of(const PrimFunc& func, const std::string& loop, Path order) {
  return {{"at", loop_named(func, loop)}, {"order", std::move(order)}};
}

void expect_reorder(const std::string& before, Path order, const std::string& expected, const Sizes& sizes = {}) {
  expect_applies(before, "reorder", order_of(parse(before), "i", std::move(order)), expected, sizes);
}

TEST(Reorder, IndependentIterations) {
  expect_reorder(R"(
def before(A: T.Buffer((3, 5), "float32"), B: T.Buffer((5, 3), "float32")):
    for i, j in T.grid(3, 5):
        B[j, i] = A[i, j]
)",
                 {1, 0}, R"(
def after(A: T.Buffer((3, 5), "float32"), B: T.Buffer((5, 3), "float32")):
    for j, i in T.grid(5, 3):
        B[j, i] = A[i, j]
)");
}

TEST(Reorder, AGuardMovesInside) {
  expect_reorder(R"(
def before(A: T.Buffer((14, 5), "float16"), B: T.Buffer((14, 5), "float16")):
    for i in range(4):
        for ii in range(4):
            if i * 4 + ii < 14:
                for j in range(5):
                    B[i * 4 + ii, j] = A[i * 4 + ii, j]
)",
                 {2, 0, 1}, R"(
def after(A: T.Buffer((14, 5), "float16"), B: T.Buffer((14, 5), "float16")):
    for j, i, ii in T.grid(5, 4, 4):
        if i * 4 + ii < 14:
            B[i * 4 + ii, j] = A[i * 4 + ii, j]
)");
}

const char* kReduction = R"(
def before(A: T.Buffer((4, 6, 3), "TYPE"), C: T.Buffer((4,), "TYPE")):
    for i, k, r in T.grid(4, 6, 3):
        with T.block("C"):
            vi, vk, vr = T.axis.remap("SRR", [i, k, r])
            with T.init():
                C[vi] = T.cast(0, "TYPE")
            C[vi] = C[vi] + A[vi, vk, vr]
)";

std::string with_type(std::string text, const std::string& type) {
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
  return text;
}

TEST(Reorder, ASpatialLoopGoesInside) {
  for (const char* type : {"float32", "float16", "int8", "uint16", "int64"}) {
    expect_reorder(with_type(kReduction, type), {1, 2, 0}, "");
  }
}

TEST(Reorder, ReductionsFlipInRingsOfIntegers) {
  for (const char* type : {"int8", "int32", "int64", "uint8", "uint32"}) {
    expect_reorder(with_type(kReduction, type), {0, 2, 1}, "");
    expect_reorder(with_type(kReduction, type), {2, 0, 1}, "");
  }
}

TEST(Reorder, Condition3ReductionsOfFloatsDoNotFlip) {
  for (const char* type : {"float32", "float16", "float64"}) {
    PrimFunc func = parse(with_type(kReduction, type));
    expect_refused_rightly(func, "reorder", order_of(func, "i", {0, 2, 1}), "iterations whose order flips");
  }
}

TEST(Reorder, Condition3ReductionsOfFloatsFlipWhenGranted) {
  PrimFunc func = parse(with_type(kReduction, "float32"));
  func.attrs["hexproof.fp"] = std::string("nnan reassoc");
  Derivation derivation(func);
  derivation.apply("reorder", order_of(func, "i", {0, 2, 1}), test_prover());
  bool listed = false;
  for (const auto& [obligation, answer] : derivation.steps()[0].obligations) {
    listed |= obligation.why.find("`reassoc` is granted") != std::string::npos;
  }
  EXPECT_TRUE(listed);
}

// The flag lets sums change places, and nothing else: a running product that is read on the way stays.
TEST(Reorder, Condition3AnAccumulatorThatIsReadOnTheWay) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 3), "int32"), C: T.Buffer((1,), "int32"), D: T.Buffer((4, 3), "int32")):
    for i, j in T.grid(4, 3):
        C[0] = C[0] + A[i, j]
        D[i, j] = C[0]
)");
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "iterations whose order flips");
}

TEST(Reorder, Condition3DifferentOperatorsOnOneAccumulator) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 3), "int32"), C: T.Buffer((1,), "int32")):
    for i, j in T.grid(4, 3):
        if j == 0:
            C[0] = C[0] + A[i, j]
        else:
            C[0] = C[0] * A[i, j]
)");
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "iterations whose order flips");
}

TEST(Reorder, Condition2AStencil) {
  PrimFunc skewed = parse(R"(
def before(A: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(5, 5):
        A[i + 1, j] = A[i, j + 1] + 1
)");
  expect_refused_rightly(skewed, "reorder", order_of(skewed, "i", {1, 0}), "iterations whose order flips");
  expect_reorder(R"(
def before(A: T.Buffer((6, 6), "int32")):
    for i, j in T.grid(5, 5):
        A[i + 1, j + 1] = A[i, j] + 1
)",
                 {1, 0}, "");
}

TEST(Reorder, Condition2TheLastWriteWins) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 3), "int32"), B: T.Buffer((6,), "int32")):
    for i, j in T.grid(4, 3):
        B[i + j] = A[i, j]
)");
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "iterations whose order flips");
}

// An init in the middle of what it initialises: its binding makes every k the first one.
TEST(Reorder, Condition2AnInitThatIsNotTheFirst) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 6), "int32"), C: T.Buffer((1,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("C"):
            vk = T.axis.reduce(6, k)
            with T.init():
                C[0] = 0
            C[0] = C[0] + A[i, vk]
)");
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "iterations whose order flips");
}

// A buffer that each iteration allocates is its own.
TEST(Reorder, ScratchOfTheIteration) {
  expect_reorder(R"(
def before(A: T.Buffer((3, 5), "float32"), B: T.Buffer((3, 5), "float32")):
    for i, j in T.grid(3, 5):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            S = T.alloc_buffer((1,), "float32")
            S[0] = A[vi, vj]
            B[vi, vj] = S[0] * S[0]
)",
                 {1, 0}, "");
}

TEST(Reorder, Condition2AGuardThatReadsWhatTheLoopWrites) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((2, 2), "int32"), F: T.Buffer((1,), "int32")):
    F[0] = 0
    for i, j in T.grid(2, 2):
        if F[0] == 1:
            A[i, j] = 7
        F[0] = F[0] + 1
)");
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "iterations whose order flips", {}, 200);
}

TEST(Reorder, DoesNotApply) {
  PrimFunc triangle = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        for j in range(i):
            A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(triangle, "reorder", order_of(triangle, "i", {1, 0})));
  EXPECT_TRUE(not_applicable(triangle, "reorder", order_of(triangle, "i", {0, 1})));
  EXPECT_TRUE(not_applicable(triangle, "reorder", order_of(triangle, "i", {1, 1})));
  EXPECT_TRUE(not_applicable(triangle, "reorder", order_of(triangle, "i", {2, 0, 1})));
  PrimFunc data = parse(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(8):
        if A[i, 0] > 0:
            for j in range(8):
                A[i, j] = 0
)");
  EXPECT_TRUE(not_applicable(data, "reorder", order_of(data, "i", {1, 0})));
}

// The inner bound divides by n, and the outer loop runs zero times when n is zero.
TEST(Reorder, Condition1ABoundThatWasNotEvaluated) {
  const std::string text = R"(
def before(A: T.Buffer((4, 8), "int32"), n: T.int32):
    if n >= LOW and n <= 4:
        for i in range(n):
            for j in range(8 // n):
                A[i, j] = i
)";
  auto with_low = [&](const std::string& low) {
    std::string out = text;
    return out.replace(out.find("LOW"), 3, low);
  };
  PrimFunc func = parse(with_low("0"));
  expect_refused_rightly(func, "reorder", order_of(func, "i", {1, 0}), "no error where they are now evaluated",
                         {{"n", 0}});
  expect_reorder(with_low("1"), {1, 0}, "", {{"n", 3}});
}

// Moving a parallel loop out makes iterations race that used to run one after the other.
TEST(Reorder, Condition4AParallelLoopMovesOut) {
  PrimFunc racing = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(2):
        for j in T.parallel(4):
            A[i + j] = 7
)");
  expect_refused_rightly(racing, "reorder", order_of(racing, "i", {1, 0}), "do not touch one cell");
  expect_reorder(R"(
def before(A: T.Buffer((8, 8), "int32")):
    for i in range(2):
        for j in T.parallel(4):
            A[i, j] = A[i, j] + 1
)",
                 {1, 0}, "");
}

}  // namespace reorder_test
}  // namespace hexproof
