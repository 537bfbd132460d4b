// Which cells a store of undef leaves to whoever wants them.
#include "tests/support/put.h"
#include "tests/verify/programs.h"
#include "verify/memory/content.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace permitted_cells_test {

/// Is a store to the cell of the k-th store permitted to leave anything there, by an earlier store of undef?
Verdict permitted(const std::string& text, size_t k) {
  PrimFunc func = parse(text);
  Verdict out = Verdict::Unknown;
  size_t seen = 0;
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    const Store* store = s.as<Store>();
    if (!store || seen++ != k) return true;
    std::vector<Expr> indices;
    for (const Expr& e : store->indices) indices.push_back(facts.resolve(e));
    Expr goal = may_hold_anything(load(store->buffer, indices));
    out = Prover().prove({"test", "anything", {}, with_content(func, path, facts.given(), {goal}), goal}).verdict;
    return true;
  });
  return out;
}

TEST(PermittedCells, AStoreOfUndefPermitsAnything) {
  const std::string text = R"(
def f(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    for io, ii in T.grid(4, 4):
        if 4 * io + ii >= 14:
            B[io, ii] = T.undef(dtype="float32")
    A[0, 0] = BETWEEN
    for ii in range(FROM, 4):
        B[WHICH, ii] = A[WHICH, ii]
)";
  auto with = [&](const std::string& between, const std::string& from, const std::string& which) {
    return put(put(put(text, "BETWEEN", between), "FROM", from), "WHICH", which);
  };
  EXPECT_EQ(permitted(with("B[3, 1]", "2", "3"), 2), Verdict::Proved);
  EXPECT_NE(permitted(with("B[3, 1]", "1", "3"), 2), Verdict::Proved);
  EXPECT_NE(permitted(with("B[3, 1]", "2", "2"), 2), Verdict::Proved);
  // What was looked at is settled, and so is what was stored; in the loop itself, too.
  EXPECT_NE(permitted(with("B[3, 2]", "2", "3"), 2), Verdict::Proved);
  EXPECT_NE(permitted(put(with("0", "2", "3"), "A[0, 0] = 0", "B[3, 3] = A[0, 0]"), 3), Verdict::Proved);
  EXPECT_NE(permitted(put(with("B[3, 1]", "2", "3"), "B[3, ii] =", "B[3, 5 - ii] ="), 1), Verdict::Proved);
  // Two cells that hold the same are two cells.
  EXPECT_NE(permitted(R"(
def f(B: T.Buffer((2,), "int8")):
    B[0] = T.undef(dtype="int8")
    T.assume(B[0] == B[1])
    B[1] = T.int8(3)
)",
                      1),
            Verdict::Proved);
}

}  // namespace permitted_cells_test
}  // namespace hexproof
