#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace clamp_index_test {

/// The index of the first load in the value of the first store.
Args clamp(const PrimFunc& func, Path expr = {1, 0}) { return {{"at", nth<Store>(func)}, {"expr", expr}}; }

TEST(ClampIndex, ThereAndBack) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            B[i] = A[i]
)";
  const char* after = R"(
def after(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            B[i] = A[i % 4]
)";
  expect_applies(text, "clamp-index", clamp(parse(text)), after);
  Args back = clamp(parse(after));
  back["back"] = int64_t{1};
  expect_applies(after, "clamp-index", back, text);
}

TEST(ClampIndex, UnderAChoice) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.if_then_else(i >= 4, A[i - 4], T.int8(0))
)";
  expect_applies(text, "clamp-index", clamp(parse(text), {1, 1, 0}), R"(
def after(A: T.Buffer((4,), "int8"), B: T.Buffer((8,), "int8")):
    for i in range(8):
        B[i] = T.if_then_else(i >= 4, A[(i - 4) % 4], T.int8(0))
)");
}

TEST(ClampIndex, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "float32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        A[i] = A[i] + T.float32(1)
        B[i] = i + T.undef(dtype="int32")
)");
  Args back = clamp(func, {0});
  back["back"] = int64_t{1};
  expect_not_applicable(func, "clamp-index", back, "no floor remainder");
  expect_not_applicable(func, "clamp-index", clamp(func, {1, 0}), "not an integer");
  Args undef = {{"at", nth<Store>(func, 1)}, {"expr", Path{1, 1}}, {"extent", int64_t{8}}};
  expect_not_applicable(func, "clamp-index", undef, "holds an undef");
  expect_not_applicable(func, "clamp-index", {{"at", nth<Store>(func, 1)}, {"expr", Path{1, 0}}},
                        "no extent of its type is given");
}

TEST(ClampIndex, Condition1OutsideOfTheRange) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i % 4] + i
        C[i] = i - 3
)");
  Args back = clamp(func, {1, 0, 0});
  back["back"] = int64_t{1};
  expect_refused_rightly(func, "clamp-index", back, "less than the extent");
  Args plain = clamp(func, {1, 1});
  plain["extent"] = int64_t{4};
  expect_refused_rightly(func, "clamp-index", plain, "less than the extent");
  plain["extent"] = int64_t{8};
  EXPECT_EQ(difference(func, applied(func, "clamp-index", plain)), "");
  Args negative = {{"at", nth<Store>(func, 1)}, {"expr", Path{1}}, {"extent", int64_t{8}}};
  expect_refused_rightly(func, "clamp-index", negative, "not negative");
}

// The remainder is computed where the plain index was: a divisor that overflows is a new error.
TEST(ClampIndex, Condition2AnExtentThatIsAnError) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        A[i] = i + 1
)");
  Expr n(func.scalars()[0]);
  Args args = clamp(func, {1, 0});
  args["extent"] = binary(Op::Max, n * n, i32(8));
  expect_refused_rightly(func, "clamp-index", args, "the extent is no error", {{"n", 65536}});
  args["extent"] = binary(Op::Max, n, i32(8));
  EXPECT_EQ(difference(func, applied(func, "clamp-index", args), {{"n", 65536}}), "");
}

// What a buffer holds may be anything, and may change.
TEST(ClampIndex, Condition2AnExtentThatIsData) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = i + 1
)");
  Args args = clamp(func, {1, 0});
  args["extent"] = load(func.buffer_params()[0], {i32(0)});
  expect_not_applicable_rightly(func, "clamp-index", args, "depends on the content of a buffer", R"(
def wrong(A: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = i % A[0] + 1
)");
}

}  // namespace clamp_index_test
}  // namespace hexproof
