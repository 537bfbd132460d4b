#include "verify/access/footprint.h"

#include "tests/verify/programs.h"
#include "verify/access/linear.h"

namespace hexproof {
namespace footprint_test {

struct FootprintTest : testing::Test {
  static Prover& prover() {
    static Prover p;
    return p;
  }
  static bool holds(const std::vector<Obligation>& all) {
    for (const Obligation& o : all) {
      if (prover().prove(o).verdict != Verdict::Proved) return false;
    }
    return true;
  }
  /// Do the writes of the first part of the body cover every read of `name` in the last one?
  static bool covered(const std::string& text, const std::string& name) {
    PrimFunc f = parse(text);
    Stmt body = f.body;
    while (!body.as<Seq>()) body = children(body)[0];
    std::vector<Stmt> parts = body.as<Seq>()->stmts;
    std::vector<Access> writes = writes_of(footprint(parts.front()));
    for (const Access& read : reads_of(footprint(parts.back()))) {
      if (read.buffer->name != name) continue;
      bool any = false;
      for (const auto& way : covers("test", "the read is covered", {}, {}, writes, read)) any |= holds(way);
      if (!any) return false;
    }
    return true;
  }
};

TEST_F(FootprintTest, AccessesInProgramOrder) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if C[i] > 0:
            B[i] = A[i] + B[i]
)");
  std::vector<Access> all = footprint(f.body);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].buffer->name, "C");
  EXPECT_TRUE(all[0].exact);
  EXPECT_EQ(all[1].buffer->name, "A");
  EXPECT_FALSE(all[1].exact) << "data decides whether it happens";
  EXPECT_FALSE(all[2].write);
  EXPECT_TRUE(all[3].write);
  for (size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].order, all[i].order);
  EXPECT_EQ(common_order(all[1], all[2]) + 1, all[1].order.size());
}

TEST_F(FootprintTest, VectorAccessesHaveALaneLoop) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        B[T.ramp(i * 4, 1, 4)] = A[T.ramp(i, 4, 4)]
)");
  for (const Access& a : footprint(f.body)) {
    ASSERT_EQ(a.loops.size(), 2u);
    EXPECT_TRUE(is_int(a.loops[1].extent, 4));
    EXPECT_TRUE(a.indices[0]->dtype.is_scalar());
  }
}

TEST_F(FootprintTest, MemoryOfTheStatementItselfIsLeftOut) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "float32")):
    for i in range(4):
        C = T.decl_buffer((1,), "float32")
        C[0] = A[i]
        A[i] = C[0]
)");
  EXPECT_EQ(footprint(f.body).size(), 2u);
  EXPECT_EQ(footprint(f.body, {}, true).size(), 4u);
}

TEST_F(FootprintTest, GuardsOnMemoryThatChangesAreOpaque) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(4):
        if A[i] > 0:
            A[i] = 0
        if B[i] > 0:
            A[i] = 1
)");
  std::vector<Access> writes = writes_of(footprint(f.body));
  ASSERT_EQ(writes.size(), 2u);
  EXPECT_EQ(print(writes[1].guards[0]), "B[i] > 0");
  EXPECT_NE(print(writes[0].guards[0]), "A[i] > 0");
}

// What an obligation is written as, in scripts (whose digest is the key of the cache) and in reports, does not depend
// on how many opaque values were made before.
TEST_F(FootprintTest, OpaqueValuesHaveCanonicalNames) {
  const std::string text = R"(
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for i in range(4):
        x: T.int32 = A[i] + B[i]
        if A[i + 1] > 3:
            A[T.max(T.min(A[0], 3), 0) + i] = x
        if A[i + 2] > x:
            B[A[1] * 2 + A[2]] = 0
)";
  auto written = [&] {
    PrimFunc f = parse(text);
    std::vector<Access> writes = writes_of(footprint(f.body));
    std::vector<std::pair<std::string, std::string>> out;
    for (const Access& access : writes) {
      Obligation obligation{
          .rule = "r", .why = "w", .where = {}, .given = access.guards, .goal = ge(access.indices[0], i32(0))};
      out.emplace_back(print(obligation), to_smtlib(obligation));
      EXPECT_NE(out.back().first.find("read#1("), std::string::npos) << out.back().first;
    }
    return out;
  };
  auto first = written();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first, written());
  EXPECT_NE(first[1].first.find("#4("), std::string::npos)
      << first[1].first << "values that may differ have names that differ";
}

TEST_F(FootprintTest, IterationsThatMeetAndThatDoNot) {
  auto meets = [&](const std::string& index) {
    PrimFunc f = parse(
        "def f(A: T.Buffer((64,), \"float32\")):\n    for i in range(8):\n        for j in range(4):\n            A[" +
        index + "] = T.float32(0)\n");
    const For& loop = *f.body.as<For>();
    Facts facts;
    facts.loops.push_back({loop.var, loop.min, loop.extent, loop.kind});
    Access a = footprint(loop.body, facts).at(0);
    const auto [b, renaming] = rename_apart(a, facts.loops);
    std::vector<Expr> given = facts.given();
    given.push_back(ne(Expr(loop.var), renaming.at(loop.var)));
    for (const Expr& e : facts.given()) given.push_back(substitute(e, renaming));
    // The loops inside are two copies as well.
    return !holds(disjoint("test", "the iterations do not meet", {}, given, rename_apart(a), b));
  };
  EXPECT_FALSE(meets("i * 4 + j"));
  EXPECT_TRUE(meets("i * 3 + j"));
  EXPECT_TRUE(meets("i // 2 * 4 + j"));
}

TEST_F(FootprintTest, ViewsOfOneMemoryMeetByAddress) {
  PrimFunc f = parse(R"(
def f(A: T.Buffer((4, 8), "float32")):
    flat = T.Buffer((32,), data=A.data)
    A[1, 2] = T.float32(0)
    flat[10] = T.float32(0)
    flat[11] = T.float32(0)
)");
  std::vector<Access> w = writes_of(footprint(f.body));
  ASSERT_EQ(w.size(), 3u);
  EXPECT_FALSE(holds(disjoint("test", "", {}, {}, w[0], w[1])));
  EXPECT_TRUE(holds(disjoint("test", "", {}, {}, w[0], w[2])));
}

TEST_F(FootprintTest, CoversFlatByNested) {
  const char* text = R"(
def f(A: T.Buffer((1024,), "float32"), B: T.Buffer((1024,), "float32")):
    for i, j, k in T.grid(4, 32, 8):
        A[i * 256 + j * 8 + k] = T.float32(0)
    for f in range(COUNT):
        B[f] = A[f]
)";
  auto with = [&](const std::string& count) {
    std::string out = text;
    return out.replace(out.find("COUNT"), 5, count);
  };
  EXPECT_TRUE(covered(with("1024"), "A"));
  EXPECT_FALSE(covered(with("1025"), "A"));
}

TEST_F(FootprintTest, CoversNestedByFlat) {
  EXPECT_TRUE(covered(R"(
def f(A: T.Buffer((4, 8, 8), "float32"), B: T.Buffer((256,), "float32")):
    for f in range(256):
        A[f // 64, f // 8 % 8, f % 8] = T.float32(0)
    for i, j, k in T.grid(4, 8, 8):
        B[i * 64 + j * 8 + k] = A[i, j, k]
)",
                      "A"));
  EXPECT_FALSE(covered(R"(
def f(A: T.Buffer((4, 8, 8), "float32"), B: T.Buffer((256,), "float32")):
    for f in range(255):
        A[f // 64, f // 8 % 8, f % 8] = T.float32(0)
    for i, j, k in T.grid(4, 8, 8):
        B[i * 64 + j * 8 + k] = A[i, j, k]
)",
                       "A"));
}

TEST_F(FootprintTest, CoversASplitLoopWithItsGuard) {
  EXPECT_TRUE(covered(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 14:
            A[io * 4 + ii] = T.float32(0)
    for i in range(14):
        B[i] = A[i]
)",
                      "A"));
  EXPECT_FALSE(covered(R"(
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((14,), "float32")):
    for io, ii in T.grid(4, 4):
        if io * 4 + ii < 13:
            A[io * 4 + ii] = T.float32(0)
    for i in range(14):
        B[i] = A[i]
)",
                       "A"));
}

TEST_F(FootprintTest, CoversBackwardsOffsetAndSymbolic) {
  EXPECT_TRUE(covered(R"(
def f(A: T.Buffer((20,), "float32"), B: T.Buffer((20,), "float32")):
    for i in range(16):
        A[17 - i] = T.float32(0)
    for i in range(2, 18):
        B[i] = A[i]
)",
                      "A"));
  EXPECT_TRUE(covered(R"(
def f(a: T.handle, b: T.handle, m: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    for i in range(n):
        A[i] = T.float32(0)
    for j in range(n):
        B[j] = A[n - 1 - j]
)",
                      "A"));
  EXPECT_TRUE(covered(R"(
def f(a: T.handle, b: T.handle, m: T.int32):
    n = T.int32()
    A = T.match_buffer(a, (n * m,), "float32")
    B = T.match_buffer(b, (n * m,), "float32")
    for i, j in T.grid(n, m):
        A[i * m + j] = T.float32(0)
    for i, j in T.grid(n, m):
        B[i * m + j] = A[i * m + j]
)",
                      "A"));
}

TEST_F(FootprintTest, CoversAWindow) {
  EXPECT_TRUE(covered(R"(
def f(A: T.Buffer((10,), "float32"), B: T.Buffer((10,), "float32")):
    for i, r in T.grid(8, 3):
        A[i + r] = T.float32(0)
    for i in range(10):
        B[i] = A[i]
)",
                      "A"));
  EXPECT_FALSE(covered(R"(
def f(A: T.Buffer((11,), "float32"), B: T.Buffer((11,), "float32")):
    for i, r in T.grid(8, 3):
        A[i + r] = T.float32(0)
    for i in range(11):
        B[i] = A[i]
)",
                       "A"));
}

TEST_F(FootprintTest, AWriteThatMayNotHappenCoversNothing) {
  EXPECT_FALSE(covered(R"(
def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in range(8):
        if B[i] > T.float32(0):
            A[i] = T.float32(0)
    for i in range(8):
        B[i] = A[i]
)",
                       "A"));
}

TEST(Linear, SumsAndBack) {
  Var i = Var::fresh("i", kInt32), j = Var::fresh("j", kInt32);
  Expr e = (Expr(i) + i32(3)) * i32(4) - Expr(j) * i32(2) - Expr(i);
  Linear l = linear(e);
  EXPECT_EQ(l.terms.size(), 2u);
  EXPECT_TRUE(l.constant == 12);
  EXPECT_EQ(print(l.expr(kInt32)), "i * 3 - j * 2 + 12");
  Linear gone = linear(Expr(i) - Expr(i));
  EXPECT_TRUE(gone.terms.empty());
  EXPECT_FALSE(linear(Expr(i) * i32(1000)).expr(kInt8)) << "a factor that does not fit";
  // A number is written with its sign in front: 1 and 200 fit a type that holds no -1.
  const DType byte = *parse_dtype("uint8");
  Expr u(Var::fresh("u", byte));
  EXPECT_EQ(print(linear(u + imm(byte, 200)).expr(byte)), "u + T.uint8(200)");
  EXPECT_EQ(print(linear(u - imm(byte, 1)).expr(byte)), "u - T.uint8(1)");
  EXPECT_EQ(print(linear(imm(byte, 255)).expr(byte)), "T.uint8(255)");
  EXPECT_FALSE(linear(imm(byte, 100) - imm(byte, 101)).expr(byte));
  EXPECT_EQ(print(linear(imm(kInt8, -128)).expr(kInt8)), "T.int8(-128)");
  EXPECT_FALSE(linear(Expr(j) - i32(100) - i32(28)).expr(kInt8)) << "128 does not fit";
}

}  // namespace footprint_test
}  // namespace hexproof
