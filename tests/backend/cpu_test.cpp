// Kernels for processors of the host: what code they take, that they compute the same, and that a machine which is none
// of these refuses them.
#include "backend/cpu.h"

#include "backend/row_code.h"
#include "tests/backend/emitted.h"
#include "tests/backend/hexagon/intrinsic_rows.h"

namespace hexproof {
namespace cpu_test {

using namespace testing;

const std::vector<std::string> kNames = {"x86-64", "x86-64-v3", "x86-64-v4", "x86-64-v4+avx512vnni"};

TEST(Cpu, NamesAndWhatIsNone) {
  for (const std::string& name : kNames) EXPECT_EQ(host_cpu(name).name(), name);
  for (const char* none :
       {"", "x86", "x86-64-v2", "x86-64+avx512vnni", "x86-64-v3+avx512vnni", "x86-64-v4+", "x86-64-v4+avx512",
        "x86-64-v4+avx512vnni+avx512vnni", "native+avx512vnni", "hexagon", "x86-64-v4,+avx512vnni", "+avx512vnni"}) {
    EXPECT_THROW(host_cpu(none), Error) << none;
  }
  // What this machine has runs here, and has a name of its own.
  const HostCpu native = host_cpu("native");
  EXPECT_TRUE(missing_here(native).empty());
  EXPECT_EQ(host_cpu(native.name()).name(), native.name());
  EXPECT_TRUE(missing_here({}).empty());
}

TEST(Cpu, AMachineThatIsNoneOfTheseRefusesToRun) {
  const char* text = R"(
def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] + 1
)";
  Derivation derivation(pick_function(parse_module(text), ""));
  Kernel kernel = emit(derivation, {});
  // No machine has this one.
  kernel.cpu = {"x86-64-v4", {"no-such-instruction"}};
  std::vector<Tensor> tensors = any_inputs(kernel.func, 1);
  const std::vector<Tensor> before = tensors;
  try {
    run_host(kernel, tensors);
    FAIL() << "it runs";
  } catch (const Unsupported& e) {
    EXPECT_TRUE(has(e.what(), "no-such-instruction")) << e.what();
    EXPECT_TRUE(has(e.what(), "--cpu native")) << e.what();
  }
  EXPECT_EQ(before[0].data, tensors[0].data);
  kernel.cpu = {};
  EXPECT_NO_THROW(run_host(kernel, tensors));
}

Kernel kernel_for(const std::string& text, const std::string& cpu) {
  Prover prover;
  Derivation derivation(pick_function(parse_module(text), ""));
  CheckReport report = check(derivation.current(), prover);
  EXPECT_EQ(report.finding, Finding::Proved) << report.reason;
  return emit(derivation, {.cpu = host_cpu(cpu), .grants = grants_for(derivation, report, prover)});
}

/// Sums of floats in registers: vectors as wide as the processor has them, the same bits on each. None fuses a product
/// and a sum where nobody granted it.
TEST(Cpu, TheSameBitsOnEach) {
  const std::string text = R"(
def f(A: T.Buffer((6, 8), "float32"), B: T.Buffer((8, 32), "float32"), C: T.Buffer((6, 32), "float32")):
    acc = T.decl_buffer((6, 32), "float32", scope="local")
    for p in range(6):
        for i in T.vectorized(32):
            acc[p, i] = T.float32(0)
    for c in range(8):
        for p in range(6):
            for i in T.vectorized(32):
                acc[p, i] = acc[p, i] + A[p, c] * B[c, i]
    for p in range(6):
        for i in T.vectorized(32):
            C[p, i] = acc[p, i]
)";
  PrimFunc func = pick_function(parse_module(text), "");
  for (const std::string& name : kNames) {
    Kernel kernel = kernel_for(text, name);
    EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
    EXPECT_EQ(kernel.cpu.name(), name);
    if (!missing_here(kernel.cpu).empty()) continue;
    // Products and sums round: thirds of all sizes.
    std::vector<Tensor> want = any_inputs(func, 3);
    for (Tensor& t : want) {
      for (size_t at = 0; at < t.data.size(); at += 4) {
        float value;
        std::memcpy(&value, &t.data[at], 4);
        value = (value + 1.0F / 7) / 3;
        std::memcpy(&t.data[at], &value, 4);
      }
    }
    std::vector<Tensor> got = want;
    ASSERT_FALSE(run(func, want).error);
    run_host(kernel, got);
    EXPECT_EQ(first_difference(want[2], got[2]), -1) << name;
  }
}

const char* kNest = R"(
def f(A: T.Buffer((5, 32), "uint8"), B: T.Buffer((8, 16, 4), "int8"), C: T.Buffer((5, 16), "int32")):
    acc = T.decl_buffer((5, 16), "int32", scope="local")
    for p in range(5):
        for i in T.vectorized(16):
            acc[p, i] = C[p, i]
    for c in range(8):
        for p in range(5):
            for i in T.serial(16, annotations={"hexproof.tensorize": "dot_16x4_vnni"}):
                for k in range(4):
                    acc[p, i] = acc[p, i] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c, i, k])
    for p in range(5):
        for i in T.vectorized(16):
            C[p, i] = acc[p, i]
)";

TEST(Cpu, ARowIsAnInstructionWhereThereIsOne) {
  Kernel with = kernel_for(kNest, "x86-64-v4+avx512vnni");
  EXPECT_TRUE(has(with.llvm_ir, "@llvm.x86.avx512.vpdpbusd.512("));
  EXPECT_FALSE(has(with.llvm_ir, "alloca"));
  EXPECT_TRUE(rows_without_code(with).empty());
  expect_only_rows(with.llvm_ir);
  if (missing_here(with.cpu).empty()) expect_interpreted(with, 3);
  for (const char* name : {"x86-64", "x86-64-v3", "x86-64-v4"}) {
    Kernel without = kernel_for(kNest, name);
    EXPECT_FALSE(has(without.llvm_ir, "llvm.x86")) << name;
    EXPECT_EQ(rows_without_code(without), std::vector<std::string>{"dot_16x4_vnni"});
    if (missing_here(without.cpu).empty()) expect_interpreted(without, 3);
  }
}

/// A mark lies on the host no more than on Hexagon.
TEST(Cpu, AMarkCannotLie) {
  const std::string wrong = replaced(kNest, "A[p, c * 4 + k]", "A[p, c * 4 + 3 - k]");
  EXPECT_THROW(kernel_for(wrong, "x86-64-v4+avx512vnni"), Unsupported);
  EXPECT_NO_THROW(kernel_for(wrong, "x86-64-v4"));
}

}  // namespace cpu_test
}  // namespace hexproof
