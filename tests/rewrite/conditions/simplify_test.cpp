// The rule simplify and its strategy: expressions become clean, conditions are owed, wrong uses are refused.
#include <gtest/gtest.h>

#include "ir/text/text.h"
#include "rewrite/expr_rules/strategy.h"
#include "rewrite/rules/args/values.h"

namespace hexproof {
namespace simplify_test {

class SimplifyTest : public testing::Test {
 protected:
  Prover prover;

  static std::string program(const std::string& loops, const std::string& index) {
    return "@T.prim_func\ndef main(A: T.Buffer((4096,), \"int32\"), n: T.int32):\n" + loops + "A[" + index + "] = 1\n";
  }
  static Stmt store_of(const PrimFunc& func) {
    Stmt found;
    visit_stmt(func.body, [&](const Stmt& s) {
      if (s.as<Store>()) found = s;
      return true;
    });
    return found;
  }
  std::string simplified(const std::string& loops, const std::string& index) {
    Derivation d(pick_function(parse_module(program(loops, index)), ""));
    simplify(d, prover);
    return print(store_of(d.current()).as<Store>()->indices[0]);
  }
};

const char* kTiles = "    for wo, wi, k in T.grid(8, 8, 32):\n        ";

TEST_F(SimplifyTest, TilesBecomeCleanIndices) {
  EXPECT_EQ(simplified(kTiles, "(wo * 8 + wi) // 8"), "wo");
  EXPECT_EQ(simplified(kTiles, "(wo * 8 + wi) % 8"), "wi");
  EXPECT_EQ(simplified(kTiles, "(wi + wo * 8) // 8"), "wo");
  EXPECT_EQ(simplified(kTiles, "((wo * 32 + k) % 32) // 4"), "k // 4");
  EXPECT_EQ(simplified(kTiles, "(wo * 8 + wi + 0) * 1"), "wo * 8 + wi");
  EXPECT_EQ(simplified(kTiles, "(wo * 8 + wi + 8) // 8"), "wo + 1");
  EXPECT_EQ(simplified(kTiles, "T.if_then_else(wo < 8, wi, k)"), "wi");
  EXPECT_EQ(simplified(kTiles, "T.max(wo, 0)"), "wo");
  EXPECT_EQ(simplified(kTiles, "k // 32 + k % 32"), "k");
}

TEST_F(SimplifyTest, WhatIsNotKnownStays) {
  EXPECT_EQ(simplified(kTiles, "(wo * 8 + k) % 8"), "k % 8");
  EXPECT_EQ(simplified(kTiles, "k % 8"), "k % 8");
  EXPECT_EQ(simplified(kTiles, "T.if_then_else(k < 8, wi, wo)"), "T.if_then_else(k < 8, wi, wo)");
}

TEST_F(SimplifyTest, TheConditionIsANeedWithTheNameOfTheExpressionRule) {
  PrimFunc func = pick_function(parse_module(program(kTiles, "k % 8")), "");
  std::vector<Application> all;
  Path at;
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts&) {
    if (s.as<Store>()) at = path;
    return true;
  });
  const SimplifyArgs args{.at = {}, .applications = {{"mod-small", 0, at, {0}}}};
  Rewrite rewrite = rule_by_name("simplify").apply(func, args_of(args));
  ASSERT_FALSE(rewrite.needs.empty());
  EXPECT_EQ(rewrite.needs[0].rule, "mod-small");
  Derivation d(func);
  EXPECT_THROW(d.apply(args, prover), Refused);
  EXPECT_TRUE(d.steps().empty());
}

TEST_F(SimplifyTest, BadArgumentsAreNotApplicable) {
  Derivation d(pick_function(parse_module(program(kTiles, "k % 8")), ""));
  for (const char* text : {"", "x", "mod-small#0@9.9/0", "mod-small#0@/7", "no-such-rule#0@/0", "#@/", "a#-1@0/0",
                           "mod-small#0@0.0.0/0.9.9", "mod-small#99999999999999999999@0/0"}) {
    EXPECT_THROW(d.apply("simplify", {{"at", Path{}}, {"applications", text}}, prover), NotApplicable) << text;
  }
}

TEST_F(SimplifyTest, ApplicationsPrintAndParseBack) {
  std::vector<Application> list{{"mod-small", 1, {0, 2}, {1, 0}}, {"add-zero", 0, {}, {0}}};
  using Field = ArgField<std::vector<Application>>;
  const Arg written = Field::write(list);
  EXPECT_EQ(std::get<std::string>(written), "mod-small#1@0.2/1.0; add-zero#0@/0");
  ASSERT_TRUE(Field::read(written));
  EXPECT_EQ(std::get<std::string>(Field::write(*Field::read(written))), std::get<std::string>(written));
}

TEST_F(SimplifyTest, DataWrapsSoIndexRulesDoNotMatchIt) {
  Buffer a = make_buffer("A", kInt32, {i32(4)});
  Expr cell = load(a, {i32(0)}), product = cell * i32(8);
  EXPECT_TRUE(match_rule("div-of-mul", floordiv(product, i32(8))).empty());
  EXPECT_FALSE(match_rule("div-of-mul", floordiv(Var::fresh("x", kInt32) * i32(8), i32(8))).empty());
  EXPECT_FALSE(match_rule("add-zero", cell + i32(0)).empty());
  // (cell + x) + y would become cell + (x + y) only for constants: those fold and wrap.
  EXPECT_EQ(match_rule("add-constants", (cell + i32(2147483647)) + i32(1)).size(), 1u);
  EXPECT_TRUE(match_rule("add-constants", (Var::fresh("x", kInt32) + i32(2147483647)) + i32(1)).empty());
}

TEST_F(SimplifyTest, MixedMatchesMakeNoNewIndexArithmetic) {
  Buffer a = make_buffer("A", kInt32, {i32(4)});
  Expr cell = load(a, {i32(0)});
  Var y = Var::fresh("y", kInt32), z = Var::fresh("z", kInt32);
  // (cell + y) - (cell + z) -> y - z would be index arithmetic, and may overflow where the wrapping sums did not.
  EXPECT_TRUE(match_rule("sub-common-addend", (cell + y) - (cell + z)).empty());
  EXPECT_FALSE(match_rule("sub-common-addend", (Expr(z) + y) - (Expr(z) + z)).empty());
}

TEST_F(SimplifyTest, AnUndefIsNotCopied) {
  Expr u = undef(kInt32);
  EXPECT_TRUE(match_rule("sub-self", u - u).empty());
  EXPECT_TRUE(match_rule("mul-zero", u * i32(0)).empty());
}

TEST_F(SimplifyTest, FloatZerosAreKept) {
  Var x = Var::fresh("x", kFloat32);
  // Plus zero only where it is known that x is not -0.0.
  ASSERT_EQ(match_all(Expr(x) + fimm(kFloat32, 0.0)).size(), 1u);
  EXPECT_FALSE(match_all(Expr(x) + fimm(kFloat32, 0.0))[0].conditions.empty());
  EXPECT_EQ(match_all(Expr(x) + fimm(kFloat32, -0.0)).size(), 1u);
  EXPECT_TRUE(match_all(Expr(x) * fimm(kFloat32, 0.0)).empty());
}

}  // namespace simplify_test
}  // namespace hexproof
