#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace remove_assume_test {

TEST(RemoveAssume, AllOfThemAndTheirLoops) {
  expect_applies(R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(n > 0)
    for i in range(4):
        T.assume(A[i] != 77)
    for i in range(4):
        T.assume(i < 5)
        B[i] = A[i] // n
)",
                 "remove-assume", {}, R"(
def after(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.func_attr({"hexproof.lowered": True})
    for i in range(4):
        B[i] = A[i] // n
)",
                 {{"n", 3}});
}

TEST(RemoveAssume, DoesNotApply) {
  PrimFunc func = parse("def before(A: T.Buffer((4,), 'int32')):\n    A[0] = 1\n");
  expect_not_applicable(func, "remove-assume", {}, "the function assumes nothing");
}

// The permission to read is what gave the cells a value.
TEST(RemoveAssume, Condition1AReadThatOnlyThePermissionAllowed) {
  const std::string text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(FILLED):
        C[i] = A[i % 4]
    for i in range(4, 8):
        T.assume(C[i] == T.undef(dtype="int32"))
    for i in range(8):
        B[i] = C[i] - C[i]
)";
  auto with = [&](const std::string& filled) {
    std::string out = text;
    return parse(out.replace(out.find("FILLED"), 6, filled));
  };
  PrimFunc half = with("4"), whole = with("8");
  expect_refused_rightly(half, "remove-assume", {}, "finds a cell that was written");
  EXPECT_EQ(difference(whole, applied(whole, "remove-assume", {})), "");
}

// An argument's cells hold some value on entry, which is all that the permission says.
TEST(RemoveAssume, Condition1AnArgumentHoldsSomeValue) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(6, 8):
        T.assume(A[i] == T.undef(dtype="int32"))
    for i in range(8):
        B[i] = A[i] - A[i]
)");
  EXPECT_EQ(difference(func, applied(func, "remove-assume", {})), "");
}

}  // namespace remove_assume_test
}  // namespace hexproof
