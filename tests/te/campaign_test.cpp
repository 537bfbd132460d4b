// Random pipelines with random schedules, by the campaign that `hexproof fuzz --te` runs.
#include "fuzz/campaign.h"

#include <cstdlib>

#include "fuzz/programs/tensor_case.h"
#include "fuzz/te/te_exact.h"
#include "ir/text/text.h"
#include "tests/te/support.h"

namespace hexproof::te {
namespace campaign_test {

/// HEXPROOF_TE_CASES asks for more than a test run does.
uint64_t cases() {
  const char* asked = std::getenv("HEXPROOF_TE_CASES");
  return asked ? std::strtoull(asked, nullptr, 10) : 30;
}

TEST(TensorCampaign, LoweredProgramsAreTheNaiveOnes) {
  const CampaignReport report = run_campaign({.runs = cases(),
                                              .seed = 3,
                                              .jobs = 1,
                                              .padded = 0,
                                              .constructs = 0,
                                              .granted = 0,
                                              .schedules = 0,
                                              .te = 100,
                                              .verdicts = 0,
                                              .shrink = false,
                                              .rlimit = 200'000},
                                             {});
  std::printf("%s\n", report.te.text().c_str());
  EXPECT_EQ(report.unsound, 0u) << (report.findings.empty() ? "" : report.findings[0]);
  EXPECT_EQ(report.te.open_bounds, 0u);
  EXPECT_EQ(report.te.cases, cases());
  EXPECT_GT(report.te.lowered, cases() * 8 / 10);
  EXPECT_GT(report.te.compared, cases() * 7 / 10);
  EXPECT_GT(report.te.attached, cases() / 2);
  // "The smallest" in 98 of 100.
  EXPECT_LE(report.te.larger * 50, report.te.sides);
  EXPECT_GT(report.te.sides, cases());
}

// A step of a saved case makes the same program again, and refuses another one.
TEST(TensorCampaign, StepsReplay) {
  const std::vector<uint32_t> choices{5, 1, 3, 2, 60, 0, 1, 2, 99, 4, 1, 0, 80, 1, 99, 3, 1};
  const PrimFunc naive = random_tensor_case(Choices(choices)).script.naive.func;
  Prover prover;
  const FuzzCase saved = parse_case(to_text({naive, {tensor_step(choices)}, 7}), "a case");
  const Trial trial = judge(saved, prover);
  EXPECT_EQ(trial.outcome, Outcome::Sound) << trial.finding;
  Derivation other(parse_module("def f(A: T.Buffer((4,), \"int32\")):\n    A[0] = 1\n").functions.at(0));
  EXPECT_THROW(apply_tensor_step(other, tensor_step(choices), prover), NotApplicable);
}

/// `out` at i over B, of which B computed at the outer loop of a split by `factor`; B reads one back where there is
/// one.
struct Tiles {
  Schedule schedule;
  StageId producer;
};
Tiles tiles(int64_t n, int64_t factor) {
  const Tensor a = placeholder({i32(n)}, kInt32, "A");
  const IterVar i = make_axis("i", {i32(0), i32(n)}, IterKind::Spatial), j = make_axis("j", i.dom, IterKind::Spatial);
  const Tensor b = compute("B", {i}, std::vector<Expr>{load(a.buffer(), {i.var}) * i32(2)})[0];
  const Expr before = if_then_else(ge(Expr(j.var), i32(1)), load(b.buffer(), {j.var - i32(1)}), i32(7));
  const Tensor c = compute("C", {j}, std::vector<Expr>{before})[0];
  Schedule s({c.op});
  const StageId at = s.stage_of(c.op), producer = s.stage_of(b.op);
  const IterVar outer = s.split(at, s.stage(at).leaves[0], factor, {}, {}).first;
  s.compute_at(producer, at, outer, {});
  return {s, producer};
}

TEST(ExactBox, CountsWhatOneTileReads) {
  const Tiles t = tiles(7, 5);  // 0, ..., 3, then 4 and 5
  const Bounds bounds = infer_bound(t.schedule);
  EXPECT_EQ(exact_box(t.schedule, bounds, t.producer), std::vector<int64_t>{4});
  EXPECT_FALSE(exact_box(t.schedule, bounds, t.producer, 3));  // too many iterations
}

// The guard narrows the request of the only whole tile.
TEST(InferBoundSmallest, AGuardNarrowsTheFirstTile) {
  const Tiles t = tiles(7, 5);
  const Bounds bounds = infer_bound(t.schedule);
  const Face& face = bounds.of(t.producer)->box[0];
  EXPECT_TRUE(is_int(face.extent, 4)) << print(face.extent);
  EXPECT_EQ(print(face.base), "T.max(j_outer * 5 - 3, 0)");
  EXPECT_TRUE(face.witness);
  Prover prover;
  for (const Obligation& o : bounds.of(t.producer)->covers) {
    EXPECT_EQ(prover.prove(o).verdict, Verdict::Proved) << print(o);
  }
}

// With a whole tile behind the first one the box is as it was.
TEST(InferBoundSmallest, ALaterTileAsksForAll) {
  const Tiles t = tiles(12, 5);
  const Face face = infer_bound(t.schedule).of(t.producer)->box[0];
  EXPECT_TRUE(is_int(face.extent, 5));
  EXPECT_EQ(exact_box(t.schedule, infer_bound(t.schedule), t.producer), std::vector<int64_t>{5});
}

}  // namespace campaign_test
}  // namespace hexproof::te
