// The int8 convolutions of examples/: naive programs, proved schedules, kernels without spills, all outputs equal.
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "backend/hexagon/inner_loops.h"
#include "backend/host.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/backend/emitted.h"
#include "tests/backend/hexagon/intrinsic_rows.h"

namespace hexproof {
namespace int8_examples_test {

using namespace testing;

std::string file(const std::string& name) {
  std::ifstream in(std::string(HEXPROOF_SOURCE_DIR) + "/examples/conv2d_int8/" + name);
  EXPECT_TRUE(in.good()) << name;
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

struct Example {
  const char *program, *schedule;
  size_t marks = 1;  // nests that are one instruction
};

/// Requantised, sums end within a byte now and then only where bias and multiplier are of the size that they have in a
/// network.
void make_bias_and_multiplier_small(std::vector<Tensor>* inputs) {
  bool many = inputs->at(1).data.size() > 100'000;  // terms of a sum
  for (auto [k, shift] : {std::pair{2, 12}, {3, many ? 8 : 5}}) {
    Tensor& t = inputs->at(size_t(k));
    for (size_t at = 0; at < t.data.size(); at += 4) {
      int32_t value;
      std::memcpy(&value, &t.data[at], 4);
      value >>= shift;
      std::memcpy(&t.data[at], &value, 4);
    }
  }
}

class Int8Example : public ::testing::TestWithParam<Example> {};

/// Nothing in the program says how it is to be computed.
TEST_P(Int8Example, TheProgramIsNaive) {
  PrimFunc func = pick_function(parse_module(file(GetParam().program)), "");
  for (const Buffer& b : func.buffer_params()) EXPECT_TRUE(b->ndim() == 4 || b->ndim() == 1);
  visit_stmt(func.body, [](const Stmt& s) {
    EXPECT_FALSE(s.as<Allocate>() || s.as<DeclBuffer>());
    // What stands between two stages is as large as the output.
    const AllocBuffer* alloc = s.as<AllocBuffer>();
    EXPECT_TRUE(!alloc || (alloc->buffer->scope == "global" && alloc->buffer->ndim() == 4));
    const For* loop = s.as<For>();
    EXPECT_FALSE(loop && (loop->kind != ForKind::Serial || !loop->annotations.empty()));
    for (const Expr& e : expressions(s)) {
      visit_expr(e, [](const Expr& x) {
        EXPECT_NE(x->op, Op::FloorDiv);
        EXPECT_NE(x->op, Op::FloorMod);
        EXPECT_NE(x->op, Op::Call);
        return true;
      });
    }
    return true;
  });
}

TEST_P(Int8Example, IsProvedAndFastAndRight) {
  PrimFunc func = pick_function(parse_module(file(GetParam().program)), "");
  Derivation derivation(func);
  Prover prover;
  std::string schedule = file(GetParam().schedule);
  run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{GetParam().schedule, schedule}));
  EXPECT_EQ(count_marks(derivation.current().body), GetParam().marks);
  CheckReport report = check(derivation.current(), prover);
  ASSERT_EQ(report.finding, Finding::Proved) << report.reason;
  Kernel kernel =
      emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover), .assembly = true});
  int64_t pairs = 0, products = 0;
  for (const InnerLoop& loop : inner_loops(kernel.assembly)) {
    EXPECT_EQ(loop.stack_accesses, 0);
    pairs += loop.pairs, products += loop.multiplies;
  }
  EXPECT_GE(products, 8);
  EXPECT_GE(pairs * 10, products * 8) << pairs << " of " << products;
  expect_only_rows(kernel.llvm_ir);
  if (!have_qemu()) return;
  std::vector<Tensor> logical = any_inputs(func, 29);
  bool requantised = logical.size() > 3;
  if (requantised) make_bias_and_multiplier_small(&logical);
  std::vector<Tensor> want = logical;
  HostBatch naive({.optimise = true});
  naive.add(func);
  naive.compile();
  naive.run(0, want);
  std::vector<Tensor> packed = pack_all(derivation, logical);
  run_hexagon(link_hexagon(kernel), packed);
  std::vector<Tensor> got = unpack_all(derivation, packed);
  for (size_t b = 0; b < want.size(); ++b) EXPECT_EQ(first_difference(want[b], got[b]), -1) << b;
  if (requantised) {
    // Of bytes all; of the sums of bytes those of one channel.
    const std::vector<uint8_t>& bytes = want.back().data;
    std::set<int32_t> seen;
    for (size_t at = 0; at < bytes.size(); at += want.back().dtype == kUInt8 ? 1 : size_t{4} * 128) {
      int32_t value = bytes[at];
      if (want.back().dtype != kUInt8) std::memcpy(&value, &bytes[at], 4);
      seen.insert(value);
    }
    EXPECT_GT(seen.size(), 200u) << "saturation hides the rest";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Int8Example,
                         ::testing::Values(Example{"conv2d_1x1.py", "schedule_1x1.py"},
                                           Example{"conv2d_1x1.py", "schedule_1x1_packed_inside.py"},
                                           Example{"conv2d_3x3.py", "schedule_3x3.py"},
                                           Example{"conv2d_1x1_requant.py", "schedule_1x1_requant.py", 3},
                                           Example{"conv2d_3x3_requant.py", "schedule_3x3_requant.py", 3},
                                           Example{"conv2d_1x1_zero_points.py", "schedule_1x1_zero_points.py", 4},
                                           Example{"conv2d_3x3_zero_points.py", "schedule_3x3_zero_points.py", 4},
                                           Example{"conv2d_conv2d.py", "schedule_conv2d.py", 4},
                                           Example{"conv2d_1x1_u8s8.py", "schedule_1x1_u8s8.py"},
                                           Example{"conv2d_3x3_u8s8.py", "schedule_3x3_u8s8.py"}),
                         [](const auto& info) {
                           std::string name = info.param.schedule;
                           return name.substr(0, name.find('.'));
                         });

TEST(InnerLoops, AreThoseWithoutAnother) {
  const std::string assembly = R"(
	{
		loop1(.LBB0_1,#4)
	}
.LBB0_1:                                // outer
	{
		loop0(.LBB0_2,#31)
		memw(r29+#8) = r2
	}
.LBB0_2:
	{
		v1.uw += vrmpy(v2.ub,r3.ub)
		v4.uw += vrmpy(v2.ub,r5.ub)
	}
	{
		v1.uw += vrmpy(v2.ub,r3.ub)
		v3 = vmem(r29+#0)
		nop
	} :endloop0
	{
		nop
	} :endloop1
.LBB0_3:
	{
		r2 = add(r2,#1)
		if (!p0.new) jump:nt .LBB0_3
	}
)";
  std::vector<InnerLoop> loops = inner_loops(assembly);
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_EQ(loops[0].packets.size(), 2u);
  EXPECT_EQ(loops[0].stack_accesses, 1);
  EXPECT_EQ(loops[0].multiplies, 2);
  EXPECT_EQ(loops[0].pairs, 1);
  EXPECT_EQ(loops[1].packets.size(), 1u);
  EXPECT_EQ(loops[1].stack_accesses, 0);
}

}  // namespace int8_examples_test
}  // namespace hexproof
