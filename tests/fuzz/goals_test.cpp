// How many goals are asked of each access: as many as docs/check.md and docs/rules-loops.md say, counted here without
// the help of facts and footprints.
#include <gtest/gtest.h>

#include <optional>

#include "fuzz/constructs/constructs.h"
#include "fuzz/programs/program.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/site/places.h"
#include "verify/check/check.h"

namespace hexproof {
namespace goals_test {

/// Loads that stand in an expression. (The cell of a permission is named, and not read: it is asked for its bounds,
/// too.)
size_t loads(const Expr& e) {
  size_t out = e->op == Op::Load && !e->args.empty();
  for (const Expr& arg : e->args) out += loads(arg);
  return out;
}

size_t accesses(const PrimFunc& func) {
  size_t out = 0;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) {
        out += loads(iter.binding);
        // The init runs where a reduction starts; all else that blocks say of domains and regions is no evaluation.
        if (block->init && iter.kind == IterKind::Reduce) out += loads(iter.dom.min);
      }
      if (block->predicate) out += loads(block->predicate);
      return true;
    }
    for (const Expr& e : expressions(s)) out += e ? loads(e) : 0;
    const Store* store = s.as<Store>();
    out += store && !store->indices.empty();  // a cell without indices has no bounds
    return true;
  });
  return out;
}

std::vector<uint32_t> numbers(uint64_t seed) {
  std::vector<uint32_t> out;
  for (int i = 0; i < 200; ++i) out.push_back(static_cast<uint32_t>(next_random(seed)));
  return out;
}

TEST(Goals, EachAccessIsAskedForItsBounds) {
  Prover prover({.cache_path = "", .rlimit = 20'000, .jobs = 1});
  size_t proved = 0, asked = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    Choices choices(numbers(seed));
    PrimFunc func = seed % 2 ? random_program(choices) : random_constructed_program(choices).func;
    CheckReport report;
    try {
      report = check(func, prover);
    } catch (const Unsupported&) {
      continue;
    }
    if (report.finding != Finding::Proved) continue;
    ++proved;
    size_t bounds = 0;
    for (const CheckedObligation& o : report.obligations) {
      bounds += o.obligation.rule == "check-bounds" && !is_int(o.obligation.goal, 0);
    }
    // A let that is put in is asked again where its name stands.
    bool lets = false;
    visit_stmt(func.body, [&](const Stmt& one) { return !(lets |= one.as<LetStmt>() != nullptr); });
    EXPECT_GE(bounds, accesses(func)) << print(func);
    EXPECT_TRUE(lets || bounds == accesses(func)) << print(func);
    asked += bounds;
  }
  EXPECT_GT(proved, 200u);
  EXPECT_GT(asked, 1000u);
}

/// The memory that a statement touches, each access once.
struct Touched {
  Var memory;
  bool write;
};

void touched(const Expr& e, std::vector<Touched>* out) {
  for (const Expr& arg : e->args) touched(arg, out);
  if (e->op == Op::Load) out->push_back({e->buffer()->data, false});
}

/// Nothing for statements with blocks, lets or assumes, whose operands need more than a list to say.
std::optional<std::vector<Touched>> touched(const Stmt& stmt) {
  std::vector<Touched> out;
  bool simple = true;
  visit_stmt(stmt, [&](const Stmt& s) {
    simple &= s.as<Store>() || s.as<For>() || s.as<If>() || s.as<Seq>();
    for (const Expr& e : expressions(s)) {
      if (e) touched(e, &out);
    }
    if (const Store* store = s.as<Store>()) out.push_back({store->buffer->data, true});
    return true;
  });
  return simple ? std::optional(out) : std::nullopt;
}

TEST(Goals, EachPairOfAccessesIsAskedWhenStatementsChangePlaces) {
  const Rule& swap = rule_by_name("swap-statements");
  size_t pairs = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Choices choices(numbers(seed));
    PrimFunc func = seed % 2 ? random_program(choices) : random_constructed_program(choices).func;
    for (const Path& at : find_all(func, [](const Stmt& s) { return s.as<Seq>() != nullptr; })) {
      const std::vector<Stmt> parts = children(stmt_at(func, at));
      for (size_t k = 0; k + 1 < parts.size(); ++k) {
        auto first = touched(parts[k]), second = touched(parts[k + 1]);
        if (!first || !second) continue;
        size_t expected = 0;
        bool sums = false;  // two accumulations into one buffer may change places
        for (const Touched& a : *first) {
          for (const Touched& b : *second) {
            sums |= a.write && b.write && a.memory == b.memory;
            expected += (a.write || b.write) && a.memory == b.memory;
          }
        }
        if (sums) continue;
        Rewrite step = swap.apply(func, {{"at", below(at, static_cast<int>(k))}});
        EXPECT_EQ(step.needs.size(), expected) << print(func) << "statement " << k;
        pairs += expected;
      }
    }
  }
  EXPECT_GT(pairs, 200u);
}

}  // namespace goals_test
}  // namespace hexproof
