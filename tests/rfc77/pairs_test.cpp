// Every pair of RFC 77, one case each, and every run of pairs as one derivation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "ir/text/text.h"
#include "tests/rfc77/listing.h"
#include "tests/support/documents.h"

namespace hexproof::rfc77 {
namespace {

const std::vector<PairFile>& pairs() {
  static const std::vector<PairFile> all = all_pairs();
  return all;
}

size_t number_of(const std::string& name) {
  for (size_t k = 0; k < pairs().size(); ++k) {
    if (pairs()[k].name == name) return k;
  }
  throw Error("there is no pair " + name);
}

std::string case_name(const testing::TestParamInfo<std::string>& info) {
  std::string out = info.param;
  for (char& c : out) c = std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return out;
}

IRModule program(const std::string& text, const std::string& name) { return parse_module(text, name + ".py"); }

/// A primitive takes milliseconds; machines are busy now and then, so only much more than the second that it may take
/// is a failure.
constexpr double kTooSlow = 10'000;

void expect_refused(const PairFile& pair, const IRModule& before, const Ran& ran, Prover& prover) {
  if (pair.expect == Expect::Refused) {
    // Where the schedule stands is not what it is refused for.
    std::string reason = ran.refusal;
    if (reason.starts_with(pair.name)) reason = reason.substr(pair.name.size());
    EXPECT_NE(reason.find(pair.refusal), std::string::npos)
        << (ran.refusal.empty() ? "it was not refused\n" + print(ran.after) : ran.refusal);
  } else {
    EXPECT_EQ(ran.refusal, "");
  }
  EXPECT_EQ(ran.steps, 0u) << print(ran.after);
  // The refusal is not too careful: what was asked for would be wrong.
  if (pair.after.empty()) return;
  EXPECT_EQ(not_refuted(before, program(pair.after, pair.name), {}, prover), "");
}

/// Without the flag the same schedule is refused, and says what it wants.
void expect_asks_for(const PairFile& pair, const IRModule& before, Prover& prover) {
  EXPECT_TRUE(before.functions.at(0).granted(pair.asks_for)) << "the program before does not grant " << pair.asks_for;
  Ran ran = run_schedule_on(without_flag(before, pair.asks_for), pair.schedule, pair.name, prover);
  EXPECT_FALSE(ran.refusal.empty()) << "it is not refused without " << pair.asks_for << "\n" << print(ran.after);
  EXPECT_NE(ran.refusal.find(pair.asks_for), std::string::npos) << ran.refusal;
}

std::vector<InterfaceChange> interface_of(const Ran& ran) {
  return ran.refinements.empty() ? std::vector<InterfaceChange>{} : ran.refinements.back().changes;
}

void expect_listings(const PairFile& pair, const IRModule& before, const Ran& ran, Prover& prover) {
  if (!pair.before_listing.line && !pair.after_listing.line) return;
  // The case `Document.IsAtHand` says that they were not compared.
  if (!std::filesystem::exists(rfc77_document())) return;
  expect_listing(pair.before_listing, before, {}, {}, prover);
  if (!pair.after_listing.line) return;
  std::optional<IRModule> listed = repaired_listing(pair.before_listing);
  // For what is refused, the listing shows the illegal result, which need not be a program.
  const IRModule ours =
      pair.expect == Expect::Proved || pair.after.empty() ? ran.after : program(pair.after, pair.name);
  expect_listing(pair.after_listing, ours, listed ? listed : before, interface_of(ran), prover);
}

/// Each listing that a pair names is there; skipped when nothing of the document is.
TEST(Document, IsAtHand) {
  if (!std::filesystem::exists(rfc77_document())) {
    GTEST_SKIP() << "the document is not beside the project: its listings are not compared with ours";
  }
  for (const PairFile& pair : pairs()) {
    for (const Listing* listing : {&pair.before_listing, &pair.after_listing}) {
      if (!listing->line) continue;
      EXPECT_NO_THROW(listing_text(*listing->line)) << pair.name;
    }
  }
}

class Pairs : public testing::TestWithParam<std::string> {};

TEST_P(Pairs, Hold) {
  const size_t k = number_of(GetParam());
  const PairFile& pair = pairs()[k];
  Prover prover;
  const IRModule before = program(program_before(pairs(), k), pair.name);
  const Ran ran = run_schedule_on(before, pair.schedule, pair.name, prover);
  EXPECT_LT(ran.milliseconds, kTooSlow);
  if (pair.expect == Expect::Proved) {
    ASSERT_EQ(ran.refusal, "") << print(ran.after);
    EXPECT_EQ(program_difference(ran.after, program(pair.after, pair.name)), "");
    expect_validated(ran, prover);
    if (!pair.asks_for.empty()) expect_asks_for(pair, before, prover);
  } else {
    expect_refused(pair, before, ran, prover);
  }
  expect_listings(pair, before, ran, prover);
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const PairFile& pair : pairs()) out.push_back(pair.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Rfc77, Pairs, testing::ValuesIn(names()), case_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Pairs);

/// Pairs that go on from each other, by the first of them: all their schedules in one derivation.
class Runs : public testing::TestWithParam<std::string> {};

TEST_P(Runs, AreOneDerivation) {
  const size_t first = number_of(GetParam());
  std::string schedule;
  size_t last = first;
  for (size_t k = first; k < pairs().size() && (k == first || pairs()[k].before.empty()); ++k) {
    if (pairs()[k].expect != Expect::Proved) continue;
    std::string part = pairs()[k].schedule;
    schedule += part.substr(part.find_first_not_of('\n'));
    last = k;
  }
  Prover prover;
  const IRModule before = program(pairs()[first].before, pairs()[first].name);
  Ran ran = run_schedule_on(before, schedule, pairs()[first].name, prover);
  ASSERT_EQ(ran.refusal, "");
  EXPECT_EQ(program_difference(ran.after, program(pairs()[last].after, pairs()[last].name)), "");
  // Each step was judged with its pair; here the relation is composed.
  std::erase_if(ran.refinements, [](const Refinement& r) { return r.what.starts_with("step"); });
  expect_validated(ran, prover);
}

std::vector<std::string> runs() {
  std::vector<std::string> out;
  for (size_t k = 0; k + 1 < pairs().size(); ++k) {
    bool goes_on =
        !pairs()[k].before.empty() && pairs()[k + 1].before.empty() && pairs()[k].chain() == pairs()[k + 1].chain();
    if (goes_on) out.push_back(pairs()[k].name);
  }
  return out;
}
INSTANTIATE_TEST_SUITE_P(Rfc77, Runs, testing::ValuesIn(runs()), case_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Runs);

}  // namespace
}  // namespace hexproof::rfc77
