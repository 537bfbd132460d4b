// Windows that slide: what an earlier iteration left is not computed again.
#include "tests/rewrite/conditions.h"

namespace hexproof {
namespace skip_computed_test {

constexpr const char* kRule = "skip-computed";

/// The statement of the k-th loop over `j` under `condition`, which speaks of x (the first loop) and j; `earlier` is x
/// one before, and j further on by `step`.
Args skip(const PrimFunc& func, int64_t kept, int64_t step, size_t k = 0) {
  const Path outer = loop_named(func, "x");
  std::vector<Path> inner = find_all(func, [](const Stmt& s) { return s.as<For>() && s.as<For>()->var.name() == "j"; });
  const Expr x(stmt_at(func, outer).as<For>()->var), j(stmt_at(func, inner.at(k)).as<For>()->var);
  return {{"at", below(inner.at(k), 0)},
          {"loop", outer},
          {"condition", lor(le(x, i32(0)), le(i32(kept), j))},
          {"earlier", std::vector<Expr>{x - i32(1), j + i32(step)}}};
}

/// The rule applies, and nothing else is computed.
void fires(const PrimFunc& func, const Args& args, const std::string& expected = "", const Sizes& sizes = {}) {
  const PrimFunc after = applied(func, kRule, args);
  if (!expected.empty()) expect_program(after, expected);
  EXPECT_EQ(find_all(after, [](const Stmt& s) { return s.as<If>() != nullptr; }).size(),
            find_all(func, [](const Stmt& s) { return s.as<If>() != nullptr; }).size() + 1);
  EXPECT_EQ(difference(func, after, sizes), "");
}

constexpr const char* kWindow = R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2] + B[x * 2 + 3]
)";

TEST(SkipComputed, TheOverlapOfTwoWindows) {
  const PrimFunc func = parse(kWindow);
  fires(func, skip(func, 2, 2), R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            if x <= 0 or 2 <= j:
                B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2] + B[x * 2 + 3]
)");
}

TEST(SkipComputed, ByTwoNumbers) {
  const PrimFunc func = parse(kWindow);
  Args args = skip(func, 2, 2);
  args.erase("condition"), args.erase("earlier");
  args["kept"] = int64_t{2}, args["step"] = int64_t{2};
  fires(func, args);
  args["step"] = int64_t{1};
  EXPECT_TRUE(refusal(func, kRule, args));
  args.erase("kept");
  EXPECT_TRUE(not_applicable(func, kRule, args));
}

// A reduction reads what it has written itself, and the rows that it reads are those of the row.
TEST(SkipComputed, RowsThatAreSums) {
  for (const char* type : {"int8", "int32", "float32"}) {
    const std::string text = R"(
def f(A: T.Buffer((10, 4), "TYPE"), C: T.Buffer((4,), "TYPE"), n: T.int32):
    B = T.alloc_buffer((10,), "TYPE")
    for x in range(4):
        for j in range(4):
            B[x * 2 + j] = T.TYPE(0)
            for k in range(4):
                if k < n:
                    B[x * 2 + j] = B[x * 2 + j] + A[x * 2 + j, k]
        C[x] = B[x * 2] + B[x * 2 + 3]
)";
    std::string typed = text;
    for (size_t at; (at = typed.find("TYPE")) != std::string::npos;) typed.replace(at, 4, type);
    const PrimFunc func = parse(typed);
    fires(func, skip(func, 2, 2), "", {{"n", 3}});
  }
}

TEST(SkipComputed, InsideOfABlock) {
  const char* text = R"(
def f(A: T.Buffer((10, 4), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            for k in range(4):
                with T.block("B"):
                    vj = T.axis.spatial(10, x * 2 + j)
                    vk = T.axis.reduce(4, k)
                    with T.init():
                        B[vj] = 0
                    B[vj] = B[vj] + A[vj, vk]
        for i in range(1):
            with T.block("C"):
                vx = T.axis.spatial(4, x + i)
                C[vx] = B[vx * 2] + B[vx * 2 + 3]
)";
  const PrimFunc func = parse(text);
  fires(func, skip(func, 2, 2));
}

TEST(SkipComputed, WithAHeldBase) {
  const char* text = R"(
def f(A: T.Buffer((10,), "float32"), C: T.Buffer((5,), "float32")):
    B = T.alloc_buffer((10,), "float32")
    for x in range(5):
        for j in range(4):
            B[T.min(x * 2, 6) + j] = A[T.min(x * 2, 6) + j]
        C[x] = B[T.min(x * 2, 6) + 3]
)";
  const PrimFunc func = parse(text);
  Args args = skip(func, 0, 0);
  const Expr x(stmt_at(func, loop_named(func, "x")).as<For>()->var),
      j(stmt_at(func, loop_named(func, "j")).as<For>()->var);
  const Expr place = min(x * i32(2), i32(6)) + j - min((x - i32(1)) * i32(2), i32(6));
  args["condition"] = lor(le(x, i32(0)), le(i32(4), place));
  args["earlier"] = std::vector<Expr>{x - i32(1), place};
  fires(func, args);
}

TEST(SkipComputed, DoesNotFireOutsideOfTheLoop) {
  PrimFunc func = parse(kWindow);
  Args args = skip(func, 2, 2);
  args["at"] = loop_named(func, "x");
  EXPECT_TRUE(not_applicable(func, kRule, args));
  args = skip(func, 2, 2);
  args["earlier"] = std::vector<Expr>{i32(0)};
  expect_not_applicable(func, kRule, args, "there are 2 loops");
}

TEST(SkipComputed, Condition1TheConditionDividesByZero) {
  PrimFunc func = parse(kWindow);
  Args args = skip(func, 2, 2);
  const Expr x(stmt_at(func, loop_named(func, "x")).as<For>()->var);
  args["condition"] = lor(std::get<Expr>(args["condition"]), ge(floordiv(i32(1), x), i32(5)));
  expect_refused_rightly(func, kRule, args, "the condition is no error");
  args["condition"] = lt(load(func.params[0].buffer, {i32(0)}), i32(0));
  expect_not_applicable(func, kRule, args, "the condition");
}

// The iteration before held half of the cells alone: those of odd j were never computed.
TEST(SkipComputed, Condition2ItDidNotRunThere) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            if j < 2 or x >= 1:
                B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2]
)");
  Args args = skip(func, 2, 2);
  Path at = std::get<Path>(args["at"]);
  at.push_back(0);
  args["at"] = at;
  expect_refused_rightly(func, kRule, args, "the statement ran in the earlier iteration");
  // Nor past the end of the loop.
  func = parse(kWindow);
  args = skip(func, 3, 2);
  expect_refused_rightly(func, kRule, args, "the statement ran in the earlier iteration");
}

// Both windows are one, and nobody computes it first.
TEST(SkipComputed, Condition3NotBefore) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    for x in range(4):
        for j in range(4):
            B[j] = A[j]
        C[x] = B[x]
)");
  Args args = skip(func, 2, 0);
  const Expr x(stmt_at(func, loop_named(func, "x")).as<For>()->var),
      j(stmt_at(func, loop_named(func, "j")).as<For>()->var);
  args["condition"] = le(i32(2), j);
  args["earlier"] = std::vector<Expr>{x, j};
  expect_refused_rightly(func, kRule, args, "comes before");
  args["earlier"] = std::vector<Expr>{i32(0), j};
  expect_refused_rightly(func, kRule, args, "comes before");
  PrimFunc parallel = parse(R"(
def f(A: T.Buffer((16,), "int32")):
    B = T.alloc_buffer((16,), "int32")
    for x in T.parallel(4):
        for j in range(4):
            B[x * 4 + j] = A[j]
        A[x + 4] = B[x * 4]
)");
  expect_not_applicable(parallel, kRule, skip(parallel, 2, 2), "not serial");
}

// What it left there was computed of other cells.
TEST(SkipComputed, Condition4AnotherValue) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((20,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            B[x * 2 + j] = A[x * 4 + j]
        C[x] = B[x * 2] + B[x * 2 + 1]
)");
  expect_refused_rightly(func, kRule, skip(func, 2, 2), "the same in the earlier iteration");
}

// B holds two cells: what one iteration left, the next one has overwritten, and the one after it needs it again.
TEST(SkipComputed, Condition5OverwrittenInBetween) {
  PrimFunc func = parse(R"(
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8, 2), "int32")):
    B = T.alloc_buffer((2,), "int32")
    for x in range(8):
        for j in range(2):
            B[j] = A[x % 2 * 2 + j]
        for k in range(2):
            C[x, k] = B[k]
)");
  Args args = skip(func, 0, 0);
  const Expr x(stmt_at(func, loop_named(func, "x")).as<For>()->var),
      j(stmt_at(func, loop_named(func, "j")).as<For>()->var);
  args["condition"] = lt(x, i32(2));
  args["earlier"] = std::vector<Expr>{x - i32(2), j};
  expect_refused_rightly(func, kRule, args, "executions that write one cell are the same");
}

TEST(SkipComputed, Condition6SomebodyElseWrites) {
  const std::string text = R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        for j in range(4):
            IF
                B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2]
        LAST
)";
  auto with = [&](const std::string& condition, const std::string& last) {
    std::string out = text;
    out.replace(out.find("IF"), 2, condition);
    return out.replace(out.find("LAST"), 4, last);
  };
  for (const char* last : {"B[x * 2 + 2] = 7", "A[x * 2 + 2] = 7"}) {
    const PrimFunc func = parse(with("if x < 10:", last));
    expect_not_applicable_rightly(func, kRule, skip(func, 2, 2), "written", with("if x <= 0 or 2 <= j:", last));
  }
  // Memory of each iteration's own; sums that go on.
  const PrimFunc own = parse(R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    for x in range(4):
        B = T.alloc_buffer((10,), "int32")
        for j in range(4):
            B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2]
)");
  expect_not_applicable_rightly(own, kRule, skip(own, 2, 2), "allocated in the loop", R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    for x in range(4):
        B = T.alloc_buffer((10,), "int32")
        for j in range(4):
            if x <= 0 or 2 <= j:
                B[x * 2 + j] = A[x * 2 + j]
        C[x] = B[x * 2]
)");
  const PrimFunc sums = parse(R"(
def f(A: T.Buffer((10,), "int32"), B: T.Buffer((10,), "int32")):
    for x in range(4):
        for j in range(4):
            B[x * 2 + j] = B[x * 2 + j] + A[x * 2 + j]
)");
  EXPECT_TRUE(not_applicable(sums, kRule, skip(sums, 2, 2)) || refusal(sums, kRule, skip(sums, 2, 2)));
}

// The value of a let was read in its own iteration.
TEST(SkipComputed, Condition6ALetAroundReadsWhatChanges) {
  const std::string text = R"(
def f(C: T.Buffer((4,), "int32")):
    D = T.alloc_buffer((1,), "int32")
    B = T.alloc_buffer((10,), "int32")
    D[0] = 0
    for x in range(4):
        with T.LetStmt(D[0]) as t:
            for j in range(4):
                IF
                    B[x * 2 + j] = t
        C[x] = B[x * 2]
        D[0] = D[0] + 1
)";
  auto with = [&](const std::string& condition) {
    std::string out = text;
    return out.replace(out.find("IF"), 2, condition);
  };
  const PrimFunc func = parse(with("if x < 10:"));
  expect_not_applicable_rightly(func, kRule, skip(func, 2, 2), "which is bound around", with("if x <= 0 or 2 <= j:"));
}

TEST(SkipComputed, Condition7ItChooses) {
  const PrimFunc func = parse(R"(
def f(A: T.Buffer((10,), "int32"), C: T.Buffer((4,), "int32")):
    for x in range(4):
        for j in range(4):
            A[x * 2 + j] = T.undef()
)");
  expect_not_applicable(func, kRule, skip(func, 2, 2), "undef");
  const PrimFunc open = parse(R"(
def f(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    T.func_attr({"hexproof.fp": "contract"})
    for x in range(4):
        for j in range(4):
            B[x * 2 + j] = A[x * 2 + j] * A[0] + A[1]
)");
  expect_not_applicable(open, kRule, skip(open, 2, 2), "contract");
}

TEST(SkipComputed, Condition4ViewsStayWhereTheyAre) {
  const std::string text = R"(
def f(A: T.Buffer((40,), "int32"), C: T.Buffer((4,), "int32")):
    B = T.alloc_buffer((10,), "int32")
    for x in range(4):
        V = T.decl_buffer((10,), "int32", data=A.data, elem_offset=OFFSET)
        for j in range(4):
WHERE            B[x * 2 + j] = V[x * 2 + j]
        C[x] = B[x * 2] + B[x * 2 + 3]
)";
  auto with = [&](const std::string& offset, const std::string& where) {
    std::string out = text;
    out.replace(out.find("OFFSET"), 6, offset);
    return out.replace(out.find("WHERE"), 5, where);
  };
  const PrimFunc moves = parse(with("x * 10", "")), stays = parse(with("10", ""));
  EXPECT_TRUE(not_applicable(moves, kRule, skip(moves, 2, 2)));
  fires(stays, skip(stays, 2, 2));
  // Without the condition the row would be left out that lies elsewhere.
  EXPECT_NE(difference(moves, parse(with("x * 10", "            if x <= 0 or 2 <= j:\n    "))), "");
}

}  // namespace skip_computed_test
}  // namespace hexproof
