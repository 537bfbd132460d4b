// Convolutions of bytes of any shape, by the schedule that their tile wants: proved, and right under QEMU.
//
// HEXPROOF_SHAPES=200 draws so many (and HEXPROOF_SEED another seed), and 20 by the clock; without it there are a few.
#include <cstdlib>
#include <ctime>

#include "backend/host.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/backend/emitted.h"
#include "tests/backend/hexagon/intrinsic_rows.h"
#include "tests/support/conv2d_int8.h"

namespace hexproof {
namespace int8_shapes_test {

using namespace testing;

/// Multiply-adds of the naive program per packet; 0 where nothing ran.
double proved_and_right(const ConvShape& shape, Addressing addressing) {
  SCOPED_TRACE(shape.text());
  PrimFunc func = pick_function(parse_module(conv_program(shape)), "");
  Derivation derivation(func);
  Prover prover;
  std::string schedule = conv_schedule(shape, conv_tile(shape));
  run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{"schedule.py", schedule}));
  EXPECT_EQ(count_marks(derivation.current().body), 1u);
  CheckReport report = check(derivation.current(), prover);
  EXPECT_EQ(report.finding, Finding::Proved) << report.reason;
  lower_hints(derivation, prover);
  Kernel kernel =
      emit(derivation,
           {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover), .addressing = addressing});
  expect_only_rows(kernel.llvm_ir);
  if (!have_qemu()) return 0;
  std::vector<Tensor> logical = any_inputs(func, 31), want = logical;
  HostBatch naive({.optimise = true});
  naive.add(func);
  naive.compile();
  naive.run(0, want);
  std::vector<Tensor> packed = pack_all(derivation, logical);
  HexagonRun ran = run_hexagon(link_hexagon(kernel), packed);
  std::vector<Tensor> got = unpack_all(derivation, packed);
  for (size_t b = 0; b < want.size(); ++b) EXPECT_EQ(first_difference(want[b], got[b]), -1) << b;
  return shape.macs() / static_cast<double>(ran.packets);
}

void proved_right_and_fast(int shapes, uint64_t seed) {
  std::cout << shapes << " shapes, seed " << seed << "\n";
  for (int k = 0; k < shapes; ++k) {
    ConvShape shape = random_conv_shape(&seed);
    std::cout << shape.text() << ": " << std::flush;
    double rate = proved_and_right(shape, Addressing::PostIncrement);
    if (fast_without_tuning(shape) && have_qemu()) {
      if (rate < kUntunedBar) rate = std::max(rate, proved_and_right(shape, Addressing::Offsets));
      EXPECT_GE(rate, kUntunedBar);
    }
    std::cout << rate << " MAC per packet\n";
  }
}

int shapes_drawn() {
  const char* count = std::getenv("HEXPROOF_SHAPES");
  return count ? std::atoi(count) : 20;
}

TEST(Int8Shapes, ProvedAndRight) {
  const char* from = std::getenv("HEXPROOF_SEED");
  proved_right_and_fast(shapes_drawn(), from ? std::strtoull(from, nullptr, 10) : 5);
}

/// A tenth as many that no run before has seen.
TEST(Int8Shapes, ProvedAndRightOfTheClock) {
  proved_right_and_fast(shapes_drawn() / 10, static_cast<uint64_t>(::time(nullptr)));
}

/// With channels and rows that fill vectors and tiles, no tuning is asked for; with padding of its own neither.
TEST(Int8Shapes, FastWithoutTuning) {
  for (const ConvShape& shape : {ConvShape{1, 6, 14, 128, 64, 1, 1}, ConvShape{1, 9, 17, 64, 64, 3, 3, 2},
                                 ConvShape{1, 8, 11, 64, 64, 3, 3, 1, 0, 2}, ConvShape{1, 6, 14, 64, 64, 3, 3, 1, 1}}) {
    ASSERT_TRUE(fast_without_tuning(shape)) << shape.text();
    double best = 0;
    for (Addressing how : {Addressing::PostIncrement, Addressing::Offsets}) {
      best = std::max(best, proved_and_right(shape, how));
    }
    if (have_qemu()) {
      EXPECT_GE(best, kUntunedBar) << shape.text();
    }
  }
}

TEST(Int8Shapes, AreReadFromText) {
  std::optional<ConvShape> shape = conv_shape("1,57,57,128,64,3,3,2,1");
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->out_w(), 29);
  EXPECT_EQ(shape->text(), "1x57x57x128->64 3x3 s2 p1");
  for (const char* no :
       {"", "1,2,3", "1,8,8,4,4,3,3,0,0", "1,8,8,4,4,3,3,1,-1", "1,2,2,4,4,3,3,1,0", "a,8,8,4,4,3,3,1,0"}) {
    EXPECT_FALSE(conv_shape(no)) << no;
  }
}

}  // namespace int8_shapes_test
}  // namespace hexproof
