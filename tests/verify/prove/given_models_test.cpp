// Values under which what is given holds: they are found, they are evaluated, and where there are none that is said.
#include "verify/prove/given_models.h"

#include <gtest/gtest.h>

#include "ir/buffer.h"

namespace hexproof {
namespace given_models_test {

const Var kX = Var::fresh("x", kInt32), kY = Var::fresh("y", kInt32);
const Expr x = kX, y = kY;

Obligation under(std::vector<Expr> given) {
  return {.rule = "rule", .why = "why", .where = {}, .given = std::move(given), .goal = boolean(true)};
}

/// Of the one list, after the search.
GivenModel found(const std::vector<Expr>& given, ProverOptions options = {}) {
  GivenModels models;
  models.add(under(given));
  Prover prover(options);
  models.find(prover);
  return models.all().at(0);
}

void expect_held(const std::vector<Expr>& given) {
  const GivenModel model = found(given);
  std::string why;
  EXPECT_EQ(model.none, "");
  EXPECT_TRUE(holds_at(model, model.values, &why)) << why;
}

Expr function_of(const Expr& at) { return uninterpreted(Op::Opaque, kInt32, "f#1", {at}); }
const Buffer kA = make_buffer("A", kInt32, {i32(16)});

TEST(GivenModels, AreFound) {
  expect_held({lt(i32(3), x), lt(x, y)});
  expect_held({eq(x, y * i32(17) + i32(5)), lt(i32(100), y), lt(x, i32(1800))});
  expect_held({eq(load(kA, {x}), i32(7)), lt(load(kA, {y}), i32(3))});  // not one cell
  expect_held({eq(x * y, i32(391)), lt(i32(1), x), lt(x, y)});          // 17 * 23
  expect_held({eq(function_of(x), function_of(y) + i32(1))});
  const Expr f = Var::fresh("f", kFloat32);
  expect_held({lt(f, fimm(kFloat32, -5e20))});
}

TEST(GivenModels, AContradictionIsOne) {
  for (const std::vector<Expr>& given :
       {std::vector<Expr>{lt(x, y), lt(y, x)}, {eq(load(kA, {x}), i32(7)), eq(x, y), lt(load(kA, {y}), i32(3))}}) {
    const GivenModel model = found(given);
    EXPECT_TRUE(model.contradiction);
    EXPECT_NE(model.none, "");
    EXPECT_TRUE(model.values.empty());
  }
}

// A sum of floats that a flag leaves open has several results: one of them may satisfy what no IEEE result does.
TEST(GivenModels, WhatHoldsOfIeeeAloneIsNoContradiction) {
  const Expr f = Var::fresh("f", kFloat32), g = Var::fresh("g", kFloat32);
  const GivenModel model = found({same_bits(f, fimm(kFloat32, 1)), same_bits(g, fimm(kFloat32, 1)), lt(f + g, f)});
  EXPECT_FALSE(model.contradiction);
  EXPECT_NE(model.none, "");
}

// Nothing found is no contradiction, and says why.
TEST(GivenModels, WhereNothingIsFoundThatIsSaid) {
  const Expr p = Var::fresh("p", kInt64), q = Var::fresh("q", kInt64);
  const Expr product = imm(kInt64, 1000003LL * 998244353LL);
  const GivenModel model =
      found({eq(p * q, product), lt(imm(kInt64, 1), p), lt(p, q), lt(q, product)}, {.rlimit = 1000});
  EXPECT_FALSE(model.contradiction);
  EXPECT_NE(model.none, "");
  EXPECT_TRUE(model.values.empty());
}

TEST(GivenModels, ValuesThatDoNotSatisfyItAreNone) {
  const GivenModel model = found({lt(i32(3), x), lt(x, y)});
  ASSERT_EQ(model.inputs.size(), 2u);
  std::string why;
  auto holds = [&](std::vector<Wide> values) { return holds_at(model, values, &why); };
  EXPECT_TRUE(holds({4, 5}));
  EXPECT_FALSE(holds({3, 5}));
  EXPECT_FALSE(holds({5, 5}));
  EXPECT_FALSE(holds({5}));
  EXPECT_FALSE(holds({5, 6, 7}));
  EXPECT_FALSE(holds({4, Wide{1} << 40})) << "beyond its type";
}

TEST(GivenModels, ACellAndAFunctionHaveOneValue) {
  const GivenModel cells = found({le(i32(0), load(kA, {x}) + load(kA, {y}))});
  ASSERT_EQ(cells.inputs.size(), 4u);  // A[x], x, A[y], y
  std::string why;
  auto holds = [&](const GivenModel& of, std::vector<Wide> values) { return holds_at(of, values, &why); };
  EXPECT_TRUE(holds(cells, {1, 3, 2, 4}));
  EXPECT_TRUE(holds(cells, {1, 3, 1, 3}));
  EXPECT_FALSE(holds(cells, {1, 3, 2, 3}));
  const GivenModel calls = found({le(i32(0), function_of(x) + function_of(y))});
  ASSERT_EQ(calls.inputs.size(), 4u);
  EXPECT_TRUE(holds(calls, {1, 3, 2, 4}));
  EXPECT_FALSE(holds(calls, {1, 3, 2, 3}));
}

// Lists that are one but for names are one; what is not given has none.
TEST(GivenModels, AreNumbered) {
  GivenModels models;
  const Expr z = Var::fresh("z", kInt32);
  for (const auto& given : {std::vector<Expr>{lt(x, i32(3))}, {lt(y, i32(3))}, {lt(z, i32(4))}, {}}) {
    models.add(under(given));
  }
  EXPECT_EQ(models.all().size(), 2u);
  EXPECT_EQ(models.number_of(under({lt(z, i32(3))})), 0u);
  EXPECT_EQ(models.number_of(under({lt(x, i32(4))})), 1u);
  EXPECT_EQ(models.number_of(under({lt(x, i32(5))})), std::nullopt);
  EXPECT_EQ(models.number_of(under({})), std::nullopt);
}

}  // namespace given_models_test
}  // namespace hexproof
