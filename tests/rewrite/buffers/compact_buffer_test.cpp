#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace compact_buffer_test {

Args compact(const std::string& buffer) { return {{"buffer", buffer}}; }

TEST(CompactBuffer, TileOfTheLoopAround) {
  expect_applies(R"(
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for io in range(4):
        C = T.alloc_buffer((32, 2), "int32")
        for ii in range(8):
            C[io * 8 + ii, 1] = A[io * 8 + ii]
        for ii in range(8):
            B[io * 8 + ii] = C[io * 8 + 7 - ii, 1]
)",
                 "compact-buffer", compact("C"), R"(
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for io in range(4):
        C = T.alloc_buffer((8, 1), "int32")
        for ii in range(8):
            C[io * 8 + ii - io * 8, 1 - 1] = A[io * 8 + ii]
        for ii in range(8):
            B[io * 8 + ii] = C[io * 8 + 7 - ii - io * 8, 1 - 1]
)");
}

TEST(CompactBuffer, PackedLayout) {
  expect_applies(R"(
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for io in range(4):
        C = T.alloc_buffer((4, 8), "int32")
        for ii in range(8):
            C[(io * 8 + ii) // 8, (io * 8 + ii) % 8] = A[io * 8 + ii]
        for ii in range(8):
            B[io * 8 + ii] = C[(io * 8 + ii) // 8, (io * 8 + ii) % 8]
)",
                 "compact-buffer", compact("C"), R"(
def main(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    for io in range(4):
        C = T.alloc_buffer((1, 8), "int32")
        for ii in range(8):
            C[(io * 8 + ii) // 8 - io, (io * 8 + ii) % 8] = A[io * 8 + ii]
        for ii in range(8):
            B[io * 8 + ii] = C[(io * 8 + ii) // 8 - io, (io * 8 + ii) % 8]
)");
}

constexpr const char* kSmall = R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((16,), "int32")
    for i in range(8):
        C[i + 4] = A[i]
    for i in range(8):
        B[i] = C[i + 4]
)";

Args given(const Expr& base, const Expr& extent) {
  Args args = compact("C");
  args["base"] = std::vector<Expr>{base};
  args["extent"] = std::vector<Expr>{extent};
  return args;
}
Args given(int64_t base, int64_t extent) { return given(i32(base), i32(extent)); }

TEST(CompactBuffer, RegionThatIsGiven) { expect_applies(kSmall, "compact-buffer", given(3, 10), ""); }

TEST(CompactBuffer, Condition1TheRegionHoldsEveryIndex) {
  expect_refused_rightly(parse(kSmall), "compact-buffer", given(4, 7), "lies in the part that is kept");
  expect_refused_rightly(parse(kSmall), "compact-buffer", given(5, 8), "lies in the part that is kept");
}

// A base so far below that the new index wraps: 4 + 2^31 is no int32.
TEST(CompactBuffer, Condition2TheNewIndexFitsItsType) {
  Args far = given(min_value(kInt32), 8);
  expect_refused_rightly(parse(kSmall), "compact-buffer", far, "");
  Rewrite rewrite = rule_by_name("compact-buffer").apply(parse(kSmall), far);
  size_t refuted = 0;
  for (const Obligation& o : rewrite.needs) {
    bool shifted = o.why.find("the shifted index fits its type") != std::string::npos;
    refuted += shifted && test_prover().prove(o).verdict == Verdict::Refuted;
  }
  EXPECT_EQ(refuted, 2u);
}

// More memory than before may not be there; less than none is not.
TEST(CompactBuffer, Condition3NoExtentGrowsOrIsNegative) {
  EXPECT_TRUE(refusal(parse(kSmall), "compact-buffer", given(0, 17)));
  PrimFunc unused = parse(R"(
def main(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        C = T.decl_buffer((16,), "int32")
        for j in range(T.min(i - 3, 8)):
            C[j] = A[j]
)");
  Var i = stmt_at(unused, loop_named(unused, "i")).as<For>()->var;
  expect_refused_rightly(unused, "compact-buffer", given(i32(0), Expr(i) - i32(3)), "the new extent is not negative",
                         {{"n", 0}});
}

// A base that is another one while the buffer lives would put a cell in two places.
TEST(CompactBuffer, Condition4TheBaseStaysTheSame) {
  PrimFunc func = parse(kSmall);
  expect_not_applicable(func, "compact-buffer", given(Expr(Var::fresh("z", kInt32)), i32(8)), "is not known where");
  Var inner = stmt_at(func, loop_named(func, "i")).as<For>()->var;
  expect_not_applicable_rightly(func, "compact-buffer", given(Expr(inner) + i32(4), i32(1)), "is not known where", R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((1,), "int32")
    for i in range(8):
        C[i + 4 - (i + 4)] = A[i]
    for i in range(8):
        B[i] = C[i + 4 - (i + 4)]
)");
  Expr cell = load(func.buffer_params()[0], {i32(0)});
  expect_not_applicable(func, "compact-buffer", given(cell, i32(8)), "is no index of the type");
}

TEST(CompactBuffer, DoesNotApply) {
  PrimFunc func = parse(kSmall);
  EXPECT_TRUE(not_applicable(func, "compact-buffer", compact("A")));
  EXPECT_TRUE(not_applicable(func, "compact-buffer", given(0, -1)));
  PrimFunc after = applied(func, "compact-buffer", compact("C"));
  EXPECT_TRUE(not_applicable(after, "compact-buffer", compact("C")));
}

}  // namespace compact_buffer_test
}  // namespace hexproof
