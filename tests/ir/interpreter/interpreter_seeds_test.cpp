// The scheduled 1x1 convolution pairs at full size against a plain loop nest, bit for bit.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <random>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "tests/support/full_size.h"

namespace hexproof {
namespace interpreter_seeds_test {

Tensor random_floats(std::vector<int64_t> shape, uint32_t seed) {
  std::mt19937 random(seed);
  Tensor t = make_tensor(kFloat32, std::move(shape));
  for (size_t i = 0; i < t.data.size(); i += 4) {
    float value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 512;
    std::memcpy(&t.data[i], &value, 4);
  }
  return t;
}
std::vector<float> floats(const Tensor& t) {
  std::vector<float> out(t.data.size() / 4);
  std::memcpy(out.data(), t.data.data(), t.data.size());
  return out;
}

/// 64 x 64 x 128 in and out; a filter is [ko][co][ci / 4][ki][ci % 4] by 32 channels. Channels are summed in order.
std::vector<float> convolve(const std::vector<float>& in, const std::vector<float>& filter) {
  std::vector<float> out(in.size());
  for (size_t pixel = 0; pixel < 64 * 64; ++pixel) {
    for (size_t k = 0; k < 128; ++k) {
      float sum = 0;
      for (size_t c = 0; c < 128; ++c) {
        sum += in[pixel * 128 + c] * filter[k / 32 * 4096 + c / 32 * 1024 + c % 32 / 4 * 128 + k % 32 * 4 + c % 4];
      }
      out[pixel * 128 + k] = sum;
    }
  }
  return out;
}

void check_kernel(const std::string& name) {
  std::string path = std::string(HEXPROOF_SOURCE_DIR) + "/../shared/seeds/kernels/" + name;
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no seed documents: " << path;
  SKIP_FULL_SIZE_UNDER_SANITIZERS();
  IRModule module = parse_file(path);
  const PrimFunc& func = pick_function(module, "");
  std::vector<Tensor> args{random_floats({1, 64, 64, 128}, 1), random_floats({4, 4, 1, 1, 8, 32, 4}, 2),
                           random_floats({4, 4, 1, 1, 8, 32, 4}, 3), make_tensor(kFloat32, {1, 8, 8, 4, 8, 8, 32})};
  args[3].initialised.assign(static_cast<size_t>(args[3].size()), 0);
  std::vector<float> want = convolve(convolve(floats(args[0]), floats(args[1])), floats(args[2]));
  auto start = std::chrono::steady_clock::now();
  RunResult result = run(func, args);
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(result.error) << result.error->str();
  EXPECT_TRUE(args[3].initialised.empty());  // every cell was written
  std::vector<float> got = floats(args[3]);
  size_t i = 0;
  for (size_t ho = 0; ho < 8; ++ho)
    for (size_t wo = 0; wo < 8; ++wo)
      for (size_t ko = 0; ko < 4; ++ko)
        for (size_t hi = 0; hi < 8; ++hi)
          for (size_t wi = 0; wi < 8; ++wi)
            for (size_t ki = 0; ki < 32; ++ki, ++i) {
              ASSERT_EQ(got[i], want[((ho * 8 + hi) * 64 + wo * 8 + wi) * 128 + ko * 32 + ki]) << i;
            }
  EXPECT_LT(seconds.count(), 40);
  ::testing::Test::RecordProperty("seconds", std::to_string(seconds.count()));
}

TEST(InterpreterSeeds, Pair1x1K1H1) { check_kernel("conv2d_conv2d_1x1_k1_h1.py"); }
TEST(InterpreterSeeds, Pair1x1K2H2) { check_kernel("conv2d_conv2d_1x1_k2_h2.py"); }

}  // namespace interpreter_seeds_test
}  // namespace hexproof
