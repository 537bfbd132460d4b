// What padding is good for: a branch that keeps a computation out of it goes when the padding is neutral.
#include <limits>

#include "tests/rewrite/layouts/layouts.h"

namespace hexproof {
namespace layout_overcompute_test {

/// RFC 77, "Overcompute vs Branching", before the layout of A changes. UPDATE combines B[i] and the element, FIRST is
/// where it starts.
PrimFunc rows(const std::string& type, const std::string& first, const std::string& update) {
  return parse(
      "def rows(A: T.Buffer((16, 14), \"" + type + "\"), B: T.Buffer((16,), \"" + type + "\")):\n" +
      "    for i in range(16):\n        B[i] = T." + type + "(" + first + ")\n" +
      "        for jo, ji in T.grid(4, 4):\n            if jo * 4 + ji < 14:\n                B[i] = " + update + "\n");
}

constexpr const char* kMap = "lambda i, j: [i, j // 4, j % 4]";
constexpr const char* kAdd = "B[i] + A[i, jo * 4 + ji]";
constexpr const char* kMax = "T.max(B[i], A[i, jo * 4 + ji])";

Args branch(const PrimFunc& func) { return {{"at", nth<If>(func)}}; }

/// Pads A, then takes the branch away.
void expect_overcomputed(const PrimFunc& func, const Arg& pad) {
  Derivation d(func);
  d.apply("transform-layout", layout("A", kMap, pad), test_prover());
  d.apply("overcompute", branch(d.current()), test_prover());
  EXPECT_TRUE(find_all(d.current(), [](const Stmt& s) { return s.as<If>() != nullptr; }).empty());
  expect_related(d);
}

/// The same is refused, and rightly: what the rule proposes does something else, or reads what is not there.
void expect_not_overcomputed(const PrimFunc& func, const Args& pad) {
  Derivation d(func);
  d.apply("transform-layout", pad, test_prover());
  EXPECT_TRUE(refusal(d.current(), "overcompute", branch(d.current())));
  PrimFunc tempting = proposed(d.current(), "overcompute", branch(d.current()));
  bool wrong = false;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<Tensor> before = random_inputs(func, seed);
    // Half of the inputs are negative throughout.
    auto width = static_cast<size_t>(before[0].dtype.bytes());
    for (size_t at = width - 1; seed % 2 && at < before[0].data.size(); at += width) before[0].data[at] |= 0x80;
    std::vector<Tensor> after = pack_all(d, before);
    RunResult a = run(func, before), b = run(tempting, after);
    ASSERT_FALSE(a.error);
    wrong |= b.error || first_difference(before[1], after[1]) >= 0;
  }
  EXPECT_TRUE(wrong) << print(tempting);
}

TEST(LayoutOvercompute, NeutralPadding) {
  for (const char* type : {"int8", "int32"}) expect_overcomputed(rows(type, "0", kAdd), i32(0));
  expect_overcomputed(rows("int8", "-128", kMax), i32(-128));
  expect_overcomputed(rows("int32", "-2147483648", kMax), imm(kInt32, std::numeric_limits<int32_t>::min()));
}

// Trap 18: 0 is neutral for a sum, and not for the greatest of negative values.
TEST(LayoutOvercompute, PaddingThatIsNotNeutral) {
  expect_not_overcomputed(rows("int8", "0", kAdd), layout("A", kMap, i32(1)));
  expect_not_overcomputed(rows("int8", "-128", kMax), layout("A", kMap, i32(0)));
}

// Trap 1: padding is known to equal 0.0, which -0.0 does, and -0.0 + 0.0 is 0.0. A sum that starts at 0.0 never is
// -0.0.
TEST(LayoutOvercompute, FloatSumsThatStartAtMinusZeroNeedAFlag) {
  for (const char* type : {"float16", "float32"}) {
    expect_overcomputed(rows(type, "0", kAdd), i32(0));
    Derivation d(rows(type, "-0.0", kAdd));
    d.apply("transform-layout", layout("A", kMap, i32(0)), test_prover());
    EXPECT_TRUE(refusal(d.current(), "overcompute", branch(d.current())));
  }
}

// Trap 4: without a pad value nothing is there to be read; with undef something is, but it counts.
TEST(LayoutOvercompute, PaddingThatNobodyFilled) {
  expect_not_overcomputed(rows("int32", "0", kAdd), layout("A", kMap));
  Derivation d(rows("int32", "0", "B[i] + A[i, jo * 4 + ji] * 0"));
  d.apply("transform-layout", layout("A", kMap), test_prover());
  std::optional<Refused> refused = refusal(d.current(), "overcompute", branch(d.current()));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("finds a cell that was written"), std::string::npos) << refused->what();
  Derivation open(rows("int32", "0", kAdd));
  open.apply("transform-layout", layout("A", kMap, std::string("undef")), test_prover());
  EXPECT_TRUE(refusal(open.current(), "overcompute", branch(open.current())));
}

}  // namespace layout_overcompute_test
}  // namespace hexproof
