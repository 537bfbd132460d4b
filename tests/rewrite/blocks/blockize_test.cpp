#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace blockize_test {

constexpr const char* kTiles = R"(
def before(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16, 12), "int32")):
    for io, jo, ii, ji in T.grid(4, 3, 4, 4):
        with T.block("B"):
            vi = T.axis.spatial(16, io * 4 + ii)
            vj = T.axis.spatial(12, jo * 4 + ji)
            B[vi, vj] = A[vi, vj] + 1
)";

Args at(const PrimFunc& func, size_t loop, const std::string& name = "tile") {
  return {{"at", nth<For>(func, loop)}, {"name", name}};
}

TEST(Blockize, ATile) {
  expect_applies(kTiles, "blockize", at(parse(kTiles), 2), R"(
def after(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16, 12), "int32")):
    for io, jo in T.grid(4, 3):
        with T.block("tile"):
            vi_o, vj_o = T.axis.remap("SS", [io, jo])
            for ii, ji in T.grid(4, 4):
                with T.block("B"):
                    vi = T.axis.spatial(16, vi_o * 4 + ii)
                    vj = T.axis.spatial(12, vj_o * 4 + ji)
                    B[vi, vj] = A[vi, vj] + 1
)");
  // In one loop, the other variable has one value in the tile.
  expect_applies(kTiles, "blockize", at(parse(kTiles), 3), R"(
def after(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16, 12), "int32")):
    for io, jo, ii in T.grid(4, 3, 4):
        with T.block("tile"):
            vi_o = T.axis.spatial(16, io * 4 + ii)
            vj_o = T.axis.spatial(3, jo)
            for ji in range(4):
                with T.block("B"):
                    vi = T.axis.spatial(16, io * 4 + ii)
                    vj = T.axis.spatial(12, vj_o * 4 + ji)
                    B[vi, vj] = A[vi, vj] + 1
)");
  Args units = at(parse(kTiles), 0);
  units["unit_iters"] = int64_t{0};
  expect_applies(kTiles, "blockize", units, R"(
def after(A: T.Buffer((16, 12), "int32"), B: T.Buffer((16, 12), "int32")):
    with T.block("tile"):
        for io, jo, ii, ji in T.grid(4, 3, 4, 4):
            with T.block("B"):
                vi = T.axis.spatial(16, io * 4 + ii)
                vj = T.axis.spatial(12, jo * 4 + ji)
                B[vi, vj] = A[vi, vj] + 1
)");
}

TEST(Blockize, BlocksNextToOneAnother) {
  const char* text = R"(
def before(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        for j in range(4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] + 1
        for k in range(4):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                C[vi] = T.max(C[vi], B[vi, vk])
)";
  Args both = at(parse(text), 1);
  both["count"] = int64_t{2};
  expect_applies(text, "blockize", both, R"(
def after(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8, 4), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("tile"):
            vi_o = T.axis.spatial(8, i)
            for j in range(4):
                with T.block("B"):
                    vi = T.axis.spatial(8, vi_o)
                    vj = T.axis.spatial(4, j)
                    B[vi, vj] = A[vi, vj] + 1
            for k in range(4):
                with T.block("C"):
                    vi = T.axis.spatial(8, vi_o)
                    vk = T.axis.reduce(4, k)
                    C[vi] = T.max(C[vi], B[vi, vk])
)");
  both["count"] = int64_t{3};
  EXPECT_TRUE(not_applicable(parse(text), "blockize", both));
}

TEST(Blockize, Condition1BindingsAreNoError) {
  expect_owed(parse(kTiles), "blockize", at(parse(kTiles), 2), "is no error");
  // A binding that goes in steps of another size than the tile has is none of whole tiles.
  const PrimFunc odd = parse(R"(
def before(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for io, ii in T.grid(4, 3):
        with T.block("B"):
            vi = T.axis.spatial(32, io * 4 + ii)
            B[vi] = A[vi]
)");
  expect_not_applicable(odd, "blockize", at(odd, 1), "is no multiple");
  const PrimFunc data = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i, j in T.grid(8, 1):
        with T.block("B"):
            vi = T.axis.opaque(8, A[i] % 8)
            B[vi] = 1
)");
  EXPECT_TRUE(not_applicable(data, "blockize", at(data, 1)));
}

TEST(Blockize, Condition2SpatialInstancesShareNoCell) {
  const PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32"), C: T.Buffer((1,), "int32")):
    for i in range(4):
        for j in range(4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj]
        C[0] = i
)");
  Args both = at(func, 1);
  EXPECT_EQ(difference(func, applied(func, "blockize", both)), "");
  both["count"] = int64_t{2};
  std::optional<Refused> no = refusal(func, "blockize", both);
  ASSERT_TRUE(no);
  EXPECT_NE(std::string(no->what()).find("share no cell"), std::string::npos) << no->what();
}

TEST(Blockize, Condition3TheNameIsFree) {
  for (const char* name : {"B", "", "root"}) {
    expect_not_applicable(parse(kTiles), "blockize", at(parse(kTiles), 2, name), "a name that no other block has");
  }
}

}  // namespace blockize_test
}  // namespace hexproof
