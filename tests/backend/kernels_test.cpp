// The kernels of the seed documents at full size: host and Hexagon give the same bits.
#include <gtest/gtest.h>

#include <filesystem>

#include "backend/hexagon.h"
#include "backend/host.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"
#include "tests/support/full_size.h"

namespace hexproof {
namespace kernels_test {

using namespace testing;

TEST(Kernels, AFloatConvolutionIsBitEqualOnHostAndHexagon) {
  SKIP_FULL_SIZE_UNDER_SANITIZERS();
  std::string path = HEXPROOF_SOURCE_DIR "/../shared/seeds/kernels/conv2d_conv2d_1x1_k1_h1.py";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "the seed documents are not there: " << path;
  PrimFunc func = pick_function(parse_file(path), "");
  std::vector<Tensor> buffers;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    size_t count = 1;
    for (int64_t extent : shape) count *= static_cast<size_t>(extent);
    std::vector<float> cells(count);
    for (size_t i = 0; i < count; ++i) cells[i] = static_cast<float>(i * 2654435761u % 2001) / 999.0f - 1.0f;
    buffers.push_back(tensor(b->dtype, shape, cells));
  }
  std::vector<Tensor> plain = buffers, optimised = buffers;
  for (auto [tensors, optimise] : {std::pair(&plain, false), std::pair(&optimised, true)}) {
    HostBatch batch({.optimise = optimise});
    batch.add(func);
    batch.compile();
    batch.run(0, *tensors);
  }
  EXPECT_NE(plain.back().data, buffers.back().data);
  EXPECT_EQ(plain.back().data, optimised.back().data);
  if (!have_qemu()) GTEST_SKIP() << "qemu-hexagon is not installed: only the host ran";
  Executable program = link_hexagon(emit(Derivation(func), {.target = Target::Hexagon}));
  HexagonRun run = run_hexagon(program, buffers);
  std::printf("%.2f s, %u packets, %u instructions (modulo 2^32)\n", run.seconds, run.packets, run.instructions);
  EXPECT_EQ(first_difference(plain.back(), buffers.back()), -1);
}

}  // namespace kernels_test
}  // namespace hexproof
