// Sums across lanes, of 32 vectors at once: two vectors interleaved and folded in half are one, in which both go on.
#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof {
namespace {

using Argument = Intrinsic::Argument;
using Call = Intrinsic::Call;

constexpr Intrinsic::Constant kWordByWord{-4};

/// Appends the calls that sum vectors `first`, `first + step`, ... below 32 of `x`; names the vector in which their
/// sums stand in turns.
Argument sum_in_turns(int first, int step, std::vector<Call>* calls) {
  if (step == 32) return {"x", int64_t{128} * first};
  const Argument even = sum_in_turns(first, 2 * step, calls), odd = sum_in_turns(first + step, 2 * step, calls);
  const std::string name = std::to_string(first) + "_" + std::to_string(step);
  calls->push_back({"llvm.hexagon.V6.vshuffvdd.128B", {odd, even, kWordByWord}, "pair_" + name});
  calls->push_back({"llvm.hexagon.V6.lo.128B", {("pair_" + name).c_str()}, "low_" + name});
  calls->push_back({"llvm.hexagon.V6.hi.128B", {("pair_" + name).c_str()}, "high_" + name});
  calls->push_back({"llvm.hexagon.V6.vaddw.128B", {("low_" + name).c_str(), ("high_" + name).c_str()}, "sum_" + name});
  return {("sum_" + name).c_str()};
}

std::vector<Call> sums_of_32() {
  std::vector<Call> calls;
  const Argument sums = sum_in_turns(0, 1, &calls);
  calls.push_back({"llvm.hexagon.V6.vaddw.128B", {"acc", sums}});
  return calls;
}

}  // namespace

extern const std::vector<Intrinsic> k_hexagon_sum = {
    {"sum_32x32_i32",
     R"(
def description(acc: T.Buffer((32,), "int32"), x: T.Buffer((32, 32), "int32")):
    for i, k in T.grid(32, 32):
        acc[i] = acc[i] + x[i, k]
)",
     {{.target = "hexagon", .calls = sums_of_32()}}},
};

}  // namespace hexproof
