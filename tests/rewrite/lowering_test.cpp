// remove-assume, remove-undef-store: nothing of them is left, and nothing may follow.
#include "rewrite/kernel/lowering.h"

#include "tests/rewrite/support.h"

namespace hexproof {
namespace lowering_test {

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

}  // namespace lowering_test
}  // namespace hexproof
