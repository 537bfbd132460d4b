// The second line on pairs of programs: right ones pass, wrong ones are shown, and what stays open is said.
#include "verify/equiv/validate.h"

#include <gtest/gtest.h>

#include "tests/verify/programs.h"
#include "verify/equiv/cross_check.h"
#include "verify/equiv/sizes.h"

namespace hexproof {
namespace validate_test {

Validation judged(const std::string& before, const std::string& after, const RelationRequest& relation = {},
                  const ValidationOptions& options = {}) {
  Prover prover;
  return validate(parse(before), parse(after), relation, prover, options);
}

std::string words(const Validation& v) {
  std::string out = "disagrees: " + v.disagrees + "\n" + v.witness + "\n" + v.not_compared + "\n";
  if (v.check) out += "check: " + describe(*v.check) + "\n";
  if (v.runs) out += "runs: " + v.runs->says + "\n";
  if (!v.equiv) return out;
  out += "equiv: " + v.equiv->reason + "\n";
  for (const Evidence& e : v.equiv->evidence) out += "  " + e.method + ": " + e.says + "\n";
  return out;
}

std::string vector8(const std::string& body, const std::string& type = "int32") {
  return "def main(A: T.Buffer((8,), \"" + type + "\"), B: T.Buffer((8,), \"" + type + "\")):\n" + body;
}
std::string map8(const std::string& value) { return vector8("    for i in range(8):\n        B[i] = " + value + "\n"); }
std::string map_n(const std::string& value, const std::string& end = "n") {
  return "def main(n: T.int32, A: T.Buffer((n,), \"int32\"), B: T.Buffer((n,), \"int32\")):\n    for i in range(" +
         end + "):\n        B[i] = " + value + "\n";
}

TEST(Validate, ARightPairPassesAllThree) {
  Validation v = judged(map8("A[i] + A[i]"), map8("A[i] * 2"));
  EXPECT_EQ(v.disagrees, "") << words(v);
  ASSERT_TRUE(v.check && v.equiv && v.runs);
  EXPECT_EQ(v.check->finding, Finding::Proved);
  EXPECT_EQ(v.equiv->finding, Finding::Proved) << words(v);
  EXPECT_EQ(v.runs->inputs, 32u);
}

TEST(Validate, AnotherValueIsShownByRuns) {
  Validation v = judged(map8("A[i] * 2"), map8("A[i] * 3"));
  EXPECT_EQ(v.disagrees, "runs") << words(v);
  EXPECT_NE(v.witness.find("these cells differ"), std::string::npos) << v.witness;
  EXPECT_NE(v.witness.find("after:  <text>:3:9: B[i] = A[i] * 3"), std::string::npos) << v.witness;
}

// No random input has this number in a cell.
TEST(Validate, AValueThatIsRareIsShownByEquiv) {
  Validation v = judged(map8("A[i] * 2"), map8("T.if_then_else(A[i] == 123456789, 0, A[i] * 2)"));
  EXPECT_EQ(v.disagrees, "equiv") << words(v);
  EXPECT_NE(v.witness.find("123456789"), std::string::npos) << v.witness;
}

TEST(Validate, AFalseClaimIsShownByCheck) {
  const std::string block =
      "    for i in range(8):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(8, i)\n"
      "            T.reads(A[CELL])\n            T.writes(B[vi])\n            B[vi] = A[vi]\n";
  std::string right = block, wrong = block;
  right.replace(right.find("CELL"), 4, "vi"), wrong.replace(wrong.find("CELL"), 4, "0");
  EXPECT_EQ(judged(map8("A[i]"), vector8(right)).disagrees, "");
  Validation v = judged(map8("A[i]"), vector8(wrong));
  EXPECT_EQ(v.disagrees, "check") << words(v);
  EXPECT_FALSE(v.witness.empty());
}

TEST(Validate, ANewErrorIsShown) {
  Validation v = judged(map8("A[i]"), map8("A[i + 1]"));
  EXPECT_EQ(v.disagrees, "runs") << words(v);
  EXPECT_NE(v.witness.find("out of bounds"), std::string::npos) << v.witness;
}

TEST(Validate, ARaceOfTheResultIsShown) {
  const std::string sum = "    B[0] = 0\n    for i in LOOP:\n        B[0] = B[0] + A[i]\n";
  auto with = [&](const std::string& loop) { return vector8(std::string(sum).replace(sum.find("LOOP"), 4, loop)); };
  EXPECT_EQ(judged(with("range(8)"), with("T.unroll(8)")).disagrees, "");
  EXPECT_NE(judged(with("range(8)"), with("T.parallel(8)")).disagrees, "");
}

TEST(Validate, ThroughTheInterfaceOfAChangedLayout) {
  auto packed = [](const std::string& pad) {
    return "def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((3, 3), \"int32\")):\n"
           "    for i, j in T.grid(3, 3):\n"
           "        if 3 * i + j < 8:\n"
           "            B[i, j] = A[3 * i + j]\n"
           "        else:\n"
           "            B[i, j] = " +
           pad + "\n";
  };
  RelationRequest relation;
  Var i = Var::fresh("i", kInt32);
  IndexMap map;
  map.inputs = {i};
  map.outputs = {floordiv(i, i32(3)), floormod(i, i32(3))};
  relation.layouts.emplace("B", map);
  relation.pads.emplace("B", "5");
  Validation right = judged(map8("A[i]"), packed("5"), relation);
  EXPECT_EQ(right.disagrees, "") << words(right);
  EXPECT_EQ(right.equiv->finding, Finding::Proved) << words(right);
  EXPECT_EQ(judged(map8("A[i]"), packed("6"), relation).disagrees, "runs");
  EXPECT_NE(judged(map8("A[i]"), packed("5"), {}).not_compared, "");
}

// All sizes are looked at by the parametric method, and some of them by the others.
TEST(Validate, SymbolicSizes) {
  Validation right = judged(map_n("A[i] + 1"), map_n("1 + A[i]"));
  EXPECT_EQ(right.disagrees, "") << words(right);
  EXPECT_EQ(right.equiv->finding, Finding::Proved) << words(right);
  EXPECT_GE(right.equiv->evidence.size(), 2u) << words(right);
  EXPECT_NE(right.runs_at.find("n = 2"), std::string::npos) << right.runs_at;
  EXPECT_EQ(judged(map_n("A[i] + 1"), map_n("A[i] + 1", "T.max(n - 1, 0)")).disagrees, "runs");
}

// Scalar parameters take values from the edges of their type, too.
TEST(Validate, ADifferenceAtALargeNumberOnly) {
  auto with = [](const std::string& value) {
    return "def main(n: T.int32, B: T.Buffer((2,), \"int32\")):\n    B[0] = " + value + "\n    B[1] = 0\n";
  };
  Validation v = judged(with("T.if_then_else(n > 1000, 7, 3)"), with("3"));
  EXPECT_NE(v.disagrees, "") << words(v);
}

TEST(Validate, InputsSatisfyWhatIsAssumed) {
  const std::string assume = "    for i in range(8):\n        T.assume(A[i] == 77)\n";
  const std::string before = vector8(assume + "    for i in range(8):\n        B[i] = A[i]\n");
  const std::string after = vector8(assume + "    for i in range(8):\n        B[i] = 77\n");
  EXPECT_EQ(judged(before, after).runs->inputs, 0u);
  auto fixed = [](const PrimFunc&, std::vector<Tensor>& inputs, const std::vector<int64_t>&) {
    for (size_t k = 0; k < inputs[0].data.size(); ++k) inputs[0].data[k] = k % 4 == 0 ? 77 : 0;
  };
  Validation v = judged(before, after, {}, {.satisfy = fixed});
  EXPECT_EQ(v.disagrees, "") << words(v);
  EXPECT_EQ(v.runs->inputs, 32u);
}

// What is too large is left open, quickly, and is no disagreement.
TEST(Validate, WhatIsTooLargeStaysOpen) {
  const std::string sum =
      "def main(A: T.Buffer((4096, 4096), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
      "    B[0] = T.float32(0)\n"
      "    for i, j in T.grid(4096, 4096):\n"
      "        B[0] = B[0] + A[ROW, COLUMN]\n";
  std::string other = sum, plain = sum;
  plain.replace(plain.find("ROW, COLUMN"), 11, "i, j");
  other.replace(other.find("ROW, COLUMN"), 11, "j, i");
  Validation v = judged(plain, other);
  EXPECT_EQ(v.disagrees, "") << words(v);
  EXPECT_EQ(v.runs->inputs, 0u);
  EXPECT_EQ(v.equiv->finding, Finding::Undecided) << words(v);
  EXPECT_FALSE(v.equiv->reason.empty());
}

TEST(Validate, WhatCannotBeComparedIsSaid) {
  const std::string vectors =
      "def main(A: T.Buffer((8,), \"int32x4\"), B: T.Buffer((8,), \"int32x4\")):\n    for i in range(8):\n"
      "        B[i] = A[i]\n";
  std::string other = vectors;
  other.replace(other.find("= A[i]"), 6, "= A[7 - (7 - i)]");
  Validation v = judged(vectors, other);
  EXPECT_EQ(v.disagrees, "");
  EXPECT_NE(v.not_compared.find("vectors as elements"), std::string::npos) << words(v);
  EXPECT_TRUE(v.check.has_value());
  EXPECT_FALSE(v.equiv.has_value());
}

TEST(Validate, CheckAlone) {
  Validation v = judged(map8("A[i] * 2"), map8("A[i] * 3"), {}, {.compare = false});
  EXPECT_EQ(v.disagrees, "");
  EXPECT_TRUE(v.check.has_value());
  EXPECT_FALSE(v.equiv || v.runs);
}

TEST(Validate, AProgramThatDidNotChange) {
  Validation v = judged(map8("A[i] * 2"), map8("A[i] * 2"));
  EXPECT_TRUE(v.unchanged);
  EXPECT_FALSE(v.equiv || v.runs);
}

/// As if the parametric method had proved it.
EquivReport claimed(const std::string& before, const std::string& after) {
  EquivReport report;
  report.pair = pair_programs(parse(before), parse(after));
  report.finding = Finding::Proved;
  report.method = "parametric";
  cross_check(&report, {});
  return report;
}

TEST(CrossCheck, AWrongProofIsContradictedByAnInput) {
  for (const auto& [before, after] :
       {std::pair{map8("A[i] * 2"), map8("T.if_then_else(A[i] == 123456789, 0, A[i] * 2)")},
        std::pair{map_n("A[i]"), map_n("T.if_then_else(i == 2 and A[i] == 123456789, 0, A[i])")}}) {
    EquivReport report = claimed(before, after);
    EXPECT_EQ(report.finding, Finding::Refuted);
    EXPECT_EQ(report.contradicted, "parametric");
    EXPECT_EQ(report.method, "symbolic");
    ASSERT_TRUE(report.counterexample.has_value());
    EXPECT_FALSE(report.counterexample->differences.empty());
  }
}

// Too large for terms: an input of random numbers is tried instead.
TEST(CrossCheck, ALargePair) {
  auto copy = [](const std::string& index) {
    return "def main(A: T.Buffer((160, 160), \"int32\"), B: T.Buffer((160, 160), \"int32\")):\n"
           "    for i, j in T.grid(160, 160):\n        B[i, j] = A[" +
           index + "]\n";
  };
  EquivReport report = claimed(copy("i, j"), copy("j, i"));
  EXPECT_EQ(report.contradicted, "parametric");
  EXPECT_EQ(report.method, "tests");
}

TEST(CrossCheck, ARightProofStands) {
  EquivReport report = claimed(map_n("A[i] + A[i]"), map_n("A[i] * 2"));
  EXPECT_EQ(report.finding, Finding::Proved);
  EXPECT_EQ(report.contradicted, "");
  ASSERT_FALSE(report.evidence.empty());
  EXPECT_EQ(report.evidence[0].finding, Finding::Proved);
  Prover prover;
  EquivReport whole = equiv(report.pair, prover);
  EXPECT_EQ(whole.method, "parametric");
  ASSERT_GE(whole.evidence.size(), 2u);
  EXPECT_EQ(whole.evidence[1].method, "symbolic");
}

TEST(ReachingSizes, AreTheSmallestThatReachWhatCanBeReached) {
  auto branch = [](const std::string& c) {
    return "def main(n: T.int32, B: T.Buffer((n,), \"int32\")):\n    for i in range(n):\n        if " + c +
           ":\n            B[i] = 1\n        else:\n            B[i] = 2\n";
  };
  ProgramPair pair = pair_programs(parse(branch("i < 2")), parse(branch("i <= 1")));
  ReachingSizes look = reaching_sizes(pair, 10'000, {});
  ASSERT_GE(look.sizes.size(), 1u);
  EXPECT_EQ(look.sizes[0].before_scalars, std::vector<int64_t>{3});
  EXPECT_EQ(look.reached, 4u);
  EXPECT_EQ(look.statements, 4u);
  pair = pair_programs(parse(branch("i < 1000")), parse(branch("i <= 999")));
  look = reaching_sizes(pair, 10'000, {});
  EXPECT_EQ(look.reached, 2u);
}

}  // namespace validate_test
}  // namespace hexproof
