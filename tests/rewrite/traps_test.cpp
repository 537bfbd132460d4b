// The cases of the rule book that a careless engine gets wrong (docs/traps.md lists all of them). In each the tempting
// rewrite is refused and the interpreter shows what it would break, and the sound sibling is accepted.
#include <cmath>
#include <cstring>
#include <functional>

#include "ir/visit.h"
#include "rewrite/expr_rules/strategy.h"
#include "tests/rewrite/support.h"
#include "verify/check.h"

namespace hexproof {
namespace {

std::string put(std::string text, const std::string& word, const std::string& value) {
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size()) {
    text.replace(at, word.size(), value);
  }
  return text;
}

/// The program after every expression rule that is proved has been used.
PrimFunc simplified(const PrimFunc& func) {
  Derivation derivation(func);
  simplify(derivation, test_prover());
  return derivation.current();
}

/// Simplification leaves `tempting` undone, and `tempting` would be wrong.
void expect_not_simplified(const std::string& before, const std::string& tempting, const Sizes& sizes = {}) {
  PrimFunc func = parse(before), wrong = parse(tempting), after = simplified(func);
  wrong.name = after.name;
  EXPECT_NE(print(after), print(wrong));
  EXPECT_EQ(difference(func, after, sizes, 100), "") << print(after);
  EXPECT_NE(difference(func, wrong, sizes, 400), "") << "nothing breaks:\n" << tempting;
}

void expect_simplified(const std::string& before, const std::string& expected, const Sizes& sizes = {}) {
  PrimFunc func = parse(before), after = simplified(func);
  expect_program(after, expected);
  EXPECT_EQ(difference(func, after, sizes, 100), "");
}

/// The rule is applied with every need proved, and nothing changes.
void expect_sound(const PrimFunc& func, const std::string& rule, const Args& args, const Sizes& sizes = {}) {
  EXPECT_EQ(difference(func, applied(func, rule, args), sizes, 100), "");
}

/// The program that a person might write for `before` does something else.
void expect_wrong(const std::string& before, const std::string& tempting, const std::string& words = "") {
  std::string found = difference(parse(before), parse(tempting), {}, 400);
  EXPECT_NE(found, "") << tempting;
  EXPECT_NE(found.find(words), std::string::npos) << found;
}

Args take_branch(const PrimFunc& func, size_t k = 0) { return {{"at", nth<If>(func, k)}, {"takes", int64_t{1}}}; }
Args loop_i(const PrimFunc& func) { return {{"at", loop_named(func, "i")}}; }
Args drop_store(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Store>(func, k)}, {"kind", std::string("already-there")}};
}

// 1. Adding zero.

TEST(Trap, 01_plus_zero) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = VALUE
)";
  for (const char* type : {"float16", "float32", "float64"}) {
    std::string typed = put(text, "TYPE", type), zero = std::string("T.") + type;
    std::string copied = put(typed, "VALUE", "A[i]");
    expect_not_simplified(put(typed, "VALUE", "A[i] + " + zero + "(0.0)"), copied);
    expect_not_simplified(put(typed, "VALUE", zero + "(0.0) + A[i]"), copied);
    expect_not_simplified(put(typed, "VALUE", "A[i] - " + zero + "(-0.0)"), copied);
    expect_simplified(put(typed, "VALUE", "A[i] + " + zero + "(-0.0)"), copied);
    expect_simplified(put(typed, "VALUE", "A[i] - " + zero + "(0.0)"), copied);
  }
  std::string typed = put(text, "TYPE", "int8");
  expect_simplified(put(typed, "VALUE", "A[i] + T.int8(0)"), put(typed, "VALUE", "A[i]"));
}

TEST(Trap, 01_plus_zero_in_an_accumulator) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
    C[0] = START
    C[0] = C[0] + A[0]
)";
  const std::string direct = R"(
def f(A: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
    C[0] = A[0]
)";
  expect_wrong(put(text, "START", "T.float32(0.0)"), direct);
  EXPECT_EQ(difference(parse(put(text, "START", "T.float32(-0.0)")), parse(direct), {}, 400), "");
  // An accumulator that is known to hold a zero: which of the two it is decides whether the sum is already there.
  const std::string again = R"(
def f(C: T.Buffer((1,), "float32")):
    C[0] = T.float32(START)
    C[0] = C[0] + T.float32(0.0)
)";
  PrimFunc negative = parse(put(again, "START", "-0.0"));
  EXPECT_TRUE(refusal(negative, "remove-store", drop_store(negative, 1)));
  EXPECT_NE(difference(negative, proposed(negative, "remove-store", drop_store(negative, 1))), "");
  const std::string known = R"(
def f(C: T.Buffer((1,), "float32")):
    T.assume(C[0] == T.float32(VALUE))
    C[0] = C[0] + T.float32(0.0)
)";
  PrimFunc zero = parse(put(known, "VALUE", "0.0")), one = parse(put(known, "VALUE", "1.0"));
  expect_refused_rightly(zero, "remove-store", drop_store(zero), "bits of the value", {}, 400);
  expect_sound(one, "remove-store", drop_store(one));
  zero.attrs["hexproof.fp"] = std::string("nsz");
  applied(zero, "remove-store", drop_store(zero));
}

// 2. Zero times a value.

TEST(Trap, 02_zero_times_a_value) {
  const std::string text = R"(
def f(F: T.Buffer((1,), "TYPE"), A: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    GIVEN
    T.assume(A[0] == T.TYPE(0))
    T.assume(C[0] == T.TYPE(1))
    C[0] = C[0] + F[0] * A[0]
)";
  PrimFunc any = parse(put(put(text, "GIVEN", "T.assume(True)"), "TYPE", "float32"));
  EXPECT_TRUE(refusal(any, "remove-store", drop_store(any)));
  {
    PrimFunc after = proposed(any, "remove-store", drop_store(any));
    std::vector<Tensor> before_run = random_inputs(any, 0);
    float f = INFINITY, a = 0, c = 1;
    std::memcpy(before_run[0].data.data(), &f, 4);
    std::memcpy(before_run[1].data.data(), &a, 4);
    std::memcpy(before_run[2].data.data(), &c, 4);
    std::vector<Tensor> after_run = before_run;
    ASSERT_FALSE(run(any, before_run).error);
    ASSERT_FALSE(run(after, after_run).error);
    EXPECT_NE(before_run[2].data, after_run[2].data) << "infinity times zero is no number";
  }
  PrimFunc finite =
      parse(put(put(text, "GIVEN", "T.assume(F[0] < T.TYPE(1000) and F[0] > T.TYPE(-1000))"), "TYPE", "float32"));
  applied(finite, "remove-store", drop_store(finite));
  PrimFunc whole = parse(put(put(text, "GIVEN", "T.assume(True)"), "TYPE", "int32"));
  applied(whole, "remove-store", drop_store(whole));
  const std::string product = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE")):
    for i in range(16):
        B[i] = VALUE
)";
  std::string single = put(product, "TYPE", "float32"), narrow = put(product, "TYPE", "int8");
  expect_not_simplified(put(single, "VALUE", "A[i] * T.float32(0)"), put(single, "VALUE", "T.float32(0)"));
  expect_simplified(put(narrow, "VALUE", "A[i] * T.int8(0)"), put(narrow, "VALUE", "T.int8(0)"));
}

// 3. Published examples that do not hold.

TEST(Trap, 03_already_zero) {
  const std::string text = R"(
def f(B: T.Buffer((1,), "TYPE")):
    T.assume(B[0] == T.TYPE(0))
    B[0] = T.TYPE(0)
)";
  PrimFunc single = parse(put(text, "TYPE", "float32")), whole = parse(put(text, "TYPE", "int32"));
  expect_refused_rightly(single, "remove-store", drop_store(single), "bits of the value", {}, 400);
  expect_sound(whole, "remove-store", drop_store(whole));
  single.attrs["hexproof.fp"] = std::string("nsz");
  applied(single, "remove-store", drop_store(single));
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
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(SIZE):
        if i < 4:
            B[i] = A[i, 0]
)";
  PrimFunc beyond = parse(put(text, "SIZE", "5")), inside = parse(put(text, "SIZE", "4"));
  expect_refused_rightly(beyond, "eliminate-branch", take_branch(beyond), "always holds");
  EXPECT_NE(difference(beyond, proposed(beyond, "eliminate-branch", take_branch(beyond))).find("index 4"),
            std::string::npos);
  expect_sound(inside, "eliminate-branch", take_branch(inside));
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

// 9. Indices that need more bits.

TEST(Trap, 09_a_fused_index_that_overflows) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int32")):
    for i in T.serial(T.TYPE(300)):
        for j in T.serial(T.TYPE(300)):
            A[0] = A[0] + 1
)";
  auto fuse = [](const PrimFunc& func) { return Args{{"at", loop_named(func, "i")}, {"name", std::string("f")}}; };
  PrimFunc narrow = parse(put(text, "TYPE", "int16")), wide = parse(put(text, "TYPE", "int32"));
  expect_refused_rightly(narrow, "fuse", fuse(narrow), "product of the extents");
  expect_sound(wide, "fuse", fuse(wide));
}

TEST(Trap, 09_a_flat_index_that_overflows) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8")):
    C = T.alloc_buffer((T.TYPE(300), T.TYPE(300)), "int8")
    C[T.TYPE(299), T.TYPE(299)] = A[0]
    B[0] = C[T.TYPE(299), T.TYPE(299)]
)";
  Args args = {{"buffer", std::string("C")}};
  PrimFunc narrow = parse(put(text, "TYPE", "int16")), wide = parse(put(text, "TYPE", "int32"));
  expect_refused_rightly(narrow, "flatten", args, "");
  expect_sound(wide, "flatten", args);
}

TEST(Trap, 09_data_that_is_no_index) {
  // Simplification knows no bound of an index of data.
  expect_not_simplified(R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i] * 4 // 4
)",
                        R"(
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
)");
  expect_simplified(R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i * 4 // 4
)",
                    R"(
def f(B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = i
)");
}

// 11. Layouts.

IndexMap map_of(size_t inputs, const std::function<std::vector<Expr>(const std::vector<Expr>&)>& outputs) {
  IndexMap map;
  std::vector<Expr> vars;
  for (size_t k = 0; k < inputs; ++k) {
    map.inputs.push_back(Var::fresh(std::string(1, static_cast<char>('i' + k)), kInt32));
    vars.emplace_back(map.inputs.back());
  }
  map.outputs = outputs(vars);
  return map;
}
Args layout(const IndexMap& map) { return {{"buffer", std::string("C")}, {"map", map}}; }

TEST(Trap, 11_layouts) {
  const std::string line = R"(
def f(A: T.Buffer((SIZE,), "int32"), B: T.Buffer((SIZE,), "int32")):
    C = T.alloc_buffer((SIZE,), "int32")
    for i in range(SIZE):
        C[i] = A[i]
    for i in range(SIZE):
        B[i] = C[i]
)";
  PrimFunc fourteen = parse(put(line, "SIZE", "14")), sixteen = parse(put(line, "SIZE", "16"));
  auto tiles = [](int64_t offset, int64_t factor) {
    return map_of(1, [=](const std::vector<Expr>& i) {
      return std::vector<Expr>{floordiv(i[0] + i32(offset), i32(factor)), floormod(i[0] + i32(offset), i32(factor))};
    });
  };
  // An offset: padding at both ends.
  std::optional<Refused> refused = refusal(fourteen, "transform-layout", layout(tiles(2, 8)));
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->obligation.why.find("[0, 0]"), std::string::npos) << refused->what();
  expect_wrong(put(line, "SIZE", "14"), R"(
def f(A: T.Buffer((14,), "int32"), B: T.Buffer((14,), "int32")):
    C = T.alloc_buffer((2, 8), "int32")
    for i in range(14):
        C[(i + 2) // 8, (i + 2) % 8] = A[i]
    for io, ii in T.grid(2, 8):
        if io * 8 + ii < 14:
            B[io * 8 + ii] = C[io, ii]
)",
               "uninitialised");
  // A box that is not minimal.
  EXPECT_TRUE(refusal(fourteen, "transform-layout", layout(tiles(0, 8))));
  expect_sound(sixteen, "transform-layout", layout(tiles(0, 8)));
  expect_sound(fourteen, "transform-layout", layout(tiles(0, 7)));
  // Two elements in one cell.
  IndexMap fold = map_of(1, [](const std::vector<Expr>& i) { return std::vector<Expr>{floormod(i[0], i32(8))}; });
  expect_refused_rightly(sixteen, "transform-layout", layout(fold), "no two logical indices go to one cell");
}

TEST(Trap, 11_a_layout_that_merges) {
  const std::string text = R"(
def f(A: T.Buffer((2, SIZE, 8), "int32"), B: T.Buffer((2, SIZE, 8), "int32")):
    C = T.alloc_buffer((2, SIZE, 8), "int32")
    for i, j, k in T.grid(2, SIZE, 8):
        C[i, j, k] = A[i, j, k]
    for i, j, k in T.grid(2, SIZE, 8):
        B[i, j, k] = C[i, j, k]
)";
  IndexMap merge = map_of(3, [](const std::vector<Expr>& i) {
    return std::vector<Expr>{i[0] * i32(64) + i[1], floordiv(i[2], i32(4)), floormod(i[2], i32(4))};
  });
  PrimFunc whole = parse(put(text, "SIZE", "64")), less = parse(put(text, "SIZE", "60")),
           more = parse(put(text, "SIZE", "66"));
  expect_sound(whole, "transform-layout", layout(merge));
  EXPECT_TRUE(refusal(less, "transform-layout", layout(merge)));
  expect_refused_rightly(more, "transform-layout", layout(merge), "no two logical indices go to one cell", {}, 5);
}

// 12. What a later store ends.

TEST(Trap, 12_a_fact_that_a_store_kills) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    T.assume(B[0] == 0)
    STORE
    if B[0] == 0:
        A[0] = 1
)";
  PrimFunc other = parse(put(text, "STORE", "A[1] = B[1]")), same = parse(put(text, "STORE", "B[0] = A[1]"));
  PrimFunc may = parse(put(text, "STORE", "B[T.max(0, T.min(A[2], 3))] = A[1]"));
  PrimFunc looped = parse(put(text, "STORE", "for k in range(3):\n        B[2 - k] = A[1]"));
  PrimFunc spared = parse(put(text, "STORE", "for k in range(3):\n        A[3 - k] = B[1]"));
  for (const PrimFunc& func : {same, may, looped}) {
    expect_refused_rightly(func, "eliminate-branch", take_branch(func), "always holds", {}, 600);
  }
  for (const PrimFunc& func : {other, spared}) applied(func, "eliminate-branch", take_branch(func));
}

TEST(Trap, 12_alive_in_the_first_iteration) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((4,), "int32"), D: T.Buffer((1,), "int32")):
    B[0] = 0
    T.assume(B[0] == 0)
    for i in range(4):
        if B[0] == 0:
            C[i] = A[i]
        SUM[0] = SUM[0] + A[i]
)";
  PrimFunc sum = parse(put(text, "SUM", "B")), other = parse(put(text, "SUM", "D"));
  expect_refused_rightly(sum, "eliminate-branch", take_branch(sum), "always holds", {}, 100);
  expect_sound(other, "eliminate-branch", take_branch(other));
  // The running sum itself: its first term may replace the sum only in the first iteration.
  expect_wrong(put(text, "SUM", "B"), put(put(text, "SUM", "B"), "B[0] + A[i]", "A[i]"));
}

// 13. Undefined values.

TEST(Trap, 13_undef) {
  const std::string text = R"(
def f(B: T.Buffer((2,), "TYPE")):
    B[0] = VALUE
)";
  const std::string whole = put(text, "TYPE", "int32"), single = put(text, "TYPE", "float32");
  for (const char* value : {"T.undef(dtype=\"int32\") - T.undef(dtype=\"int32\")", "T.undef(dtype=\"int32\") * 0"}) {
    PrimFunc func = parse(put(whole, "VALUE", value)), after = simplified(func);
    EXPECT_NE(print(after).find("T.undef"), std::string::npos) << print(after);
  }
  PrimFunc zero = simplified(parse(put(single, "VALUE", "T.undef(dtype=\"float32\") * T.float32(0)")));
  EXPECT_NE(print(zero).find("T.undef"), std::string::npos) << print(zero);
  // Two undefs are two values: their difference is seen where the interpreter picks them apart.
  EXPECT_NE(difference(parse(put(whole, "VALUE", "0")),
                       parse(put(whole, "VALUE", "(T.undef(dtype=\"int32\") - T.undef(dtype=\"int32\")) * 3"))),
            "");
  // A plain difference of one value is zero.
  expect_simplified(R"(
def f(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    B[0] = A[0] - A[0]
)",
                    R"(
def f(A: T.Buffer((2,), "int32"), B: T.Buffer((2,), "int32")):
    B[0] = 0
)");
}

TEST(Trap, 13_undef_that_a_let_copies) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = VALUE
    B[0] = x - x
)";
  std::string undef = put(text, "VALUE", "T.undef(dtype=\"int32\")"), data = put(text, "VALUE", "A[0]");
  PrimFunc func = parse(undef);
  EXPECT_TRUE(not_applicable(func, "inline-let", {{"at", nth<LetStmt>(func)}}));
  // With the let the difference is zero; with two copies of the undef it is not.
  auto outcome = [](const PrimFunc& program, uint64_t seed) {
    std::vector<Tensor> tensors = random_inputs(program, seed);
    EXPECT_FALSE(run(program, tensors, {}, {.undef_seed = seed}).error);
    int32_t value = 0;
    std::memcpy(&value, tensors[1].data.data(), 4);
    return value;
  };
  PrimFunc copies = parse(R"(
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = T.undef(dtype="int32") - T.undef(dtype="int32")
)");
  int differs = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    EXPECT_EQ(outcome(func, seed), 0);
    differs += outcome(copies, seed) != 0;
  }
  EXPECT_GT(differs, 0);
  expect_applies(data, "inline-let", {{"at", nth<LetStmt>(parse(data))}}, "");
}

TEST(Trap, 13_a_cell_of_undefined_content) {
  // What B[0] holds is seen, so zero times it may not be replaced by zero: it may hold an infinity.
  const std::string text = R"(
def f(B: T.Buffer((1,), "float32"), C: T.Buffer((1,), "float32")):
    B[0] = T.undef(dtype="float32")
    C[0] = B[0] * T.float32(0)
)";
  EXPECT_NE(print(simplified(parse(text))).find("B[0] * T.float32(0"), std::string::npos);
  const std::string again = R"(
def f(B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    T.assume(B[0] == 1)
    CELL[0] = T.undef(dtype="int32")
    B[0] = 1
)";
  PrimFunc lost = parse(put(again, "CELL", "B")), kept = parse(put(again, "CELL", "C"));
  expect_refused_rightly(lost, "remove-store", drop_store(lost, 1), "bits of the value", {}, 200);
  expect_sound(kept, "remove-store", drop_store(kept, 1));
}

TEST(Trap, 13_undef_in_an_index) {
  const std::string text = R"(
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    x: T.int32 = VALUE
    if 0 <= x and x < 4:
        A[x] = 1
)";
  CheckReport undef = check(parse(put(text, "VALUE", "T.undef(dtype=\"int32\")")), test_prover());
  EXPECT_EQ(undef.finding, Finding::Refuted);
  EXPECT_NE(undef.counterexample.find("undef"), std::string::npos) << undef.counterexample;
  EXPECT_EQ(check(parse(put(text, "VALUE", "B[0]")), test_prover()).finding, Finding::Proved);
}

// 14. A window that leaves its cache.

TEST(Trap, 14_a_window_that_leaves_its_cache) {
  const std::string text = R"(
def f(A: T.Buffer((8, 8), "int32"), W: T.Buffer((3, 3), "int32"), C: T.Buffer((OUT, OUT), "int32")):
    cache = T.alloc_buffer((2, 2, 4, 4), "int32")
    for y, x in T.grid(8, 8):
        cache[y // 4, x // 4, y % 4, x % 4] = A[y, x]
    for y, x in T.grid(OUT, OUT):
        C[y, x] = 0
        for dy, dx in T.grid(3, 3):
            BRANCH
                C[y, x] = C[y, x] + W[dy, dx] * cache[(y + dy) // 4, (x + dx) // 4, (y + dy) % 4, (x + dx) % 4]
)";
  auto with = [&](const std::string& size, const std::string& branch) {
    return parse(put(put(text, "OUT", size), "BRANCH", branch));
  };
  CheckReport found = check(with("8", "if W[0, 0] == W[0, 0]:"), test_prover());
  EXPECT_EQ(found.finding, Finding::Refuted);
  for (const char* words : {"out of bounds", "cache", "dy = ", "dx = "}) {
    EXPECT_NE(found.counterexample.find(words), std::string::npos) << found.counterexample;
  }
  const char* guard = "if y + dy < 8 and x + dx < 8:";
  PrimFunc repaired = with("8", guard), smaller = with("6", guard);
  EXPECT_EQ(check(repaired, test_prover()).finding, Finding::Proved);
  expect_refused_rightly(repaired, "eliminate-branch", take_branch(repaired), "always holds", {}, 2);
  expect_sound(smaller, "eliminate-branch", take_branch(smaller));
  EXPECT_EQ(check(applied(smaller, "eliminate-branch", take_branch(smaller)), test_prover()).finding, Finding::Proved);
}

// 15. Sums of floats.

TEST(Trap, 15_sums_of_floats_keep_their_order) {
  const std::string nest = R"(
def f(A: T.Buffer((4, 6), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i, k in T.grid(4, 6):
        C[0] = C[0] + A[i, k]
)";
  const std::string pair = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
    for j in range(16):
        C[0] = C[0] + B[j]
)";
  const std::string both = R"(
def f(A: T.Buffer((16,), "TYPE"), B: T.Buffer((16,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    for i in range(16):
        C[0] = C[0] + A[i]
        C[0] = C[0] + B[i]
)";
  struct Case {
    std::string text, rule;
    Args extra;
  };
  for (const Case& c : {Case{nest, "reorder", {{"order", Path{1, 0}}}}, Case{pair, "merge-loops", {}},
                        Case{both, "distribute-loop", {{"count", int64_t{1}}}}}) {
    for (const char* type : {"float16", "float32"}) {
      PrimFunc func = parse(put(c.text, "TYPE", type));
      Args args = c.extra;
      args.merge(loop_i(func));
      expect_refused_rightly(func, c.rule, args, "", {}, 60);
      func.attrs["hexproof.fp"] = std::string("reassoc");
      applied(func, c.rule, args);
      func.attrs["hexproof.fp"] = std::string("nnan ninf nsz contract");
      EXPECT_TRUE(refusal(func, c.rule, args));
    }
    for (const char* type : {"int32", "int8", "uint16"}) {
      PrimFunc func = parse(put(c.text, "TYPE", type));
      Args args = c.extra;
      args.merge(loop_i(func));
      expect_sound(func, c.rule, args);
    }
  }
}

// 16. Claims of blocks.

TEST(Trap, 16_a_block_that_is_not_spatial) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "int32"), C: T.Buffer((4, 4), "int32")):
    for i, j in T.grid(3, 3):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            STORE
)";
  PrimFunc claimed = parse(put(text, "STORE", "C[vi + 1, vj] = C[vi, vj + 1] + A[vi, vj]"));
  PrimFunc spatial = parse(put(text, "STORE", "C[vi, vj] = A[vi, vj + 1] + A[vi + 1, vj]"));
  PrimFunc sum = parse(put(text, "STORE", "C[0, 0] = C[0, 0] + A[vi, vj]"));
  EXPECT_EQ(check(claimed, test_prover()).finding, Finding::Refuted);
  EXPECT_EQ(check(sum, test_prover()).finding, Finding::Refuted);
  EXPECT_EQ(check(spatial, test_prover()).finding, Finding::Proved);
  for (const PrimFunc& func : {claimed, sum}) {
    expect_refused_rightly(func, "parallelize", loop_i(func), "");
    expect_refused_rightly(func, "vectorize", loop_i(func), "");
  }
  expect_refused_rightly(claimed, "reorder", {{"at", loop_named(claimed, "i")}, {"order", Path{1, 0}}}, "order flips");
  for (const char* rule : {"parallelize", "vectorize"}) expect_sound(spatial, rule, loop_i(spatial));
  expect_sound(spatial, "reorder", {{"at", loop_named(spatial, "i")}, {"order", Path{1, 0}}});
}

TEST(Trap, 16_a_reads_that_leaves_out_a_cell) {
  const std::string text = R"(
def f(A: T.Buffer((17,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("B"):
            vi = T.axis.spatial(16, i)
            T.reads(REGION)
            T.writes(B[vi])
            B[vi] = A[vi] + A[vi + 1]
)";
  PrimFunc less = parse(put(text, "REGION", "A[vi]")), exact = parse(put(text, "REGION", "A[vi:vi + 2]"));
  EXPECT_EQ(check(less, test_prover()).finding, Finding::Refuted);
  EXPECT_EQ(check(exact, test_prover()).finding, Finding::Proved);
  // The copy covers what is read, whatever is claimed; the copy of what is claimed would be too small.
  Args cache = {{"block", std::string("B")}, {"buffer", std::string("A")}};
  expect_sound(less, "cache-read", cache);
  expect_sound(exact, "cache-read", cache);
  expect_wrong(text.substr(0, text.find("            T.reads")) + "            B[vi] = A[vi] + A[vi + 1]\n", R"(
def f(A: T.Buffer((17,), "int32"), B: T.Buffer((16,), "int32")):
    C = T.alloc_buffer((17,), "int32")
    for i in range(16):
        C[i] = A[i]
    for i in range(16):
        B[i] = C[i] + C[i + 1]
)",
               "uninitialised");
}

// 19. Integers that wrap.

TEST(Trap, 19_narrow_data_wraps) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "int8"), B: T.Buffer((16,), "int8")):
    for i in range(16):
        B[i] = VALUE
)";
  auto with = [&](const std::string& value) { return put(text, "VALUE", value); };
  expect_not_simplified(with("A[i] * T.int8(8) // T.int8(8)"), with("A[i]"));
  expect_not_simplified(with("(A[i] + T.int8(8)) // T.int8(8)"), with("A[i] // T.int8(8) + T.int8(1)"));
  expect_not_simplified(with("T.Select(A[i] + T.int8(1) > A[i], A[i], T.int8(0))"), with("A[i]"));
  expect_not_simplified(with("T.Cast(\"int8\", T.Cast(\"uint8\", A[i]) // T.uint8(2))"), with("A[i] // T.int8(2)"));
  expect_simplified(with("A[i] + T.int8(100) + T.int8(100)"), with("A[i] + T.int8(-56)"));
  expect_simplified(with("A[i] + A[0] - A[0]"), with("A[i]"));
}

TEST(Trap, 19_accumulations_of_narrow_products) {
  const std::string text = R"(
def f(A: T.Buffer((1,), "int8"), B: T.Buffer((1,), "int8"), C: T.Buffer((1,), "int32")):
    if T.cast(A[0], "TYPE") * T.cast(A[0], "TYPE") + T.cast(A[0], "TYPE") * T.cast(A[0], "TYPE") >= T.cast(0, "TYPE"):
        C[0] = 1
)";
  // Two squares reach 2^15: one too many for int16.
  for (const char* type : {"int8", "int16"}) {
    PrimFunc wraps = parse(put(text, "TYPE", type));
    expect_refused_rightly(wraps, "eliminate-branch", take_branch(wraps), "always holds", {}, 300);
  }
  for (const char* type : {"int32", "int64"}) {
    PrimFunc fits = parse(put(text, "TYPE", type));
    expect_sound(fits, "eliminate-branch", take_branch(fits));
  }
}

TEST(Trap, 19_overflow_of_an_index_and_of_data) {
  const std::string text = R"(
def f(A: T.Buffer((150,), "int8"), B: T.Buffer((150,), "int8")):
    for i in T.serial(T.TYPE(100)):
        B[i + T.TYPE(50)] = A[i] + T.int8(50)
)";
  CheckReport narrow = check(parse(put(text, "TYPE", "int8")), test_prover());
  EXPECT_EQ(narrow.finding, Finding::Refuted);
  EXPECT_NE(narrow.counterexample.find("overflow"), std::string::npos) << narrow.counterexample;
  EXPECT_EQ(check(parse(put(text, "TYPE", "int16")), test_prover()).finding, Finding::Proved);
}

}  // namespace
}  // namespace hexproof
