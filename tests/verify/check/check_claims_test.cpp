// check: races, assumes and constant memory.
#include "tests/verify/check/check_fixture.h"

namespace hexproof {
namespace check_claims_test {

// Races

TEST_F(CheckTest, Races) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        B[i] = A[i] + B[i]
)");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        B[i // 2] = A[i]
)",
          "i");
  refuted(R"(
def f(A: T.Buffer((17,), "float32")):
    for i in T.vectorized(16):
        A[i] = A[i + 1]
)",
          "A");
  proved(R"(
def f(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16,), "float32")):
    for i in T.parallel(16):
        C = T.decl_buffer((1,), "float32")
        C[0] = T.float32(0)
        for k in range(16):
            C[0] = C[0] + A[i, k]
        B[i] = C[0]
)");
}

// Assumes

TEST_F(CheckTest, Assumes) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n >= 0 and n < 16))
    A[n] = T.float32(0)
)");
  finds(Finding::Vacuous, R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n > 5))
    T.evaluate(T.assume(n < 3))
    A[n] = T.float32(0)
)",
        "contradicts");
  refuted(R"(
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.evaluate(T.assume(n > 5 and n < 3))
    A[n] = T.float32(0)
)",
          "the assume is false");
  refuted(R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(16):
        T.evaluate(T.assume(i > 20))
        A[i] = T.float32(0)
)",
          "the assume is false");
}

// Constants

TEST_F(CheckTest, ConstantMemoryIsNotWritten) {
  // The parser refuses such a store, a rule might build one.
  Buffer k = make_buffer("K", kInt32, {i32(2)});
  PrimFunc func;
  func.body = make_stmt(Allocate{.data = k->data,
                                 .dtype = kInt32,
                                 .extents = {i32(2)},
                                 .body = make_stmt(DeclBuffer{k, make_stmt(Store{k, {i32(0)}, i32(1)})}),
                                 .constant = {i32(1), i32(2)}});
  CheckReport report = check(func, prover());
  EXPECT_EQ(report.finding, Finding::Refuted) << describe(report);
  EXPECT_NE(report.counterexample.find("constant"), std::string::npos) << describe(report);
  proved(R"(
def f(A: T.Buffer((2,), "int32")):
    k = T.allocate_const([1, 2], "int32", [2])
    K = T.Buffer((2,), "int32", data=k)
    A[0] = K[1]
)");
}

}  // namespace check_claims_test
}  // namespace hexproof
