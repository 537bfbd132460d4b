// Index maps in scripts: shapes, ranges and inverses, each proved.
#include "tests/te/support.h"

namespace hexproof::te {
namespace index_map_test {

constexpr const char* kProgram = R"(
A = te.placeholder((4,), name="A", dtype="int32")
B = te.compute((4,), lambda i: A[i], name="B")
te.create_prim_func([A, B])
)";

/// Runs the lines in front of a program.
void holds(const std::string& lines) {
  EXPECT_NE(naive("import tvm\nfrom tvm import te\nfrom tvm.tir import IndexMap\n" + lines + kProgram), "");
}
Complaint complaint(const std::string& lines) {
  return refused("import tvm\nfrom tvm import te\nfrom tvm.tir import IndexMap\n" + lines + kProgram);
}

TEST(IndexMaps, ShapesAndRanges) {
  holds(
      "m = IndexMap.from_func(lambda i, j: [i // 4, j, te.AXIS_SEPARATOR, i % 4])\n"
      "assert m.map_shape([14, 8]) == [4, 8, 4], m.map_shape([14, 8])\n"
      "assert m.map_ranges([(4, 4), (0, 8)]) == [(1, 1), (0, 8), (0, 4)], m.map_ranges([(4, 4), (0, 8)])\n"
      "assert m.map_indices([7, 2]) == [1, 2, 3]\n");
  holds("assert IndexMap.from_func(lambda i: [7 - i]).map_ranges([(0, 10)]) == [(-2, 10)]\n");
}

TEST(IndexMaps, InversesOfSplitMergeOffsetAndReorder) {
  holds(
      "m = IndexMap.from_func(lambda i, j: [i // 4, j, i % 4])\n"
      "assert m.is_bijective([16, 8])\n"
      "b = m.inverse([16, 8])\n"
      "assert all(b.map_indices(m.map_indices([i, j])) == [i, j] for i in range(16) for j in range(8))\n");
  holds(
      "m = IndexMap.from_func(lambda i, j: [i * 8 + j])\n"
      "b = m.inverse([4, 8])\n"
      "assert all(b.map_indices(m.map_indices([i, j])) == [i, j] for i in range(4) for j in range(8))\n");
}

TEST(IndexMaps, InversesOfSwizzles) {
  holds(
      "for f, shape in [(lambda i, j: [i, j ^ (i % 8)], (16, 8)), (lambda i: [i // 8, (i % 8) ^ (i // 8 % 8)], "
      "(128,)),\n"
      "                 (lambda i: [i ^ ((i >> 3) & 7)], (512,)), (lambda i: [i ^ (i // 2)], (64,))]:\n"
      "    m = IndexMap.from_func(f)\n"
      "    assert m.is_bijective(shape), shape\n"
      "    b = m.inverse(shape)\n"
      "    rows = [[i] for i in range(shape[0])]\n"
      "    for index in rows if len(shape) == 1 else [[i, j] for [i] in rows for j in range(shape[1])]:\n"
      "        assert b.map_indices(m.map_indices(index)) == index, (shape, index)\n"
      "assert IndexMap.from_func(lambda i, j: [i, j ^ (i % 8)]).map_shape([16, 14]) == [16, 16]\n");
}

TEST(IndexMaps, PaddingOfASwizzle) {
  holds(
      "m = IndexMap.from_func(lambda i, j: [i, j ^ (i % 8)])\n"
      "assert not m.is_bijective([16, 14])\n"
      "b, padding = m.non_surjective_inverse([16, 14])\n"
      "image = [tuple(m.map_indices([i, j])) for i in range(16) for j in range(14)]\n"
      "for i in range(16):\n"
      "    for j in range(16):\n"
      "        assert padding(i, j) == ((i, j) not in image), (i, j)\n");
}

TEST(IndexMaps, ASwizzleWhoseIndicesMeet) {
  const Complaint c = complaint("IndexMap.from_func(lambda i, j: [i ^ j, j ^ i]).inverse([4, 4])\n");
  EXPECT_EQ(c.kind, api::Failure::Kind::Input);
  EXPECT_HAS(c.text, "not invertible: the cells [0, 1] and [1, 0] both go to [1, 1]");
}

// Split in fours of 14 from 2 on: two cells in front, none behind.
TEST(IndexMaps, PaddingOfANonSurjectiveOne) {
  holds(
      "m = IndexMap.from_func(lambda i: [(i + 2) // 4, (i + 2) % 4])\n"
      "assert not m.is_bijective([14])\n"
      "b, padding = m.non_surjective_inverse([14])\n"
      "image = [tuple(m.map_indices([i])) for i in range(14)]\n"
      "for o in range(4):\n"
      "    for i in range(4):\n"
      "        assert padding(o, i) == ((o, i) not in image), (o, i)\n"
      "        assert padding(o, i) or tuple(m.map_indices(b.map_indices([o, i]))) == (o, i)\n");
}

TEST(IndexMaps, NotInvertibleNamesTwoIndicesThatMeet) {
  const Complaint c = complaint("IndexMap.from_func(lambda i, j: [i + j]).inverse([4, 4])\n");
  EXPECT_EQ(c.kind, api::Failure::Kind::Input);
  EXPECT_EQ(c.line, 4);
  EXPECT_HAS(c.text, "not invertible");
  EXPECT_HAS(c.text, "both go to");
}

TEST(IndexMaps, NoInverseOfOneThatIsNotOnto) {
  const Complaint c = complaint("IndexMap.from_func(lambda i: [i // 4, i % 4]).inverse([14])\n");
  EXPECT_EQ(c.kind, api::Failure::Kind::Input);
  EXPECT_HAS(c.text, "not bijective");
}

TEST(IndexMaps, ABadExtentIsAMistake) {
  EXPECT_EQ(complaint("IndexMap.from_func(lambda i: [i]).map_shape([0])\n").kind, api::Failure::Kind::Input);
  EXPECT_EQ(complaint("IndexMap.from_func(lambda i: [i]).inverse([4, 4])\n").kind, api::Failure::Kind::Input);
}

}  // namespace index_map_test
}  // namespace hexproof::te
