// Random pipelines with random schedules: the lowered program is judged by check, equivalence and runs, every bound is
// proved, and boxes are compared with what is asked for.
#include <cstdlib>

#include "fuzz/tensor_case.h"
#include "ir/text/text.h"
#include "rewrite/te/bounds.h"
#include "tests/te/support.h"
#include "tools/api/second_line.h"

namespace hexproof::te {
namespace campaign_test {

/// HEXPROOF_TE_CASES asks for more than a test run does.
uint64_t cases() {
  const char* asked = std::getenv("HEXPROOF_TE_CASES");
  return asked ? std::strtoull(asked, nullptr, 10) : 25;
}

TEST(TensorCampaign, LoweredProgramsAreTheNaiveOnes) {
  Prover prover(ProverOptions{.rlimit = 200'000});
  uint64_t lowered = 0, refused = 0, compared = 0, bounds = 0, faces = 0, larger = 0, attached = 0;
  for (uint64_t seed = 1; seed <= cases(); ++seed) {
    const TensorCase one = random_tensor_case(seed);
    for (const StageBounds& b : infer_bound(*one.script.schedule).stages) {
      for (const Obligation& o : b.covers) {
        EXPECT_EQ(prover.prove(o).verdict, Verdict::Proved) << seed << "\n" << one.text << print(o);
        ++bounds;
      }
      if (b.path.empty()) continue;
      ++attached;
      for (const Face& f : b.box) {
        if (f.whole) continue;
        ++faces;
        larger += f.witness ? 0 : 1;
        if (!f.witness && std::getenv("HEXPROOF_TE_WHY")) {
          std::printf("%lu %s%s", seed, one.text.c_str(), print(*one.script.schedule, {{b}}).c_str());
        }
      }
    }
    Derivation derivation(one.script.naive.func);
    try {
      lower(one.script, derivation, prover);
      ++lowered;
    } catch (const Refused& e) {
      ++refused;
      if (std::getenv("HEXPROOF_TE_WHY")) std::printf("%lu %s\n%s\n", seed, one.text.c_str(), e.what());
    } catch (const Error& e) {
      ++refused;
      if (std::getenv("HEXPROOF_TE_WHY")) std::printf("%lu %s\n%s\n", seed, one.text.c_str(), e.what());
    } catch (const Unsupported& e) {
      ++refused;
      if (std::getenv("HEXPROOF_TE_WHY")) std::printf("%lu %s\n%s\n", seed, one.text.c_str(), e.what());
    }
    // Also what was made before a refusal.
    const Validation v =
        api::second_line(derivation.source(), derivation.current(), derivation.interface(), prover, true, false);
    EXPECT_EQ(v.disagrees, "") << seed << "\n" << one.text << v.witness << print(derivation.current());
    compared += v.unchanged || v.not_compared.empty() ? 1 : 0;
  }
  std::printf(
      "%lu cases: %lu lowered, %lu refused, %lu compared; %lu stages attached; %lu bounds proved; of %lu sides of "
      "boxes %lu are not shown to be the smallest\n",
      cases(), lowered, refused, compared, attached, bounds, faces, larger);
  EXPECT_GT(lowered, cases() * 6 / 10);
  EXPECT_GT(attached, cases() / 4);
}

}  // namespace
}  // namespace hexproof::te
