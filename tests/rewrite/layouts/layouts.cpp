#include "tests/rewrite/layouts/layouts.h"

namespace hexproof {

void expect_related(const Derivation& d, const Sizes& sizes, int rounds) {
  EXPECT_EQ(ill_formed(d.current()), "") << print(d.current());
  std::vector<int64_t> scalars;
  for (const Param& p : d.source().params) {
    if (!p.buffer) scalars.push_back(sizes.at(p.var.name()));
  }
  int compared = 0;
  for (int seed = 0; seed < rounds; ++seed) {
    std::vector<Tensor> before = random_inputs(d.source(), static_cast<uint64_t>(seed), sizes);
    std::vector<Tensor> after = pack_all(d, before, Moment::Start, scalars);
    RunResult a = run(d.source(), before, scalars);
    if (a.error) continue;
    RunResult b = run(d.current(), after, scalars);
    ASSERT_FALSE(b.error) << b.error->str() << print(d.current());
    std::vector<Tensor> want = pack_all(d, before, Moment::End, scalars);
    std::vector<Tensor> unpacked = unpack_all(d, after, scalars);
    for (size_t k = 0; k < before.size(); ++k) {
      EXPECT_EQ(first_difference(want[k], after[k]), -1) << "parameter " << k << print(d.current());
      EXPECT_EQ(first_difference(before[k], unpacked[k]), -1) << "parameter " << k << print(d.current());
    }
    ++compared;
  }
  EXPECT_GT(compared, 0) << "the source program reaches an error on every input";
}

void expect_related(const PrimFunc& func, const Args& args, const Sizes& sizes) {
  Derivation d(func);
  d.apply("transform-layout", args, test_prover());
  expect_related(d, sizes);
}

}  // namespace hexproof
