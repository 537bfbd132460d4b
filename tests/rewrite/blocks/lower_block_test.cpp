#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace lower_block_test {

TEST(LowerBlock, InitPredicateAndBindings) {
  const char* text = R"(
def before(A: T.Buffer((4, 14), "float32"), C: T.Buffer((4,), "float32")):
    for i, ko, ki in T.grid(4, 4, 4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(14, ko * 4 + ki)
            T.where(ko * 4 + ki < 14)
            with T.init():
                C[vi] = T.float32(0)
            C[vi] = C[vi] + A[vi, vk]
)";
  expect_applies(text, "lower-block", {{"at", nth<Block>(parse(text))}}, R"(
def after(A: T.Buffer((4, 14), "float32"), C: T.Buffer((4,), "float32")):
    for i, ko, ki in T.grid(4, 4, 4):
        if ko * 4 + ki < 14:
            if ko * 4 + ki == 0:
                C[i] = T.float32(0)
            C[i] = C[i] + A[i, ko * 4 + ki]
)");
}

TEST(LowerBlock, AnInitWithoutReductionRunsAlways) {
  const char* text = R"(
def before(C: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("C"):
            vi = T.axis.spatial(4, i)
            with T.init():
                C[vi] = 3
            C[vi] = C[vi] + 1
)";
  expect_applies(text, "lower-block", {{"at", nth<Block>(parse(text))}}, R"(
def after(C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = 3
        C[i] = C[i] + 1
)");
}

// The body overwrites what its own binding read: put in twice, the binding would change on the way.
TEST(LowerBlock, ABindingThatIsDataIsKept) {
  const char* text = R"(
def before(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    if A[0] >= 0 and A[0] < 4:
        with T.block("B"):
            v = T.axis.opaque(4, A[0])
            A[0] = 2
            B[v] = 1
)";
  PrimFunc func = parse(text);
  PrimFunc after = applied(func, "lower-block", {{"at", nth<Block>(func)}});
  EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<LetStmt>() != nullptr; }).size(), 1u);
  EXPECT_EQ(difference(func, after, {}, 200), "");
}

TEST(LowerBlock, DoesNotApply) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = 1
)");
  EXPECT_TRUE(not_applicable(func, "lower-block", {{"at", loop_named(func, "i")}}));
}

// The start of the reduction domain divides by n, and the predicate kept it from being asked.
TEST(LowerBlock, Condition1TheStartOfADomainMustBeNoError) {
  PrimFunc func = parse(R"(
def before(A: T.Buffer((16,), "int32"), C: T.Buffer((1,), "int32"), n: T.int32):
    for k in range(16):
        with T.block("C"):
            vk = T.axis.reduce((8 // n, 16), k)
            with T.init():
                C[0] = 0
            C[0] = C[0] + A[vk]
)");
  std::optional<Refused> refused = refusal(func, "lower-block", {{"at", nth<Block>(func)}});
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("start of the reduction domain"), std::string::npos);
  // What the init is under, in the result, divides where n is zero.
  EXPECT_EQ(error_of(proposed(func, "lower-block", {{"at", nth<Block>(func)}}), {{"n", 0}}), ErrorKind::Operation);
}

}  // namespace lower_block_test
}  // namespace hexproof
