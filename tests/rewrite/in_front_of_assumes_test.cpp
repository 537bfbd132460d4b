// What moves in front of an assume rests on it no more: where it is false, the program before ends there, and the one
// after divides first. Of each rule a program in which the assume is what keeps the division from being an error, and
// one in which it stands in front of all.
#include "tests/rewrite/conditions.h"
#include "tests/support/put.h"

namespace hexproof {
namespace in_front_of_assumes_test {

struct Case {
  std::string rule, text;  // with the places EARLY and LATE
  std::string late;        // what is assumed in LATE, and refused; n > 0 in EARLY is not
  std::function<Args(const PrimFunc&)> args;
};

void expect_stays_behind(const Case& c) {
  const PrimFunc late = parse(put(put(c.text, "EARLY", "T.assume(n > -9)"), "LATE", "T.assume(" + c.late + ")"));
  ASSERT_TRUE(refusal(late, c.rule, c.args(late)));
  EXPECT_EQ(error_of(late, {{"n", 0}}), ErrorKind::FalseAssume);
  EXPECT_EQ(error_of(proposed(late, c.rule, c.args(late)), {{"n", 0}}), ErrorKind::Operation);
  const PrimFunc early = parse(put(put(c.text, "EARLY", "T.assume(n > 0)"), "LATE", "T.assume(n > -9)"));
  EXPECT_EQ(difference(early, applied(early, c.rule, c.args(early)), {{"n", 3}}), "");
}

// Iteration (1, 0) comes in front of (0, 1), and so of what that assumes.
constexpr const char* kNest = R"(
def before(B: T.Buffer((2, 2), "int32"), n: T.int32):
    EARLY
    for i in range(2):
        for j in range(2):
            LATE
            B[j, i] = 8 // T.max(i * n, 1 - i)
)";

TEST(Reorder, Condition5AnAssumeOfAnIterationThatComesLaterNow) {
  expect_stays_behind({"reorder", kNest, "n > 0 or i > 0 or j < 1", [](const PrimFunc& func) -> Args {
                         return {{"at", loop_named(func, "i")}, {"order", Path{1, 0}}};
                       }});
}

TEST(ReindexLoops, Condition7AnAssumeOfAnIterationThatComesLaterNow) {
  expect_stays_behind({"reindex-loops", kNest, "n > 0 or i > 0 or j < 1", [](const PrimFunc& func) -> Args {
                         return {{"at", loop_named(func, "i")}, {"count", int64_t{2}},  {"replaced", Path{0, 1}},
                                 {"buffer", std::string("B")},  {"access", int64_t{0}}, {"image", int64_t{1}}};
                       }});
}

TEST(DecomposeReduction, Condition8AnAssumeInTheLoop) {
  expect_stays_behind({"decompose-reduction", R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    EARLY
    for i in range(4):
        for k in range(4):
            LATE
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    B[vi] = 8 // T.max(T.min(vi, 1) * n, 1 - vi)
                B[vi] = B[vi] + A[vi, vk]
)",
                       "n > 0 or i > 0", [](const PrimFunc& func) -> Args {
                         return {{"at", nth<Block>(func)}, {"loop", loop_named(func, "i")}};
                       }});
}

TEST(ReverseComputeAt, Condition7AnAssumeOnTheWay) {
  expect_stays_behind({"reverse-compute-at", R"(
def before(A: T.Buffer((4,), "int32"), O: T.Buffer((4,), "int32"), n: T.int32):
    X = T.alloc_buffer((4,), "int32")
    EARLY
    for x in range(4):
        with T.block("P"):
            v = T.axis.spatial(4, x)
            X[v] = A[v] + 1
    LATE
    for s in range(4):
        with T.block("C"):
            v = T.axis.spatial(4, s)
            O[v] = X[v] // n
)",
                       "n > 0", [](const PrimFunc&) -> Args {
                         return {{"block", std::string("C")}, {"loop", std::string("x")}};
                       }});
}

}  // namespace in_front_of_assumes_test
}  // namespace hexproof
