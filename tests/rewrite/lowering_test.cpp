// remove-assume, remove-undef-store: nothing of them is left, and nothing may follow.
#include "rewrite/kernel/lowering.h"

#include "tests/rewrite/support.h"

namespace hexproof {
namespace {

PrimFunc lowered_program(const PrimFunc& func) {
  Derivation derivation(func);
  lower_hints(derivation, test_prover());
  std::string text = print(derivation.current());
  EXPECT_EQ(text.find("T.assume"), std::string::npos) << text;
  EXPECT_EQ(text.find("T.undef"), std::string::npos) << text;
  return derivation.current();
}

TEST(Lowering, NothingIsLeft) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for io, ii in T.grid(4, 4):
        T.assume(4 * io + ii < 14 or A[io, ii] == T.undef(dtype="int32"))
    for io, ii in T.grid(4, 4):
        B[io, ii] = 2 * A[io, ii]
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            B[io, ii] = T.undef(dtype="int32")
)");
  PrimFunc after = lowered_program(func);
  EXPECT_TRUE(is_lowered(after));
  EXPECT_EQ(difference(func, after), "") << print(after);
  // The store is dropped, not replaced by another one.
  EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<Store>() != nullptr; }).size(), 1u) << print(after);
  EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<For>() != nullptr; }).size(), 2u) << print(after);
}

TEST(Lowering, NoRuleFollows) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((4,), "int32")):
    T.assume(A[0] == 0)
    for i in range(4):
        A[i] = T.undef(dtype="int32")
)");
  Derivation derivation(func);
  derivation.apply("remove-assume", {}, test_prover());
  EXPECT_THROW(derivation.apply("unroll", {{"at", loop_named(derivation.current(), "i")}}, test_prover()),
               NotApplicable);
  derivation.apply("remove-undef-store", {{"at", nth<Store>(derivation.current())}}, test_prover());
  EXPECT_EQ(derivation.steps().size(), 2u);
  EXPECT_TRUE(not_applicable(derivation.current(), "remove-assume", {}));
  // Its mark is part of the program: it is printed and read again.
  EXPECT_TRUE(is_lowered(parse(print(derivation.current()))));
  Derivation other(func);
  other.apply("unroll", {{"at", loop_named(func, "i")}}, test_prover());
}

TEST(Lowering, ACellThatIsReadAfterwards) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((4,), "int32")):
    A = T.alloc_buffer((4,), "int32")
    for i in range(4):
        A[i] = T.undef(dtype="int32")
    for i in range(4):
        B[i] = A[i] - A[i]
)");
  expect_refused_rightly(func, "remove-undef-store", {{"at", nth<Store>(func)}}, "read afterwards");
  PrimFunc after = lowered_program(func);  // a value is chosen
  EXPECT_EQ(difference(func, after), "") << print(after);
}

TEST(Lowering, AnUndefInsideOfAnExpression) {
  PrimFunc func = parse(R"(
def before(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.undef(dtype="int32") * 2 + 1
)");
  EXPECT_TRUE(not_applicable(func, "remove-undef-store", {{"at", nth<Store>(func)}}));
  PrimFunc after = lowered_program(func);
  std::vector<Tensor> tensors = random_inputs(func, 2);
  ASSERT_FALSE(run(after, tensors).error);
  EXPECT_EQ(tensors[0].data[0] & 1, 1) << "undef * 2 + 1 is odd, whatever the undef is";
}

TEST(Lowering, EarlierReadsDoNotCount) {
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

}  // namespace
}  // namespace hexproof
