// What is computed: conditions on data, wrapping, undef, operands.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_values_test {

using EquivParametricValuesTest = EquivParametricTest;

const std::string kGatherInlineBefore = R"(
def f(I: T.Buffer((64,), "int32"), A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        if I[i] > 0:
            B[i] = A[i]
        else:
            B[i] = T.float32(0)
)";

TEST_F(EquivParametricValuesTest, GatherInline) {
  proved(kGatherInlineBefore,
         R"(
def f(I: T.Buffer((64,), "int32"), A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.if_then_else(0 < I[i], A[i], T.float32(0))
)");
}

TEST_F(EquivParametricValuesTest, GatherIsWrong) {
  wrong(kGatherInlineBefore,
        R"(
def f(I: T.Buffer((64,), "int32"), A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = T.if_then_else(0 <= I[i], A[i], T.float32(0))
)");
}

TEST_F(EquivParametricValuesTest, Int8WrapIsWrong) {
  wrong(R"(
def f(B: T.Buffer((100,), "int8")):
    t = T.alloc_buffer((100,), "int8")
    for i in range(100):
        t[i] = T.cast(i, "int8")
    for i in range(100):
        B[i] = (t[i] * T.int8(3)) // T.int8(3)
)",
        R"(
def f(B: T.Buffer((100,), "int8")):
    for i in range(100):
        B[i] = T.cast(i, "int8")
)");
}

const std::string kUndefAnyBefore = R"(
def f(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32")):
    for i in range(100):
        if i < 50:
            B[i] = A[i]
        else:
            B[i] = T.undef(dtype="int32")
)";

TEST_F(EquivParametricValuesTest, UndefAny) {
  proved(kUndefAnyBefore,
         R"(
def f(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32")):
    for i in range(100):
        B[i] = A[i]
)");
}

TEST_F(EquivParametricValuesTest, UndefBackIsOpen) {
  open(R"(
def f(A: T.Buffer((100,), "int32"), B: T.Buffer((100,), "int32")):
    for i in range(100):
        B[i] = A[i]
)",
       kUndefAnyBefore);
}

TEST_F(EquivParametricValuesTest, UndefCopyIsOpen) {
  open(R"(
def f(B: T.Buffer((100,), "int32"), C: T.Buffer((100,), "int32")):
    for i in range(100):
        B[i] = T.undef(dtype="int32")
    for i in range(100):
        C[i] = B[i]
)",
       R"(
def f(B: T.Buffer((100,), "int32"), C: T.Buffer((100,), "int32")):
    for i in range(100):
        B[i] = 1
    for i in range(100):
        C[i] = 2
)");
}

TEST_F(EquivParametricValuesTest, SubSwapIsWrong) {
  wrong(R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    for i in range(64):
        C[i] = A[i] - B[i]
)",
        R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), C: T.Buffer((64,), "float32")):
    for i in range(64):
        C[i] = B[i] - A[i]
)");
}

TEST_F(EquivParametricValuesTest, Ring) {
  proved(R"(
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in range(64):
        C[i] = (A[i] + B[i]) * (A[i] - B[i])
)",
         R"(
def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32")):
    for i in range(64):
        C[i] = A[i] * A[i] - B[i] * B[i]
)");
}

TEST_F(EquivParametricValuesTest, UserFunction) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.exp(A[i])
)",
         R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[15 - i] = T.exp(A[15 - i])
)");
}

TEST_F(EquivParametricValuesTest, VecSelect) {
  proved(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.max(A[i], T.float32(0))
)",
         R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[i * 4:i * 4 + 4] = T.max(A[i * 4:i * 4 + 4], T.broadcast(T.float32(0), 4))
)");
}

const std::string kAssumeSameBefore = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.assume(i < 14 or A[i] == 0)
    for i in range(16):
        B[i] = A[i] + 1
)";

const std::string kAssumeSameAfter = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io * 4 + ii] == 0)
    for i in range(16):
        B[i] = A[i] + 1
)";

TEST_F(EquivParametricValuesTest, AssumeSame) { proved(kAssumeSameBefore, kAssumeSameAfter); }

TEST_F(EquivParametricValuesTest, AssumeMoreIsOpen) {
  open(kAssumeSameBefore, with(kAssumeSameAfter, "T.assume(io * 4 + ii < 14 or A[io * 4 + ii] == 0)",
                               "T.assume(io * 4 + ii < 13 or A[io * 4 + ii] == 0)"));
}

TEST_F(EquivParametricValuesTest, AssumeNewIsOpen) {
  open(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i] + 1
)",
       R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.assume(A[i] == 0)
        B[i] = A[i] + 1
)");
}

TEST_F(EquivParametricValuesTest, AssumeTrue) {
  proved(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 3
)",
         R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = 3
    for i in range(16):
        T.assume(B[i] == 3)
)");
}

TEST_F(EquivParametricValuesTest, AssumeAfterStoreIsOpen) {
  open(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        T.assume(A[i] == 0)
    for i in range(16):
        B[i] = A[i]
)",
       R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i]
    for i in range(15):
        T.assume(A[i] == B[i + 1])
        T.assume(B[i] == 1)
)");
}

}  // namespace equiv_parametric_values_test
}  // namespace hexproof
