// What blocks claim once their branch is gone: domains grow, instances stay apart, or the branch stays.
#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace overcompute_claims_test {

// The values of the block's variable behind its domain are padding now.
constexpr const char* kPadded = R"(
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 2 and io * 4 + ii < 14:
            with T.block("double"):
                vi = T.axis.spatial(12, io * 4 + ii - 2)
                T.reads(A[(vi + 2) // 4, (vi + 2) % 4])
                T.writes(B[(vi + 2) // 4, (vi + 2) % 4])
                B[(vi + 2) // 4, (vi + 2) % 4] = A[(vi + 2) // 4, (vi + 2) % 4] * 2
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 2 or io * 4 + ii >= 14:
            B[io, ii] = 0
)";

// Of a variable that is reduced the end alone: the init stays where it was.
TEST(Overcompute, Condition5DomainsOfReductionsGrowAtTheirEnd) {
  const char* text = R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii < 14 or A[io, ii] == 0)
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            with T.block("B"):
                vi = T.axis.reduce(14, io * 4 + ii)
                with T.init():
                    B[0] = 0
                B[0] = B[0] + A[vi // 4, vi % 4]
)";
  PrimFunc after = applied(parse(text), "overcompute", {{"at", nth<If>(parse(text))}});
  EXPECT_NE(print(after).find("T.axis.reduce(16, io * 4 + ii)"), std::string::npos) << print(after);
  // In front of the domain there is no place: the init would run where it did not.
  PrimFunc front = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((1,), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(io * 4 + ii >= 2 or A[io, ii] == 0)
    for io, ii in T.grid(4, 4):
        if io * 4 + ii >= 2:
            with T.block("B"):
                vi = T.axis.reduce((2, 16), io * 4 + ii)
                with T.init():
                    B[0] = 0
                B[0] = B[0] + A[vi // 4, vi % 4]
)");
  EXPECT_TRUE(refusal(front, "overcompute", {{"at", nth<If>(front)}}));
}

TEST(Overcompute, Condition5DomainsGrow) {
  PrimFunc before = parse(kPadded);
  Args args{{"at", nth<If>(before)}, {"stores", std::string("by 1.0.0.0#0")}};
  PrimFunc after = applied(before, "overcompute", args);
  EXPECT_NE(print(after).find("vi = T.axis.spatial((-2, 14), io * 4 + ii - 2)"), std::string::npos) << print(after);
  EXPECT_EQ(check(after, test_prover()).finding, Finding::Proved) << print(after);
  EXPECT_EQ(difference(before, after), "");
}

constexpr const char* kTwice = R"(
def main(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 7
    for i in range(6):
        if i < 4:
            with T.block("again"):
                vi = T.axis.KIND(4, i)
                B[vi % 4] = 7
)";

// Two instances store to one cell: they are not spatial any more.
TEST(Overcompute, Condition5InstancesStayApart) {
  PrimFunc spatial = parse(put(kTwice, "KIND", "spatial")), opaque = parse(put(kTwice, "KIND", "opaque"));
  EXPECT_EQ(check(spatial, test_prover()).finding, Finding::Proved);
  std::optional<Refused> refused = refusal(spatial, "overcompute", {{"at", nth<If>(spatial)}});
  ASSERT_TRUE(refused);
  EXPECT_NE(std::string(refused->what()).find("share no cell"), std::string::npos) << refused->what();
  EXPECT_EQ(check(proposed(spatial, "overcompute", {{"at", nth<If>(spatial)}}), test_prover()).finding,
            Finding::Refuted);
  PrimFunc after = applied(opaque, "overcompute", {{"at", nth<If>(opaque)}});
  EXPECT_NE(print(after).find("T.axis.opaque(6, i)"), std::string::npos) << print(after);
  EXPECT_EQ(check(after, test_prover()).finding, Finding::Proved) << print(after);
  EXPECT_EQ(difference(opaque, after), "");
}

}  // namespace overcompute_claims_test
}  // namespace hexproof
