#include "verify/facts/facts.h"

#include <fmt/format.h>

#include "tests/verify/programs.h"

namespace hexproof {
namespace facts_test {

std::vector<std::string> texts(const std::vector<Expr>& list) {
  std::vector<std::string> out;
  for (const Expr& e : list) out.push_back(print(e));
  return out;
}

/// What is known at the k-th store.
std::vector<std::string> given_at_store(const PrimFunc& func, size_t k = 0) {
  std::vector<std::string> out;
  size_t seen = 0;
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    if (s.as<Store>() && seen++ == k) {
      out = texts(facts.given());
      EXPECT_EQ(texts(facts_at(func, path).given()), out);
      EXPECT_EQ(stmt_at(func, path).get(), s.get());
    }
    return true;
  });
  return out;
}
bool knows(const std::vector<std::string>& given, const std::string& text) {
  return std::find(given.begin(), given.end(), text) != given.end();
}

TEST(Facts, LoopsBranchesAndLets) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(4):
        x: T.int32 = i * 4
        for j in range(1, 4):
            if x + j < 14 and not i == 2:
                A[x + j] = T.float32(0)
            else:
                A[0] = T.float32(1)
)");
  auto yes = given_at_store(f, 0), no = given_at_store(f, 1);
  for (const char* text : {"0 <= i", "i < 4", "1 <= j", "j < 4", "i * 4 + j < 14", "not i == 2"}) {
    EXPECT_TRUE(knows(yes, text)) << text << testing::PrintToString(yes);
  }
  EXPECT_FALSE(knows(no, "i * 4 + j < 14"));
  std::erase_if(no, [](const std::string& e) { return e.starts_with("fits("); });
  EXPECT_EQ(no.size(), 5u) << "the negation of a conjunction stays one condition";
  EXPECT_TRUE(knows(yes, "fits(i * 4)")) << "what was evaluated had no error";
}

TEST(Facts, ConditionsOnMemoryDieAtStores) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    if B[0] > 0:
        A[0] = 1
        A[1] = 1
        B[3] = 1
        A[2] = 1
)");
  EXPECT_TRUE(knows(given_at_store(f, 1), "B[0] > 0"));
  EXPECT_TRUE(knows(given_at_store(f, 2), "B[0] > 0"));
  EXPECT_FALSE(knows(given_at_store(f, 3), "B[0] > 0"));
}

TEST(Facts, ALaterStoreOfALoopKillsInTheNextIteration) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    if B[0] > 0:
        for i in range(4):
            A[i] = 1
            if B[1] > 0:
                A[i] = 2
                B[i] = 1
                A[i] = 3
)");
  EXPECT_FALSE(knows(given_at_store(f, 0), "B[0] > 0"));
  EXPECT_TRUE(knows(given_at_store(f, 1), "B[1] > 0"));
  EXPECT_FALSE(knows(given_at_store(f, 3), "B[1] > 0"));
}

TEST(Facts, AStoreThroughAViewKills) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((4, 4), "int32")):
    flat = T.Buffer((16,), "int32", data=B.data)
    if B[0, 0] > 0:
        flat[3] = 0
        A[0] = 1
)");
  EXPECT_TRUE(knows(given_at_store(f, 0), "B[0, 0] > 0"));
  EXPECT_FALSE(knows(given_at_store(f, 1), "B[0, 0] > 0"));
}

TEST(Facts, AssumesHoldUntilTheEndOfTheirScope) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(4):
        T.evaluate(T.assume(n > i))
        A[i] = 1
    A[5] = 1
)");
  EXPECT_TRUE(knows(given_at_store(f, 0), "n > i"));
  EXPECT_EQ(given_at_store(f, 1).size(), 0u);
}

TEST(Facts, AnAssumeWithUndefSaysNothingOfTheValue) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(4):
        T.evaluate(T.assume(i < 14 or A[i] == T.undef(dtype="int32")))
        A[i] = 1
)");
  EXPECT_EQ(given_at_store(f, 0).size(), 2u);
}

TEST(Facts, SymbolicShapesAreNotNegativeAndFitInMemory) {
  PrimFunc f = parse(R"(
def f(a: T.handle, b: T.handle):
    n = T.int32()
    m = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n, m), "float32")
    A[0] = T.float32(0)
)");
  auto given = given_at_store(f);
  EXPECT_TRUE(knows(given, "n >= 0")) << testing::PrintToString(given);
  EXPECT_TRUE(knows(given, "m >= 0"));
  EXPECT_TRUE(knows(given, "n <= 536870911")) << testing::PrintToString(given);
  bool product = false;
  for (const std::string& g : given) product |= g.find("<= T.int64(536870911)") != std::string::npos;
  EXPECT_TRUE(product) << testing::PrintToString(given);
}

TEST(Facts, ALetOfMemoryThatChangesIsSomeValue) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(4):
        x: T.int32 = B[i] + 1
        y: T.int32 = A[i] + 1
        if x > 0 and y > 0:
            A[i] = 2
)");
  auto given = given_at_store(f);
  EXPECT_TRUE(knows(given, "B[i] + 1 > 0")) << testing::PrintToString(given);
  EXPECT_FALSE(knows(given, "A[i] + 1 > 0")) << testing::PrintToString(given);
  EXPECT_EQ(given.size(), 4u);
}

TEST(Facts, BlocksBindTheirVariables) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((4,), "float32")):
    for i, k in T.grid(4, 4):
        with T.block("sum"):
            vi = T.axis.spatial(4, i)
            vk = T.axis.reduce(4, k)
            T.where(i * 4 + k < 14)
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi * 4 + vk]
)");
  auto init = given_at_store(f, 0), body = given_at_store(f, 1);
  EXPECT_TRUE(knows(init, "k == 0")) << testing::PrintToString(init);
  EXPECT_FALSE(knows(body, "k == 0"));
  EXPECT_TRUE(knows(init, "i * 4 + k < 14"));
  EXPECT_TRUE(knows(body, "i * 4 + k < 14"));
}

TEST(Facts, GuardsInsideExpressions) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = T.if_then_else(i < 14, A[i], B[i])
)");
  walk_with_facts(f, [&](const Stmt& s, const Path&, const Facts& facts) {
    const Store* store = s.as<Store>();
    if (!store) return true;
    int loads = 0;
    walk_expr_with_facts(store->value, facts, [&](const Expr& e, const Facts& now) {
      if (e->op != Op::Load) return;
      ++loads;
      EXPECT_TRUE(knows(texts(now.given()), e->buffer()->name == "A" ? "i < 14" : "not i < 14"));
    });
    EXPECT_EQ(loads, 2);
    return true;
  });
}

TEST(Facts, ReplaceAt) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(0)
    A[0] = T.float32(1)
)");
  PrimFunc g = replace_at(f, {0, 0}, empty_stmt());
  int stores = 0;
  visit_stmt(g.body, [&](const Stmt& s) {
    stores += s.as<Store>() != nullptr;
    return true;
  });
  EXPECT_EQ(stores, 1);
  EXPECT_THROW(stmt_at(f, {0, 0, 0, 7}), InternalError);
}

TEST(Facts, LetsThatDoubleDoNotExplode) {
  std::string text = "def f(A: T.Buffer((16,), \"int32\"), n: T.int32):\n    x0: T.int32 = n\n";
  for (int i = 1; i < 60; ++i) {
    text += fmt::format("    x{}: T.int32 = x{} + x{}\n", i, i - 1, i - 1);
  }
  text += "    if x59 == 0:\n        A[0] = 1\n";
  EXPECT_LT(given_at_store(parse(text)).size(), 12u);
  static Prover prover;
  CheckReport report = check(parse(text), prover);
  EXPECT_NE(report.finding, Finding::Proved) << describe(report);
}

}  // namespace facts_test
}  // namespace hexproof
