// Side conditions of the rules on padding, each in a program where it alone stands against the rewrite.
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace padding_conditions_test {

Args without_branch(const PrimFunc& func, const std::string& stores) {
  return {{"at", nth<If>(func)}, {"stores", stores}};
}

// Nobody reads what would be stored, but there is no cell for it.
TEST(PaddingConditions, OvercomputeWritesInBounds) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((SIZE,), "int32")
    for i in range(8):
        if i < 6:
            C[i] = A[i]
    B[0] = 1
)";
  PrimFunc small = parse(put(text, "SIZE", "6")), whole = parse(put(text, "SIZE", "8"));
  expect_refused_rightly(small, "overcompute", without_branch(small, "unread"), "a write of C is in bounds");
  expect_sound(whole, "overcompute", without_branch(whole, "unread"));
}

// The branch keeps the iterations of a parallel loop apart.
TEST(PaddingConditions, OvercomputeKeepsIterationsApart) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in T.parallel(8):
        if i < 4:
            C[CELL] = A[i]
    B[0] = 1
)";
  PrimFunc meet = parse(put(text, "CELL", "i % 4")), apart = parse(put(text, "CELL", "7 - i"));
  expect_refused_rightly(meet, "overcompute", without_branch(meet, "unread"), "two iterations of i");
  expect_sound(apart, "overcompute", without_branch(apart, "unread"));
}

TEST(PaddingConditions, AnIntroducedBranchLeavesWhatIsRead) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        C[i] = 0
    for j in range(8):
        C[j] = A[j]
    for k in range(8):
        B[k] = VALUE
)";
  PrimFunc read = parse(put(text, "VALUE", "C[k]")), unread = parse(put(text, "VALUE", "A[k]"));
  auto args = [](const PrimFunc& func) {
    Path loop = loop_named(func, "j");
    Expr j(checked_at(func, loop).as<For>()->var);
    loop.push_back(0);
    return Args{{"at", loop}, {"condition", lt(j, i32(5))}, {"stores", std::string("unread")}};
  };
  expect_refused_rightly(read, "introduce-branch", args(read), "ever reads the cell");
  expect_sound(unread, "introduce-branch", args(unread));
}

TEST(PaddingConditions, AnIntroducedBranchLeavesWhatIsNotWrittenAgain) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
    for j in range(8):
        if j >= 6:
            B[j] = 0
)");
  auto args = [&](int64_t bound) {
    Path loop = loop_named(func, "i"), by = nth<Store>(func, 1);
    Expr i(checked_at(func, loop).as<For>()->var);
    loop.push_back(0);
    std::string path;
    for (int part : by) path += (path.empty() ? "by " : ".") + std::to_string(part);
    return Args{{"at", loop}, {"condition", lt(i, i32(bound))}, {"stores", path}};
  };
  expect_refused_rightly(func, "introduce-branch", args(4), "written again");
  expect_sound(func, "introduce-branch", args(6));
}

// Two iterations at one cell: the cell would be visited once, and one of them not at all.
TEST(PaddingConditions, ReindexingVisitsEachIteration) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[CELL] = B[CELL] + A[i]
)";
  PrimFunc two = parse(put(text, "CELL", "i // 2")), one = parse(put(text, "CELL", "7 - i"));
  auto args = [](const PrimFunc& func) {
    return Args{{"at", loop_named(func, "i")}, {"count", int64_t{1}},  {"replaced", Path{0}},
                {"buffer", std::string("B")},  {"access", int64_t{0}}, {"image", int64_t{0}}};
  };
  bool no = not_applicable(two, "reindex-loops", args(two)) || refusal(two, "reindex-loops", args(two));
  EXPECT_TRUE(no);
  expect_sound(one, "reindex-loops", args(one));
}

// What is known of some cells is put in for a load that may read others.
TEST(PaddingConditions, AKnownValueIsThatOfTheCell) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(6):
        A[i] = 1
    for j in range(LAST):
        B[j] = A[j]
)";
  PrimFunc beyond = parse(put(text, "LAST", "8")), within = parse(put(text, "LAST", "6"));
  Args args = {{"at", Path{}}, {"applications", std::string("known-value#0@1.0/1")}};
  expect_refused_rightly(beyond, "simplify", args, "the cell holds the bits");
  expect_sound(within, "simplify", args);
}

}  // namespace padding_conditions_test
}  // namespace hexproof
