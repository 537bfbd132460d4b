#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

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

TEST(CompactBuffer, RegionThatIsGiven) {
  auto given = [](int64_t base, int64_t extent) {
    Args args = compact("C");
    args["base"] = std::vector<Expr>{i32(base)};
    args["extent"] = std::vector<Expr>{i32(extent)};
    return args;
  };
  expect_applies(kSmall, "compact-buffer", given(3, 10), "");
  expect_refused_rightly(parse(kSmall), "compact-buffer", given(4, 7), "lies in the part that is kept");
  expect_refused_rightly(parse(kSmall), "compact-buffer", given(5, 8), "lies in the part that is kept");
  EXPECT_TRUE(refusal(parse(kSmall), "compact-buffer", given(0, 17)));
  Args free = given(4, 8);
  free["base"] = std::vector<Expr>{Expr(Var::fresh("z", kInt32))};
  EXPECT_TRUE(not_applicable(parse(kSmall), "compact-buffer", free));
}

TEST(CompactBuffer, DoesNotApply) {
  PrimFunc func = parse(kSmall);
  EXPECT_TRUE(not_applicable(func, "compact-buffer", compact("A")));
  PrimFunc after = applied(func, "compact-buffer", compact("C"));
  EXPECT_TRUE(not_applicable(after, "compact-buffer", compact("C")));
}

}  // namespace
}  // namespace hexproof
