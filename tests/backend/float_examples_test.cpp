// The float32 convolutions of examples/ with sums in registers: derived from the naive programs, compiled, and where
// this machine is one of their kind every output equal to that of the naive program.
#include "backend/host.h"
#include "ir/base/file.h"
#include "rewrite/layout/interface.h"
#include "rewrite/schedule/reader.h"
#include "tests/backend/emitted.h"

namespace hexproof {
namespace float_examples_test {

using namespace testing;

struct Example {
  std::string program, schedule;
  Target target;
};

class FloatExample : public ::testing::TestWithParam<Example> {};

TEST_P(FloatExample, IsProvedAndRight) {
  const std::string examples = std::string(HEXPROOF_SOURCE_DIR) + "/examples/";
  const PrimFunc func = pick_function(parse_file(examples + GetParam().program), "");
  Derivation derivation(func);
  Prover prover;
  const std::string path = examples + GetParam().schedule;
  run_schedule(derivation, prover, std::make_shared<const SourceFile>(SourceFile{path, read_file(path)}));
  const CheckReport report = check(derivation.current(), prover);
  ASSERT_EQ(report.finding, Finding::Proved) << report.reason;
  // That sums stand in registers is what `emit` demands of a scope "local".
  const HostCpu cpu = host_cpu("x86-64-v4");
  const Kernel kernel =
      emit(derivation, {.target = GetParam().target, .cpu = cpu, .grants = grants_for(derivation, report, prover)});
  if (GetParam().target != Target::Host || !missing_here(cpu).empty()) return;
  const std::vector<Tensor> inputs = any_inputs(func, 31);
  std::vector<Tensor> want = inputs, packed = pack_all(derivation, inputs);
  HostBatch naive({.optimise = true});
  naive.add(func);
  naive.compile();
  naive.run(0, want);
  run_host(kernel, packed);
  const std::vector<Tensor> got = unpack_all(derivation, packed);
  for (size_t b = 0; b < want.size(); ++b) EXPECT_EQ(first_difference(want[b], got[b]), -1) << b;
}

INSTANTIATE_TEST_SUITE_P(
    All, FloatExample,
    ::testing::Values(
        Example{"conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1.py", Target::Hexagon},
        Example{"conv2d_float32/conv2d_1x1.py", "conv2d_float32/schedule_1x1_host.py", Target::Host},
        Example{"conv2d_conv2d/conv2d_conv2d.py", "conv2d_conv2d/schedule_k1_h1_registers.py", Target::Hexagon},
        Example{"conv2d_conv2d/conv2d_conv2d.py", "conv2d_conv2d/schedule_k1_h1_host.py", Target::Host},
        Example{"conv2d_conv2d/conv2d_conv2d.py", "conv2d_conv2d/schedule_k2_h2_host.py", Target::Host},
        Example{"conv2d_conv2d/conv2d_conv2d_3x3.py", "conv2d_conv2d/schedule_3x3_k1_h1_host.py", Target::Host},
        Example{"conv2d_conv2d/conv2d_conv2d_3x3.py", "conv2d_conv2d/schedule_3x3_k2_h2_host.py", Target::Host}),
    [](const auto& info) {
      const std::string& name = info.param.schedule;
      const size_t from = name.find("schedule_") + 9;
      return name.substr(0, name.find('/')) + "_" + name.substr(from, name.size() - 3 - from);
    });

}  // namespace float_examples_test
}  // namespace hexproof
