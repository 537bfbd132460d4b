#include "tests/rewrite/conditions.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace remove_undef_store_test {

/// "choose", as lower_hints does where a store may not go.
PrimFunc chosen(const PrimFunc& func) {
  PrimFunc after = applied(func, "remove-undef-store", {{"kind", std::string("choose")}});
  EXPECT_EQ(print(after).find("T.undef"), std::string::npos) << print(after);
  return after;
}

TEST(RemoveUndefStore, EarlierReadsDoNotCount) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        B[i] = A[i]
    for i in range(6, 8):
        A[i] = T.undef(dtype="float32")
)");
  PrimFunc after = applied(func, "remove-undef-store", {{"at", nth<Store>(func, 1)}});
  EXPECT_EQ(difference(func, after), "");
  PrimFunc looped = parse(R"(
def before(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    C = T.alloc_buffer((1,), "float32")
    C[0] = T.float32(0)
    for i in range(8):
        B[i] = C[0] - C[0]
        C[0] = T.undef(dtype="float32")
)");
  EXPECT_TRUE(refusal(looped, "remove-undef-store", {{"at", nth<Store>(looped, 2)}}));
}

TEST(RemoveUndefStore, AnUndefInsideOfAnExpression) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.undef(dtype="int32") * 2 + 1
)");
  EXPECT_TRUE(not_applicable(func, "remove-undef-store", {{"at", nth<Store>(func)}}));
  PrimFunc after = chosen(func);
  std::vector<Tensor> tensors = random_inputs(func, 2);
  ASSERT_FALSE(run(after, tensors).error);
  EXPECT_EQ(tensors[0].data[0] & 1, 1) << "undef * 2 + 1 is odd, whatever the undef is";
}

TEST(RemoveUndefStore, Condition1ACellThatIsReadAfterwards) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((4,), "int32")
    for i in range(4):
        A[i] = T.undef(dtype="int32")
    for i in range(4):
        B[i] = A[i] - A[i]
)");
  expect_refused_rightly(func, "remove-undef-store", {{"at", nth<Store>(func)}}, "read afterwards");
  PrimFunc after = chosen(func);  // a value is chosen
  EXPECT_EQ(difference(func, after), "") << print(after);
}

TEST(RemoveUndefStore, TheStoreGoes) {
  const char* text = R"(
def before(A: T.Buffer((8,), "int32")):
    for i in range(4):
        A[i] = 1
    for i in range(6, 8):
        A[i] = T.undef(dtype="int32")
)";
  PrimFunc func = parse(text);
  expect_applies(text, "remove-undef-store", {{"at", nth<Store>(func, 1)}}, R"(
def after(A: T.Buffer((8,), "int32")):
    T.func_attr({"hexproof.lowered": True})
    for i in range(4):
        A[i] = 1
)");
}

// The store gave cells of the argument a value that held none. Without it they hold what the caller's memory holds.
TEST(RemoveUndefStore, PaddingThatNobodyFilledIsNamedNoMore) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    T.func_attr({"hexproof.padding.0": "lambda i: i >= 6", "hexproof.padding.1": "lambda i: i >= 7"})
    for i in range(6, 8):
        A[i] = T.undef(dtype="int32")
)");
  PrimFunc after = applied(func, "remove-undef-store", {{"at", nth<Store>(func)}});
  EXPECT_FALSE(argument_padding(after, 0));
  EXPECT_TRUE(argument_padding(after, 1));
}

TEST(RemoveUndefStore, DoesNotApply) {
  PrimFunc func = parse("def before(A: T.Buffer((8,), 'int32')):\n    A[0] = 1\n");
  expect_not_applicable(func, "remove-undef-store", {{"at", nth<Store>(func)}}, "no undef");
  expect_not_applicable(func, "remove-undef-store", {{"at", Path{}}, {"kind", std::string("choose")}}, "has no undef");
  expect_not_applicable(func, "remove-undef-store", {{"at", nth<Store>(func)}, {"kind", std::string("take")}},
                        "not choose");
}

// The store comes later in the body, and the next iteration reads the cell.
TEST(RemoveUndefStore, Condition1TheNextIterationReads) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i > 0:
            B[i] = C[i - 1] - C[i - 1]
        C[i] = T.undef(dtype="int32")
)");
  expect_refused_rightly(func, "remove-undef-store", {{"at", nth<Store>(func, 1)}}, "read afterwards");
  // Memory of each iteration's own: there is no next one that could read it.
  PrimFunc own = parse(R"(
def before(B: T.Buffer((8,), "int32")):
    for i in range(8):
        C = T.decl_buffer((8,), "int32")
        C[i] = 3
        B[i] = C[i]
        C[i] = T.undef(dtype="int32")
)");
  EXPECT_EQ(difference(own, applied(own, "remove-undef-store", {{"at", nth<Store>(own, 2)}})), "");
}

}  // namespace remove_undef_store_test
}  // namespace hexproof
