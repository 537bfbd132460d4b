#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace skip_overlap_test {

constexpr const char* kRule = "skip-overlap";

Args skip(int64_t overlap, int64_t axis = 0, const std::string& loop = "i", const std::string& block = "B") {
  return {{"block", block}, {"loop", loop}, {"axis", axis}, {"overlap", overlap}};
}

/// BINDING of the block's variable; WHERE, its predicate or other lines; VALUE; FIRST in front of the loop, EACH at the
/// end of an iteration.
std::string window(const std::string& binding = "i + x", const std::string& where = "",
                   const std::string& value = "A[v] * 2", const std::string& first = "", const std::string& each = "") {
  return R"(
def before(A: T.Buffer((24,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((24,), "int32")
)" + (first.empty() ? "" : "    " + first + "\n") +
         R"(    for i in range(8):
        for x in range(3):
            with T.block("B"):
                v = T.axis.spatial(24, )" +
         binding + ")\n" + (where.empty() ? "" : "                T.where(" + where + ")\n") +
         "                B[v] = " + value + "\n        C[i] = B[i] + B[i + 1] + B[i + 2]\n" +
         (each.empty() ? "" : "        " + each + "\n");
}
constexpr const char* kFilled = "for k in range(24): B[k] = 0";

TEST(SkipOverlap, AWindow) {
  expect_applies(window(), kRule, skip(2), window("i + x", "i < 1 or 2 <= x"));
  expect_applies(window(), kRule, skip(1), window("i + x", "i < 1 or 1 <= x"));
}

TEST(SkipOverlap, SumsInTwoDirections) {
  const char* text = R"(
def before(A: T.Buffer((12, 12), "int8"), C: T.Buffer((8, 8), "int8")):
    B = T.alloc_buffer((10, 10), "int8")
    for i0, i1 in T.grid(2, 2):
        for ax0, ax1, ax2, ax3 in T.grid(6, 6, 3, 3):
            with T.block("B"):
                v0 = T.axis.spatial(10, i0 * 4 + ax0)
                v1 = T.axis.spatial(10, i1 * 4 + ax1)
                rv0, rv1 = T.axis.remap("RR", [ax2, ax3])
                with T.init():
                    B[v0, v1] = T.int8(-128)
                B[v0, v1] = T.max(B[v0, v1], A[v0 + rv0, v1 + rv1])
        for ax0, ax1, ax2, ax3 in T.grid(4, 4, 3, 3):
            with T.block("C"):
                v0 = T.axis.spatial(8, i0 * 4 + ax0)
                v1 = T.axis.spatial(8, i1 * 4 + ax1)
                rv0, rv1 = T.axis.remap("RR", [ax2, ax3])
                with T.init():
                    C[v0, v1] = T.int8(-128)
                C[v0, v1] = T.max(C[v0, v1], B[v0 + rv0, v1 + rv1])
)";
  const PrimFunc func = parse(text), rows = applied(func, kRule, skip(2, 0, "i0")),
                 both = applied(rows, kRule, skip(2, 1, "i1"));
  EXPECT_EQ(difference(func, both), "");
  EXPECT_NE(print(both).find("T.where((i0 < 1 or 2 <= ax0) and (i1 < 1 or 2 <= ax1))"), std::string::npos)
      << print(both);
  EXPECT_TRUE(refusal(func, kRule, skip(3, 0, "i0")));
  EXPECT_TRUE(refusal(func, kRule, skip(2, 1, "i0")));
}

TEST(SkipOverlap, DoesNotApply) {
  const PrimFunc func = parse(window());
  EXPECT_TRUE(not_applicable(func, kRule, skip(0)));
  EXPECT_TRUE(not_applicable(func, kRule, skip(2, 1)));
  EXPECT_TRUE(not_applicable(func, kRule, skip(2, 0, "x")));
  EXPECT_TRUE(not_applicable(func, kRule, skip(2, 0, "i", "none")));
  EXPECT_TRUE(not_applicable(parse(window("i + 2 * x")), kRule, skip(2)));
}

TEST(SkipOverlap, Condition1SerialLoopsOnTheWay) {
  std::string parallel = window();
  parallel.replace(parallel.find("range(8)"), 8, "T.parallel(8)");
  expect_not_applicable(parse(parallel), kRule, skip(2), "is not serial");
  const std::string guarded = R"(
def before(A: T.Buffer((24,), "int32"), C: T.Buffer((8,), "int32")):
    B = T.alloc_buffer((24,), "int32")
    for k in range(24):
        B[k] = 0
    for i in range(8):
        if i % 2 == 0:
            for x in range(3):
                with T.block("B"):
                    v = T.axis.spatial(24, i + x)
WHERE                    B[v] = A[v] * 2
            C[i] = 1
        C[i] = B[i] + B[i + 1] + B[i + 2]
)";
  auto with = [&](const std::string& where) {
    std::string out = guarded;
    return out.replace(out.find("WHERE"), 5, where);
  };
  expect_not_applicable_rightly(parse(with("")), kRule, skip(2), "there is more than loops",
                                with("                    T.where(i < 1 or 2 <= x)\n"));
}

TEST(SkipOverlap, Condition2OneMemoryThatNobodyElseWrites) {
  expect_not_applicable_rightly(parse(window("i + x", "", "A[v] * 2", "", "B[i + 1] = 7")), kRule, skip(2),
                                "is written elsewhere in the loop",
                                window("i + x", "i < 1 or 2 <= x", "A[v] * 2", "", "B[i + 1] = 7"));
  const std::string inside = R"(
def before(A: T.Buffer((24,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        B = T.alloc_buffer((24,), "int32")
        for x in range(3):
            with T.block("B"):
                v = T.axis.spatial(24, i + x)
WHERE                B[v] = A[v] * 2
        C[i] = B[i] + B[i + 1] + B[i + 2]
)";
  auto with = [&](const std::string& where) {
    std::string out = inside;
    return out.replace(out.find("WHERE"), 5, where);
  };
  expect_not_applicable_rightly(parse(with("")), kRule, skip(2), "another memory in each iteration",
                                with("                T.where(i < 1 or 2 <= x)\n"));
  expect_not_applicable(parse(window("i + x", "", "A[v] * 2", "", "T.assume(B[i] == A[i] * 2)")), kRule, skip(2),
                        "an assume speaks of 'B'");
}

TEST(SkipOverlap, Condition3ACellHasOneValue) {
  expect_not_applicable_rightly(parse(window("i + x", "", "A[v] * 2", "", "A[i + 1] = 7")), kRule, skip(2),
                                "'A', which the block reads, is written in the loop",
                                window("i + x", "i < 1 or 2 <= x", "A[v] * 2", "", "A[i + 1] = 7"));
  expect_not_applicable_rightly(parse(window("i + x", "", "A[v] * i")), kRule, skip(2), "uses 'i' beside",
                                window("i + x", "i < 1 or 2 <= x", "A[v] * i"));
  expect_not_applicable_rightly(parse(window("i + x", "", "B[v] + A[v]", kFilled)), kRule, skip(2), "no init sets",
                                window("i + x", "i < 1 or 2 <= x", "B[v] + A[v]", kFilled));
}

TEST(SkipOverlap, Condition4ItRanOneIterationBefore) {
  expect_refused_rightly(parse(window("i + x", "", "A[v] * 2", kFilled)), kRule, skip(3), "lay in the loops");
  expect_refused_rightly(parse(window("i * 2 + x", "", "A[v] * 2", kFilled)), kRule, skip(2), "lay in the loops");
  expect_applies(window("i * 2 + x", "", "A[v] * 2", kFilled), kRule, skip(1), "");
  expect_refused_rightly(parse(window("i + x", "i % 2 == 0", "A[v] * 2", kFilled)), kRule, skip(2),
                         "the predicate said the same");
  expect_applies(window("i + x", "i + x < 9", "A[v] * 2", kFilled), kRule, skip(2), "");
}

}  // namespace skip_overlap_test
}  // namespace hexproof
