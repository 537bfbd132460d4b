// Every pair of the corpus gets its verdict: proved, or refuted with an input that the interpreter replays.
#include <fmt/format.h>

#include <set>

#include "backend/field/evaluator.h"
#include "ir/visit.h"
#include "tests/equiv/corpus.h"
#include "verify/check/finding_text.h"
#include "verify/equiv/equiv.h"

namespace hexproof {
namespace pairs_test {

using corpus::Entry;
using corpus::Kind;

std::filesystem::path root() { return std::filesystem::path(HEXPROOF_SOURCE_DIR) / "tests" / "equiv" / "pairs"; }

EquivReport judge(const ProgramPair& pair) {
  static Prover prover({.jobs = 1});
  auto native = make_native_evaluator();
  return equiv(pair, prover, {.native = native.get()});
}

std::string describe(const EquivReport& report) {
  std::string out = std::string(to_text(report.finding)) + " " + report.reason;
  for (const Evidence& e : report.evidence) {
    out += fmt::format("\n  {}: {}: {}", e.method, to_text(e.finding), e.says);
  }
  if (report.counterexample) out += "\n" + report.counterexample->table;
  return out;
}

/// The counterexample shows itself once more, and tells the reader where to look.
void expect_shown(const EquivReport& report) {
  ASSERT_TRUE(report.counterexample.has_value());
  const Counterexample& shown = *report.counterexample;
  EXPECT_FALSE(shown.table.empty());
  EXPECT_TRUE(shown.after_error || !shown.differences.empty());
  if (!shown.after_error && !shown.differences.empty()) {
    const Difference& cell = shown.differences[0];
    EXPECT_NE(shown.table.find(report.pair.buffers.at(cell.buffer).before->name), std::string::npos) << shown.table;
  }
  std::optional<Counterexample> again = replay(report.pair, shown.input);
  ASSERT_TRUE(again.has_value()) << "the counterexample does not replay\n" << shown.table;
  ASSERT_EQ(again->after_error.has_value(), shown.after_error.has_value());
  if (shown.after_error) {
    EXPECT_EQ(again->after_error->str(), shown.after_error->str());
  }
  EXPECT_EQ(again->differences.size(), shown.differences.size());
}

void expect_proved(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation) {
  EquivReport report = judge(pair_programs(before, after, relation));
  EXPECT_EQ(report.finding, Finding::Proved) << describe(report);
}

class Pairs : public testing::TestWithParam<std::filesystem::path> {
 protected:
  std::vector<Entry> entries() const { return corpus::read_entries(root(), GetParam()); }
};

TEST_P(Pairs, Judged) {
  for (const Entry& entry : entries()) {
    SCOPED_TRACE(entry.name);
    EquivReport report = judge(pair_programs(entry.before, entry.after, entry.relation));
    switch (entry.kind) {
      case Kind::Right:
        EXPECT_EQ(report.finding, Finding::Proved) << describe(report);
        EXPECT_FALSE(report.counterexample.has_value());
        break;
      case Kind::Wrong:
        EXPECT_EQ(report.finding, Finding::Refuted) << describe(report);
        if (report.finding == Finding::Refuted) expect_shown(report);
        break;
      case Kind::Vacuous:
        EXPECT_EQ(report.finding, Finding::Vacuous) << describe(report);
        break;
    }
  }
}

TEST_P(Pairs, EachProgramIsEquivalentToItself) {
  std::set<std::string> seen;
  for (const Entry& entry : entries()) {
    // A `before` without an input that it runs on, and an `after` that is always an error, are equivalent to nothing.
    if (entry.kind == Kind::Vacuous) continue;
    SCOPED_TRACE(entry.name);
    if (seen.insert("before").second) expect_proved(entry.before, entry.before, {});
    if (entry.kind == Kind::Right) expect_proved(entry.after, entry.after, {});
  }
}

bool may_choose_or_assume(const PrimFunc& func) {
  bool found = false;
  visit_all_exprs(func.body, [&](const Expr& e) { found |= e->op == Op::Undef; });
  visit_stmt(func.body, [&](const Stmt& s) {
    found |= s.as<Assume>() != nullptr;
    return !found;
  });
  return found;
}

TEST_P(Pairs, RightOnesHoldInBothDirections) {
  for (const Entry& entry : entries()) {
    const RelationRequest& relation = entry.relation;
    bool changed = !relation.layouts.empty() || !relation.pads.empty();  // the way back needs the inverse relation
    if (entry.kind != Kind::Right || entry.one_way || changed) continue;
    if (may_choose_or_assume(entry.before) || may_choose_or_assume(entry.after)) continue;
    SCOPED_TRACE(entry.name);
    expect_proved(entry.after, entry.before, relation);
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, Pairs, testing::ValuesIn(corpus::corpus_files(root())), [](const auto& info) {
  auto place = std::filesystem::relative(info.param, root());
  return corpus::test_name(place.replace_extension("").string());
});

TEST(Corpus, HasEnoughOfEachKind) {
  size_t right = 0, wrong = 0;
  std::set<std::string> names;
  for (const Entry& entry : corpus::all_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " is there twice";
    right += entry.kind == Kind::Right ? 1 : 0;
    wrong += entry.kind == Kind::Wrong ? 1 : 0;
  }
  EXPECT_GE(right + wrong, 120u);
  EXPECT_GE(right, 50u);
  EXPECT_GE(wrong, 50u);
}

}  // namespace pairs_test
}  // namespace hexproof
