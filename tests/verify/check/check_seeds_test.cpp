// The full-size kernels of the seed documents, and small kernels of the same shape.
#include <chrono>
#include <filesystem>

#include "tests/verify/programs.h"

namespace hexproof {
namespace check_seeds_test {

namespace fs = std::filesystem;

struct SeedKernels : testing::TestWithParam<std::pair<const char*, Finding>> {};

TEST_P(SeedKernels, AreCheckedAsTheyAre) {
  fs::path file = fs::path(HEXPROOF_SOURCE_DIR) / ".." / "shared" / "seeds" / "kernels" / GetParam().first;
  if (!fs::exists(file)) GTEST_SKIP() << "the seed documents are not here: " << file;
  PrimFunc func = pick_function(parse_file(file.string()), "");
  Prover prover;
  auto start = std::chrono::steady_clock::now();
  CheckReport report = check(func, prover);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(report.finding, GetParam().second) << describe(report);
  EXPECT_LT(seconds, 20) << "cold, with room for a busy machine";
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
  if (GetParam().second == Finding::Refuted) {
    EXPECT_NE(report.counterexample.find("out of bounds"), std::string::npos) << report.counterexample;
    EXPECT_NE(report.counterexample.find("packed_input_global"), std::string::npos) << report.counterexample;
    EXPECT_NE(report.counterexample.find("rh = "), std::string::npos) << report.counterexample;
  }
}
INSTANTIATE_TEST_SUITE_P(All, SeedKernels,
                         testing::Values(std::pair{"conv2d_conv2d_1x1_k1_h1.py", Finding::Proved},
                                         std::pair{"conv2d_conv2d_1x1_k2_h2.py", Finding::Proved},
                                         std::pair{"conv2d_conv2d_3x3_k1_h1.py", Finding::Refuted},
                                         std::pair{"conv2d_conv2d_3x3_k2_h2.py", Finding::Refuted}));

/// A tiled convolution over a cached input: 4 by 4 tiles, a window of R by R, in one piece of memory that is used for
/// the input of the first stage and then for its output.
std::string small_kernel(const std::string& window, const std::string& output) {
  std::string text = R"(
def main(input: T.Buffer((8, 8, 2), "float32"), weight: T.Buffer((WINDOW, WINDOW, 2), "float32"), output: T.Buffer((OUT, OUT, 2), "float32")):
    cache = T.allocate([128], "float32", "global")
    filter = T.allocate([WINDOW * WINDOW * 2], "float32", "global")
    for k in range(2):
        cache_1 = T.Buffer((128,), data=cache)
        filter_1 = T.Buffer((WINDOW * WINDOW * 2,), data=filter)
        for h, w, c in T.grid(8, 8, 2):
            t: T.int32 = h // 4 * 64 + w // 4 * 32
            cache_1[t + h % 4 * 8 + w % 4 * 2 + c] = input[h, w, c]
        for h, w, c in T.grid(WINDOW, WINDOW, 2):
            filter_1[h * (WINDOW * 2) + w * 2 + c] = weight[h, w, c]
        for ho, wo in T.grid(OUT, OUT):
            sum = T.decl_buffer((1,), "float32")
            sum[0] = T.float32(0)
            for rh, rw, c in T.grid(WINDOW, WINDOW, 2):
                y: T.int32 = ho + rh
                x: T.int32 = wo + rw
                sum[0] = sum[0] + cache_1[y // 4 * 64 + x // 4 * 32 + y % 4 * 8 + x % 4 * 2 + c] * filter_1[rh * (WINDOW * 2) + rw * 2 + c]
            output[ho, wo, k] = sum[0]
)";
  auto put = [&](const std::string& word, const std::string& value) {
    for (size_t at; (at = text.find(word)) != std::string::npos;) text.replace(at, word.size(), value);
  };
  put("WINDOW", window);
  put("OUT", output);
  return text;
}

TEST(SmallKernels, TheWindowFitsOrReadsPastTheCache) {
  Prover prover;
  for (const auto& [window, output, finding] :
       {std::tuple{"1", "8", Finding::Proved}, {"3", "6", Finding::Proved}, {"3", "8", Finding::Refuted}}) {
    CheckReport report = check(parse(small_kernel(window, output)), prover);
    EXPECT_EQ(report.finding, finding) << window << " " << output << describe(report);
    if (finding == Finding::Refuted) {
      EXPECT_NE(report.counterexample.find("out of bounds"), std::string::npos) << report.counterexample;
      EXPECT_NE(report.counterexample.find("cache"), std::string::npos) << report.counterexample;
    }
  }
}

}  // namespace check_seeds_test
}  // namespace hexproof
