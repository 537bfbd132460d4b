// The cases of the rule book that a careless engine gets wrong (docs/traps.md lists all of them): buffers, layouts and
// blocks.
#include <cstring>
#include <functional>

#include "tests/rewrite/traps/traps.h"
#include "verify/check/check.h"

namespace hexproof {
namespace traps_memory_test {

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
  // An offset: padding in front, or at both ends, that is not to be read.
  expect_sound(fourteen, "transform-layout", layout(tiles(2, 8)));
  expect_sound(sixteen, "transform-layout", layout(tiles(2, 8)));
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
  // A box that is not minimal: nothing is in its first row.
  EXPECT_TRUE(not_applicable(fourteen, "transform-layout", layout(tiles(8, 8))));
  expect_sound(fourteen, "transform-layout", layout(tiles(0, 8)));
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
  expect_sound(less, "transform-layout", layout(merge));
  expect_refused_rightly(more, "transform-layout", layout(merge), "no two logical indices go to one cell", {}, 5);
}

// 12. What a later store ends.

TEST(Trap, 12_a_fact_that_a_store_kills) {
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((4,), "TYPE"), I: T.Buffer((1,), "int32")):
    T.assume(B[0] == T.TYPE(0))
    STORE
    if B[0] == T.TYPE(0):
        A[0] = T.TYPE(1)
)",
                                 "TYPE", type);
    PrimFunc other = parse(put(text, "STORE", "A[1] = B[1]")), same = parse(put(text, "STORE", "B[0] = A[1]"));
    PrimFunc may = parse(put(text, "STORE", "B[T.max(0, T.min(I[0], 3))] = A[1]"));
    PrimFunc looped = parse(put(text, "STORE", "for k in range(3):\n        B[2 - k] = A[1]"));
    PrimFunc spared = parse(put(text, "STORE", "for k in range(3):\n        A[3 - k] = B[1]"));
    for (const PrimFunc& func : {same, may, looped}) {
      expect_refused_rightly(func, "eliminate-branch", take_branch(func), "always holds", {}, 600);
    }
    for (const PrimFunc& func : {other, spared}) applied(func, "eliminate-branch", take_branch(func));
  }
}

TEST(Trap, 12_alive_in_the_first_iteration) {
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(A: T.Buffer((4,), "TYPE"), B: T.Buffer((1,), "TYPE"), C: T.Buffer((4,), "TYPE"), D: T.Buffer((1,), "TYPE")):
    B[0] = T.TYPE(0)
    T.assume(B[0] == T.TYPE(0))
    for i in range(4):
        if B[0] == T.TYPE(0):
            C[i] = A[i]
        SUM[0] = SUM[0] + A[i]
)",
                                 "TYPE", type);
    PrimFunc sum = parse(put(text, "SUM", "B")), other = parse(put(text, "SUM", "D"));
    expect_refused_rightly(sum, "eliminate-branch", take_branch(sum), "always holds", {}, 100);
    expect_sound(other, "eliminate-branch", take_branch(other));
    // The running sum itself: its first term may replace the sum only in the first iteration.
    expect_wrong(put(text, "SUM", "B"), put(put(text, "SUM", "B"), "B[0] + A[i]", "A[i]"));
  }
}

// 13. Undefined values.

TEST(Trap, 13_undef) {
  const std::string text = R"(
def f(B: T.Buffer((2,), "TYPE")):
    B[0] = VALUE
)";
  for (const char* type : kTrapTypes) {
    const std::string some = std::string("T.undef(dtype=\"") + type + "\")", typed = put(text, "TYPE", type);
    const std::string zero = std::string("T.") + type + "(0)";
    for (const std::string& value : {some + " - " + some, some + " * " + zero}) {
      PrimFunc func = parse(put(typed, "VALUE", value)), after = simplified(func);
      EXPECT_NE(print(after).find("T.undef"), std::string::npos) << print(after);
    }
    // Two undefs are two values: their difference is seen where the interpreter picks them apart.
    EXPECT_NE(difference(parse(put(typed, "VALUE", zero)), parse(put(typed, "VALUE", some + " - " + some))), "");
    // A plain difference of one value is zero, but for infinities.
    const std::string data = put(R"(
def f(A: T.Buffer((2,), "TYPE"), B: T.Buffer((2,), "TYPE")):
    B[0] = VALUE
)",
                                 "TYPE", type);
    std::string one = put(data, "VALUE", "A[0] - A[0]"), none = put(data, "VALUE", zero);
    is_float(type) ? expect_not_simplified(one, none) : expect_simplified(one, none);
  }
}

TEST(Trap, 13_undef_that_a_let_copies) {
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(A: T.Buffer((1,), "TYPE"), B: T.Buffer((1,), "int32")):
    x: T.TYPE = VALUE
    B[0] = T.Select(x < x, 1, 0)
)",
                                 "TYPE", type);
    const std::string some = std::string("T.undef(dtype=\"") + type + "\")";
    std::string undef = put(text, "VALUE", some), data = put(text, "VALUE", "A[0]");
    PrimFunc func = parse(undef);
    EXPECT_TRUE(not_applicable(func, "inline-let", {{"at", nth<LetStmt>(func)}}));
    // With the let there is one value; with two copies of the undef there are two.
    auto outcome = [](const PrimFunc& program, uint64_t seed) {
      std::vector<Tensor> tensors = random_inputs(program, seed);
      EXPECT_FALSE(run(program, tensors, {}, {.undef_seed = seed}).error);
      int32_t value = 0;
      std::memcpy(&value, tensors[1].data.data(), 4);
      return value;
    };
    PrimFunc copies = parse(put(put(R"(
def f(A: T.Buffer((1,), "TYPE"), B: T.Buffer((1,), "int32")):
    B[0] = T.Select(SOME < SOME, 1, 0)
)",
                                    "SOME", some),
                                "TYPE", type));
    int differs = 0;
    for (uint64_t seed = 0; seed < 10; ++seed) {
      EXPECT_EQ(outcome(func, seed), 0);
      differs += outcome(copies, seed) != 0;
    }
    EXPECT_GT(differs, 0);
    expect_applies(data, "inline-let", {{"at", nth<LetStmt>(parse(data))}}, "");
  }
}

TEST(Trap, 13_a_cell_of_undefined_content) {
  // What B[0] holds is seen, so zero times it may not be replaced by zero: it may hold an infinity.
  for (const char* type : kTrapTypes) {
    const std::string text = put(R"(
def f(B: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    B[0] = T.undef(dtype="TYPE")
    C[0] = B[0] * T.TYPE(0)
)",
                                 "TYPE", type);
    bool stays = print(simplified(parse(text))).find("B[0] *") != std::string::npos;
    EXPECT_EQ(stays, is_float(type));
    const std::string again = put(R"(
def f(B: T.Buffer((1,), "TYPE"), C: T.Buffer((1,), "TYPE")):
    T.assume(B[0] == T.TYPE(1))
    CELL[0] = T.undef(dtype="TYPE")
    B[0] = T.TYPE(1)
)",
                                  "TYPE", type);
    PrimFunc lost = parse(put(again, "CELL", "B")), kept = parse(put(again, "CELL", "C"));
    expect_refused_rightly(lost, "remove-store", drop_store(lost, 1), "bits of the value", {}, 200);
    expect_sound(kept, "remove-store", drop_store(kept, 1));
  }
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

}  // namespace traps_memory_test
}  // namespace hexproof
