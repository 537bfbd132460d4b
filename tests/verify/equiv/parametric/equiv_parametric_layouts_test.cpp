// Arguments whose layout changed: packed, flattened, padded.
#include "tests/verify/equiv/parametric/equiv_parametric.h"

namespace hexproof {
namespace equiv_parametric_layouts_test {

using EquivParametricLayoutsTest = EquivParametricTest;

const char* kBefore = R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = A[i] + T.float32(1)
)";
const char* kPacked = R"(
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((16, 4), "float32")):
    for io, ii in T.grid(16, 4):
        B[io, ii] = A[io * 4 + ii] + T.float32(1)
)";

RelationRequest by_four(const char* name) {
  RelationRequest request;
  request.layouts[name] = EquivParametricTest::layout(1, [](const std::vector<Expr>& i) {
    return std::vector<Expr>{floordiv(i[0], i32(4)), floormod(i[0], i32(4))};
  });
  return request;
}

void pad(RelationRequest& request, const std::string& name, const std::string& value) {
  request.pads.insert_or_assign(name, value);
}

TEST_F(EquivParametricLayoutsTest, Packed) { proved(kBefore, kPacked, by_four("B")); }
TEST_F(EquivParametricLayoutsTest, PackedTheOtherWayRound) {
  wrong(kBefore, with(kPacked, "B[io, ii]", "B[io, 3 - ii]"), by_four("B"));
}
TEST_F(EquivParametricLayoutsTest, PackedInput) {
  const char* after = R"(
def f(A: T.Buffer((16, 4), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(64):
        B[i] = A[i // 4, i % 4] + T.float32(1)
)";
  proved(kBefore, after, by_four("A"));
  wrong(kBefore, with(after, "i // 4, i % 4", "i % 16, i // 16"), by_four("A"));
}

// 14 cells in 4 x 4
const char* kShort = R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] + T.float32(1)
)";
const char* kPadded = R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((4, 4), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[io, ii] = A[io * 4 + ii] + T.float32(1)
        else:
            B[io, ii] = T.float32(0)
)";

TEST_F(EquivParametricLayoutsTest, PaddingIsWritten) {
  RelationRequest request = by_four("B");
  pad(request, "B", "0");
  proved(kShort, kPadded, request);
  wrong(kShort, with(kPadded, "T.float32(0)", "T.float32(2)"), request);
  wrong(kShort, with(kPadded, "< 14", "< 13"), request);
}
TEST_F(EquivParametricLayoutsTest, PaddingIsNotWritten) {
  const char* after = R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((4, 4), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            B[io, ii] = A[io * 4 + ii] + T.float32(1)
)";
  RelationRequest request = by_four("B");
  proved(kShort, after, request);  // nothing was asked of the padding
  pad(request, "B", "0");
  wrong(kShort, after, request);
  request.logical_only = {"B"};
  proved(kShort, after, request);
}
TEST_F(EquivParametricLayoutsTest, PaddingIsRead) {
  // The padding of A is the neutral element, so the sum may run over it.
  const char* before = R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    for i in range(14):
        B[i] = A[i] * 2
)";
  const char* after = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for io, ii in T.grid(4, 4):
        B[io, ii] = A[io, ii] * 2
)";
  RelationRequest request = by_four("A");
  request.layouts["B"] = request.layouts["A"];
  request.pads.clear();
  pad(request, "A", "0");
  pad(request, "B", "0");
  proved(before, after, request);
  request.pads.clear();
  pad(request, "A", "3");
  pad(request, "B", "0");
  wrong(before, after, request);
  request.pads.clear();
  pad(request, "B", "0");
  open(before, after, request);  // uninitialised padding is read
  request.pads.clear();
  pad(request, "A", "undef");
  pad(request, "B", "undef");
  proved(before, after, request);
}

TEST_F(EquivParametricLayoutsTest, Flattened) {
  const char* before = R"(
def f(A: T.Buffer((64, 32), "float32"), B: T.Buffer((64, 32), "float32")):
    for i, j in T.grid(64, 32):
        B[i, j] = A[i, j] + T.float32(1)
)";
  const char* after = R"(
def f(A: T.Buffer((2048,), "float32"), B: T.Buffer((2048,), "float32")):
    for i, j in T.grid(64, 32):
        B[i * 32 + j] = A[i * 32 + j] + T.float32(1)
)";
  proved(before, after);
  wrong(before, with(after, "A[i * 32 + j]", "A[j * 64 + i]"));
}

TEST_F(EquivParametricLayoutsTest, PackedConvolution) {
  const char* before = R"(
def f(A: T.Buffer((1, 64, 64, 128), "float32"), W: T.Buffer((128, 128, 1, 1), "float32"), B: T.Buffer((1, 64, 64, 128), "float32")):
    for n, h, w, k, c in T.grid(1, 64, 64, 128, 128):
        with T.block("conv"):
            vn, vh, vw, vk, vc = T.axis.remap("SSSSR", [n, h, w, k, c])
            with T.init():
                B[vn, vh, vw, vk] = T.float32(0)
            B[vn, vh, vw, vk] = B[vn, vh, vw, vk] + A[vn, vh, vw, vc] * W[vk, vc, 0, 0]
)";
  const char* after = R"(
def f(A: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32"), W: T.Buffer((128, 128, 1, 1), "float32"), B: T.Buffer((1, 8, 8, 4, 8, 8, 32), "float32")):
    for ho, wo, ko in T.grid(8, 8, 4):
        for hi, wi, ki in T.grid(8, 8, 32):
            B[0, ho, wo, ko, hi, wi, ki] = T.float32(0)
        for co, hi, wi, ki, ci in T.grid(4, 8, 8, 32, 32):
            B[0, ho, wo, ko, hi, wi, ki] = B[0, ho, wo, ko, hi, wi, ki] + A[0, ho, wo, co, hi, wi, ci] * W[ko * 32 + ki, co * 32 + ci, 0, 0]
)";
  RelationRequest request;
  request.layouts["A"] = request.layouts["B"] = layout(4, [](const std::vector<Expr>& i) {
    return std::vector<Expr>{i[0],
                             floordiv(i[1], i32(8)),
                             floordiv(i[2], i32(8)),
                             floordiv(i[3], i32(32)),
                             floormod(i[1], i32(8)),
                             floormod(i[2], i32(8)),
                             floormod(i[3], i32(32))};
  });
  proved(before, after, request);
  open(before, with(after, "W[ko * 32 + ki, co * 32 + ci", "W[ko * 32 + ki, ci * 4 + co"), request);
  open(before, with(after, "T.grid(4, 8, 8, 32, 32)", "T.grid(3, 8, 8, 32, 32)"), request);
}

}  // namespace equiv_parametric_layouts_test
}  // namespace hexproof
