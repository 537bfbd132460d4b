// The cases of the rule book that a careless engine gets wrong (docs/traps.md lists all of them): loops and branches.
#include "ir/visit.h"
#include "tests/rewrite/traps/traps.h"

namespace hexproof {
namespace traps_loops_test {

// 3. Published examples that do not hold.

TEST(Trap, 03_already_zero) {
  const std::string text = R"(
def f(B: T.Buffer((1,), "TYPE")):
    T.assume(B[0] == T.TYPE(0))
    B[0] = T.TYPE(0)
)";
  for (const char* type : kTrapTypes) {
    PrimFunc func = parse(put(text, "TYPE", type));
    if (!is_float(type)) {
      expect_sound(func, "remove-store", drop_store(func));
      continue;
    }
    expect_refused_rightly(func, "remove-store", drop_store(func), "bits of the value", {}, 400);
    func.attrs["hexproof.fp"] = std::string("nsz");
    applied(func, "remove-store", drop_store(func));
  }
}

TEST(Trap, 03_merged_loops_keep_their_right_hand_sides) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i] + 1
    for j in range(16):
        C[j] = A[j] + B[j]
)";
  const std::string merged = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        B[i] = A[i] + 1
        C[i] = VALUE
)";
  expect_applies(text, "merge-loops", loop_i(parse(text)), put(merged, "VALUE", "A[i] + B[i]"));
  expect_wrong(text, put(merged, "VALUE", "B[i] + B[i]"));
}

TEST(Trap, 03_the_old_variable_of_a_split_loop) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((16,), "int32")):
    for i in range(16):
        A[i] = A[i] + i
)");
  Args args = {{"at", loop_named(func, "i")},
               {"factor", int64_t{4}},
               {"outer", std::string("io")},
               {"inner", std::string("ii")}};
  PrimFunc after = applied(func, "split", args);
  EXPECT_EQ(difference(func, after), "");
  const For* old = checked_at(func, loop_named(func, "i")).as<For>();
  visit_all_exprs(after.body,
                  [&](const Expr& e) { EXPECT_FALSE(e->op == Op::Var && e->var() == old->var) << print(after); });
  // The new loops around the old body: a variable without a value.
  Path inner = loop_named(after, "ii");
  inner.push_back(0);
  PrimFunc wrong = replace_at(after, inner, old->body);
  EXPECT_NE(ill_formed(wrong), "");
}

TEST(Trap, 03_a_branch_that_guards_an_access) {
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(A: T.Buffer((4, 4), "TYPE"), B: T.Buffer((4,), "TYPE")):
    for i in range(SIZE):
        if i < 4:
            B[i] = A[i, 0]
)",
                                 "TYPE", type);
    PrimFunc beyond = parse(put(text, "SIZE", "5")), inside = parse(put(text, "SIZE", "4"));
    expect_refused_rightly(beyond, "eliminate-branch", take_branch(beyond), "always holds");
    EXPECT_NE(difference(beyond, proposed(beyond, "eliminate-branch", take_branch(beyond))).find("index 4"),
              std::string::npos);
    expect_sound(inside, "eliminate-branch", take_branch(inside));
  }
}

// 5. Neighbouring conditions.

TEST(Trap, 05_neighbouring_conditions) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        if FIRST:
            BODY
        if SECOND:
            B[i] = B[i] + 2
)";
  auto with = [&](const std::string& first, const std::string& body, const std::string& second) {
    return parse(put(put(put(text, "FIRST", first), "BODY", body), "SECOND", second));
  };
  auto merge = [](const PrimFunc& func, int64_t complementary) {
    return Args{{"at", nth<If>(func)}, {"complementary", complementary}};
  };
  PrimFunc same = with("i < 4", "B[i] = 1", "i + 1 < 5");
  expect_sound(same, "merge-branches", merge(same, 0));
  PrimFunc opposite = with("i < 4", "B[i] = 1", "i >= 4");
  expect_sound(opposite, "merge-branches", merge(opposite, 1));
  PrimFunc off = with("i < 4", "B[i] = 1", "i > 4");
  expect_refused_rightly(off, "merge-branches", merge(off, 1), "");
  // The condition is data, and the first body changes it.
  PrimFunc data = with("A[i] > 0", "A[i] = 0 - A[i]", "A[i] > 0");
  expect_refused_rightly(data, "merge-branches", merge(data, 0), "");
  PrimFunc kept = with("A[i] > 0", "B[i] = 1", "A[i] > 0");
  expect_sound(kept, "merge-branches", merge(kept, 0));
}

// 6. Loops that run zero times.

TEST(Trap, 06_loops_that_run_zero_times) {
  const std::string nest = R"(
def f(A: T.Buffer((4, 8), "int32"), n: T.int32):
    if n >= LOW and n <= 4:
        for i in range(n):
            for j in range(8 // n):
                A[i, j] = A[i, j] + 1
)";
  PrimFunc may = parse(put(nest, "LOW", "0")), runs = parse(put(nest, "LOW", "1"));
  auto swap = [](const PrimFunc& func) { return Args{{"at", loop_named(func, "i")}, {"order", Path{1, 0}}}; };
  auto fuse = [](const PrimFunc& func) { return Args{{"at", loop_named(func, "i")}, {"name", std::string("f")}}; };
  expect_refused_rightly(may, "reorder", swap(may), "no error", {{"n", 0}});
  expect_sound(runs, "reorder", swap(runs), {{"n", 3}});
  expect_refused_rightly(may, "fuse", fuse(may), "product of the extents", {{"n", 0}});
  expect_sound(runs, "fuse", fuse(runs), {{"n", 3}});

  const std::string flat = R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    if n <= 8:
        for i in range(n):
            A[i] = 8 // n
            B[i] = A[i] + 1
)";
  PrimFunc func = parse(flat);
  Args split = {{"at", loop_named(func, "i")},
                {"factor", int64_t{4}},
                {"outer", std::string("io")},
                {"inner", std::string("ii")}};
  PrimFunc bounded = parse(put(flat, "n <= 8", "n >= -8 and n <= 8"));
  for (int64_t n : {-3, 0, 1, 5, 8}) {
    expect_sound(func, "distribute-loop", {{"at", loop_named(func, "i")}, {"count", int64_t{1}}}, {{"n", n}});
    expect_sound(bounded, "split", split, {{"n", n}});
  }
}

TEST(Trap, 06_what_holds_inside_of_a_loop_only) {
  PrimFunc inside = parse(R"(
def f(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(T.min(n, 8)):
        if n > 0:
            A[i] = 8 // n
)");
  for (int64_t n : {0, 3}) expect_sound(inside, "eliminate-branch", take_branch(inside), {{"n", n}});
  PrimFunc behind = parse(R"(
def f(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(T.min(n, 8)):
        A[i] = 1
    if n > 0:
        A[0] = 8 // n
)");
  expect_refused_rightly(behind, "eliminate-branch", take_branch(behind), "always holds", {{"n", 0}});
}

TEST(Trap, 06_an_init_of_a_reduction_that_is_empty) {
  const std::string text = R"(
def f(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
    if n >= LOW and n <= 8:
        for i, k in T.grid(8, n):
            with T.block("C"):
                vi, vk = T.axis.remap("SR", [i, k])
                with T.init():
                    C[vi] = 0
                C[vi] = C[vi] + A[vi, vk]
)";
  PrimFunc may = parse(put(text, "LOW", "0")), runs = parse(put(text, "LOW", "1"));
  auto args = [](const PrimFunc& func) { return Args{{"at", nth<Block>(func)}, {"loop", loop_named(func, "k")}}; };
  expect_refused_rightly(may, "decompose-reduction", args(may), "", {{"n", 0}});
  expect_sound(runs, "decompose-reduction", args(runs), {{"n", 5}});
}

// 8. Two loops that may not merge.

TEST(Trap, 08_a_stencil_and_a_guard) {
  const std::string text = R"(
def f(A: T.Buffer((17,), "int32"), B: T.Buffer((17,), "int32"), C: T.Buffer((16,), "int32")):
    for i in range(16):
        FIRST
            B[i] = A[i] * 2
    for j in range(16):
        SECOND
            C[j] = B[j + 1]
)";
  auto with = [&](const std::string& first, const std::string& second) {
    return parse(put(put(text, "FIRST", first), "SECOND", second));
  };
  PrimFunc stencil = with("if i >= 0:", "if j >= 0:");
  expect_refused_rightly(stencil, "merge-loops", loop_i(stencil), "what the first loop does later");
  PrimFunc guarded = with("if i % 2 == 0:", "if j % 2 == 0:");
  expect_sound(guarded, "merge-loops", loop_i(guarded));
  PrimFunc odd = with("if i % 2 == 0:", "if j % 2 == 1:");
  expect_refused_rightly(odd, "merge-loops", loop_i(odd), "what the first loop does later");
}

}  // namespace traps_loops_test
}  // namespace hexproof
