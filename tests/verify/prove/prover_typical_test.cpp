// The obligations that schedules of convolutions raise: each is answered, and most by the first stage alone.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "ir/buffer.h"
#include "verify/prove/prover.h"
#include "verify/prove/solvers/arithmetic/normal_form.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {
namespace prover_typical_test {

struct Question {
  const char* name;
  std::vector<Expr> given;
  Expr goal;
  Verdict verdict;
  bool quick = true;  // the first stage answers it
};

struct Loops {
  std::vector<Var> vars;
  std::vector<Expr> given;

  Var add(const char* name, int64_t extent) {
    Var v = Var::fresh(name, kInt32);
    given.push_back(le(i32(0), v));
    given.push_back(lt(v, i32(extent)));
    vars.push_back(v);
    return v;
  }
};

Expr c(int64_t v) { return i32(v); }

/// Two copies of the loops of a tiled convolution and their row-major addresses.
struct TwoCopies {
  Loops loops;
  std::vector<Var> a, b;
  static constexpr int64_t kExtents[] = {8, 4, 8, 8, 32}, kFactors[] = {8192, 2048, 256, 32, 1};

  TwoCopies() {
    for (int64_t extent : kExtents) a.push_back(loops.add("a", extent));
    for (int64_t extent : kExtents) b.push_back(loops.add("b", extent));
  }
  Expr address(const std::vector<Var>& v) const {
    Expr sum = v[0] * c(kFactors[0]);
    for (int i = 1; i < 5; ++i) sum = sum + v[i] * c(kFactors[i]);
    return sum;
  }
  std::vector<Expr> with(std::vector<Expr> more) const {
    more.insert(more.begin(), loops.given.begin(), loops.given.end());
    return more;
  }
};

std::vector<Question> questions() {
  std::vector<Question> out;
  auto add = [&](const char* name, std::vector<Expr> given, Expr goal, Verdict verdict = Verdict::Proved,
                 bool quick = true) {
    out.push_back({name, std::move(given), std::move(goal), verdict, quick});
  };
  {
    Loops l;
    Var ho = l.add("ho", 8), wo = l.add("wo", 8), hi = l.add("hi", 8), wi = l.add("wi", 8), rh = l.add("rh", 3),
        rw = l.add("rw", 3), ci = l.add("ci", 32);
    Expr h = ho * c(8) + hi + rh, w = wo * c(8) + wi + rw;
    add("input row below", l.given, lt(h, c(66)));
    add("input row above zero", l.given, ge(h, c(0)));
    add("input row out of bounds", l.given, lt(h, c(64)), Verdict::Refuted);
    add("flat address below", l.given, lt((h * c(66) + w) * c(32) + ci, c(66 * 66 * 32)));
    add("flat address fits", l.given, fits((h * c(66) + w) * c(32) + ci));
    add("flat address does not fit", l.given, fits((h * c(66) + w) * c(3200000) + ci), Verdict::Refuted);
    add("tile row", l.given, lt(floordiv(h, c(8)), c(9)));
    add("tile row too small", l.given, lt(floordiv(h, c(8)), c(8)), Verdict::Refuted);
    add("row in tile", l.given, lt(floormod(h, c(8)), c(8)));
    add("row from tile", l.given, eq(floordiv(h, c(8)) * c(8) + floormod(h, c(8)), h));
    add("packed address", l.given,
        lt(floordiv(h, c(8)) * c(18432) + floordiv(w, c(8)) * c(2048) + floormod(h, c(8)) * c(256) +
               floormod(w, c(8)) * c(32) + ci,
           c(9 * 18432)));
    Expr flat = ((ho * c(8) + hi) * c(64) + wo * c(8) + wi) * c(32) + ci;
    add("recover the channel", l.given, eq(floormod(flat, c(32)), ci));
    add("recover the column", l.given, eq(floormod(floordiv(flat, c(32)), c(64)), wo * c(8) + wi));
    add("recover the row", l.given, eq(floordiv(flat, c(2048)), ho * c(8) + hi));
    add("recover the tile row", l.given, eq(floordiv(flat, c(16384)), ho));
    add("no clamp needed", l.given, eq(floormod(h, c(66)), h));
    add("clamp needed", l.given, eq(floormod(h, c(65)), h), Verdict::Refuted);
    add("divisor is not zero", l.given, fits(floordiv(h, rh + c(1))));
    add("divisor may be zero", l.given, fits(floordiv(h, rh)), Verdict::Refuted);
    add("shift as division", l.given, eq(binary(Op::Shr, h, c(3)), floordiv(h, c(8))));
    add("mask as remainder", l.given, eq(binary(Op::BitAnd, h, c(7)), floormod(h, c(8))));
  }
  {
    Loops l;
    Var io = l.add("io", 4), ii = l.add("ii", 4);
    add("guard of an exact split", l.given, lt(io * c(4) + ii, c(16)));
    add("guard of a split", l.given, lt(io * c(4) + ii, c(14)), Verdict::Refuted);
    Expr inside = lt(io * c(4) + ii, c(14));
    std::vector<Expr> guarded = l.given;
    guarded.push_back(inside);
    add("guard implies itself", guarded, lt(ii + c(4) * io, c(14)));
    add("guard implies a bound", guarded, lt(io * c(4) + ii + c(2), c(16)));
    std::vector<Expr> either = l.given;
    either.push_back(lor(lt(io, c(3)), lt(ii, c(2))));
    add("a disjunction", either, inside);
    Var n = Var::fresh("n", kInt32);
    Var x = Var::fresh("x", kInt32), y = Var::fresh("y", kInt32);
    std::vector<Expr> symbolic = {ge(n, c(0)), ge(x, c(0)), lt(x, floordiv(n + c(3), c(4))),
                                  ge(y, c(0)), lt(y, c(4)), lt(x * c(4) + y, n)};
    add("symbolic guard", symbolic, lt(x * c(4) + y, n));
    add("symbolic bound", symbolic, le(x * c(4), n - c(1)));
    std::vector<Expr> unguarded(symbolic.begin(), symbolic.end() - 1);
    add("symbolic tail", unguarded, lt(x * c(4) + y, n + c(3)));
    add("symbolic tail without slack", unguarded, lt(x * c(4) + y, n), Verdict::Refuted, false);
  }
  {
    TwoCopies t;
    std::vector<Expr> same = t.with({eq(t.address(t.a), t.address(t.b))});
    for (int i = 0; i < 5; ++i) add("equal addresses, equal loops", same, eq(t.a[i], t.b[i]));
    add("reordered loops do not conflict", t.with({lt(t.a[1], t.b[1]), gt(t.a[2], t.b[2])}),
        ne(t.address(t.a), t.address(t.b)));
    add("disjoint iterations", t.with({lt(t.a[0], t.b[0])}), lt(t.address(t.a), t.address(t.b)));
    Expr h1 = t.a[0] * c(8) + t.a[2], h2 = t.b[0] * c(8) + t.b[2];
    add("N-d cells", t.with({eq(h1, h2), eq(t.a[1], t.b[1])}), land(eq(t.a[0], t.b[0]), eq(t.a[2], t.b[2])));
    add("overlapping windows", t.with({lt(t.a[2], t.b[2])}), ne(t.a[2] + t.a[3], t.b[2] + t.b[3]), Verdict::Refuted,
        false);
    Expr tiled = floordiv(t.a[2] * c(8) + t.a[3], c(4)), tiled2 = floordiv(t.b[2] * c(8) + t.b[3], c(4));
    Expr rest = floormod(t.a[2] * c(8) + t.a[3], c(4)), rest2 = floormod(t.b[2] * c(8) + t.b[3], c(4));
    add("tiled cells", t.with({eq(tiled, tiled2), eq(rest, rest2)}), eq(t.a[3], t.b[3]), Verdict::Proved, false);
  }
  return out;
}

TEST(ProverTypical, EachIsAnswered) {
  Prover full, solvers({.normal_form = false});
  for (const Question& q : questions()) {
    Obligation o{.rule = "test", .why = q.name, .where = {}, .given = q.given, .goal = q.goal};
    Answer a = full.prove(o);
    EXPECT_EQ(a.verdict, q.verdict) << q.name << " by " << a.solver << ": " << a.reason;
    bool quick = a.solver == "interval" || a.solver == "normal-form" || a.solver == "evaluation";
    EXPECT_TRUE(quick || !q.quick) << q.name << " took " << a.solver;
    // A solver that knows nothing of the first stage does not contradict it.
    Answer b = solvers.prove(o);
    if (b.verdict != Verdict::Unknown) {
      EXPECT_EQ(b.verdict, q.verdict) << q.name << " by " << b.solver;
    }
  }
}

TEST(ProverTypical, SameAnswersWithAnyJobs) {
  std::vector<Obligation> all;
  for (const Question& q : questions())
    all.push_back({.rule = "t", .why = q.name, .where = {}, .given = q.given, .goal = q.goal});
  Prover one({.jobs = 1}), many({.jobs = 4});
  std::vector<Answer> a = one.prove_all(all), b = many.prove_all(all);
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(a[i].verdict, b[i].verdict);
    EXPECT_EQ(a[i].solver, b[i].solver);
    EXPECT_EQ(a[i].rlimit, b[i].rlimit);
    EXPECT_EQ(a[i].model, b[i].model);
  }
  EXPECT_EQ(one.stats().asked, all.size());
}

TEST(ProverTypical, ScriptsDoNotDependOnVariableIds) {
  std::vector<Question> a = questions(), b = questions();
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(to_smtlib({.rule = "x", .why = "", .where = {}, .given = a[i].given, .goal = a[i].goal}),
              to_smtlib({.rule = "y", .why = "", .where = {}, .given = b[i].given, .goal = b[i].goal}));
  }
}

TEST(ProverTypical, MedianTime) {
  auto median_ms = [](auto&& ask) {
    std::vector<double> times;
    for (const Question& q : questions()) {
      auto start = std::chrono::steady_clock::now();
      ask(q);
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  };
  Prover solvers({.normal_form = false});
  double quick = median_ms([](const Question& q) { decide_quickly(q.given, q.goal); });
  double z3 = median_ms([&](const Question& q) {
    solvers.prove({.rule = "t", .why = "", .where = {}, .given = q.given, .goal = q.goal});
  });
  std::printf("median of %zu obligations: first stage %.4f ms, solvers %.3f ms, ratio %.0f\n", questions().size(),
              quick, z3, z3 / quick);
  RecordProperty("first_stage_us", static_cast<int>(quick * 1000));
  EXPECT_LT(quick, z3);
}

}  // namespace prover_typical_test
}  // namespace hexproof
