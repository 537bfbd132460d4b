#include "verify/prove/prover.h"

#include <gtest/gtest.h>

#include "ir/buffer.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace prover_test {

Answer ask(Prover& prover, std::vector<Expr> given, Expr goal) {
  return prover.prove(
      {.rule = "test", .why = "a test", .where = {}, .given = std::move(given), .goal = std::move(goal)});
}

struct ProverTest : testing::Test {
  const OpenRoundingScope ieee{OpenRounding{}};
  Prover prover;
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32), n = Var::fresh("n", kInt32);

  void proved(std::vector<Expr> given, Expr goal) {
    Answer a = ask(prover, std::move(given), std::move(goal));
    EXPECT_EQ(a.verdict, Verdict::Proved) << a.solver << ": " << a.reason;
  }
  Answer refuted(std::vector<Expr> given, Expr goal) {
    Answer a = ask(prover, std::move(given), std::move(goal));
    EXPECT_EQ(a.verdict, Verdict::Refuted) << a.solver << ": " << a.reason;
    return a;
  }
  std::vector<Expr> box(const Var& v, int64_t extent) { return {le(i32(0), v), lt(v, i32(extent))}; }
};

std::vector<Expr> operator+(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(ProverTest, MixedRadix) {
  auto given = box(i, 16) + box(j, 8);
  proved(given, eq(floordiv(i * i32(8) + j, i32(8)), i));
  proved(given, eq(floormod(i * i32(8) + j, i32(8)), j));
  refuted(box(i, 16), eq(floordiv(i * i32(8) + j, i32(8)), i));
}

TEST_F(ProverTest, BoundsWithAModel) {
  proved(box(i, 16) + box(j, 8), lt(i * i32(8) + j, i32(128)));
  Answer a = refuted(box(i, 16) + box(j, 8), lt(i * i32(8) + j, i32(127)));
  ASSERT_EQ(a.model.size(), 2u);
  for (auto [var, value] : a.model) EXPECT_EQ(value, var == i ? 15 : 7);
}

TEST_F(ProverTest, FloorDivisionOfNegatives) {
  proved({lt(i, i32(0)), ge(i, i32(-8))}, eq(floordiv(i, i32(8)), i32(-1)));
  proved({}, le(i32(0), floormod(i, i32(8))));
  proved({}, le(floormod(i, i32(-8)), i32(0)));
  refuted({}, eq(floordiv(i, i32(8)), binary(Op::TruncDiv, i, i32(8))));
}

TEST_F(ProverTest, FitsOfIndexArithmetic) {
  proved(box(i, 1000), fits(i * i32(1000)));
  refuted({}, fits(i + i32(1)));
  refuted({}, fits(floordiv(i, j)));
  refuted({ne(j, i32(0))}, fits(floordiv(i, j)));  // INT_MIN // -1
  proved({gt(j, i32(0))}, fits(floordiv(i, j)));
  proved({}, fits(if_then_else(ne(j, i32(0)), floormod(i32(7), j), i32(0))));
  refuted({}, fits(select(ne(j, i32(0)), floormod(i32(7), j), i32(0))));
}

TEST_F(ProverTest, DataWraps) {
  Buffer a = make_buffer("A", kInt8, {i32(16)});
  Expr cell = load(a, {i});
  Answer answer = refuted({}, gt(cell + imm(kInt8, 1), cell));
  ASSERT_EQ(answer.cells.size(), 1u);
  EXPECT_EQ(answer.cells[0].value, 127);
  proved({lt(cell, imm(kInt8, 127))}, gt(cell + imm(kInt8, 1), cell));
  proved({}, fits(cell + imm(kInt8, 1)));
  proved({eq(i, j)}, eq(load(a, {i}), load(a, {j})));
  refuted({}, eq(load(a, {i}), load(a, {j})));
}

TEST_F(ProverTest, WideUnsigned) {
  Var u = Var::fresh("u", kUInt64);
  proved({ge(u, imm(kUInt64, Wide{1} << 63))}, eq(floordiv(u, imm(kUInt64, Wide{1} << 63)), imm(kUInt64, 1)));
  refuted({ge(u, imm(kUInt64, Wide{1} << 63))}, fits(u * imm(kUInt64, 2)));
}

TEST_F(ProverTest, ZerosAndNaN) {
  Buffer b = make_buffer("B", kFloat32, {i32(16)});
  Expr x = load(b, {i}), zero = fimm(kFloat32, 0.0);
  refuted({eq(x, zero)}, same_bits(x, zero));
  proved({same_bits(x, zero)}, eq(x, zero));
  refuted({}, eq(x, x));
  proved({}, same_bits(x, x));
  refuted({}, same_bits(x + zero, x));
  proved({}, same_bits(x + fimm(kFloat32, -0.0), x));
}

TEST_F(ProverTest, Contradictory) {
  EXPECT_EQ(prover.contradictory({lt(i, i32(0)), gt(i, i32(0))}, {}).verdict, Verdict::Proved);
  EXPECT_EQ(prover.contradictory({ge(i, i32(0)), le(i, i32(0))}, {}).verdict, Verdict::Refuted);
}

}  // namespace prover_test
}  // namespace hexproof
