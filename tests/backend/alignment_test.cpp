// An access is aligned in the emitted code only where that was proved; whatever is proved, the program means the same.
#include "backend/alignment.h"

#include <algorithm>

#include "backend/arguments.h"
#include "tests/backend/emitted.h"

namespace hexproof {
namespace alignment_test {

using namespace testing;

const char* kProgram = R"(
def f(A: T.Buffer((8, 64), "int32"), B: T.Buffer((600,), "int32")):
    for k in T.serial(8):
        acc = T.decl_buffer((32,), "int32", scope="local")
        for j in T.vectorized(32):
            acc[j] = A[k, j + 32]
        for j in T.vectorized(32):
            B[k * 32 + j] = acc[j] * 3
)";

Kernel kernel_of(const std::string& text, bool ask) {
  PrimFunc func = pick_function(parse_module(text), "");
  Prover prover;
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << text;
  Derivation derivation(func);
  Grants grants = ask ? grants_for(derivation, report, prover) : grants_for(derivation, report);
  return emit(derivation, {.target = Target::Hexagon, .grants = grants});
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
  return n;
}

TEST(Alignment, StandsWhereItIsProved) {
  Kernel kernel = kernel_of(kProgram, true);
  EXPECT_EQ(count(kernel.llvm_ir, ", align 128"), 2u);
  expect_interpreted(kernel);
  ASSERT_FALSE(kernel.grants.basis().empty());
  EXPECT_EQ(kernel.grants.basis().back().grant, "aligned_accesses");
  // Four accesses, two of them to registers; each sentence says which.
  EXPECT_EQ(kernel.grants.basis().back().sentences.size(), 4u);
}

TEST(Alignment, NothingIsGrantedUnasked) {
  Kernel kernel = kernel_of(kProgram, false);
  EXPECT_EQ(count(kernel.llvm_ir, ", align 128"), 0u);
  EXPECT_FALSE(kernel.grants.aligned_params());
  expect_interpreted(kernel);
}

TEST(Alignment, AnythingElseIsTheUnalignedForm) {
  struct Case {
    const char *what, *with;
    size_t left;  // of the two
  };
  for (const Case& c : {Case{"A[k, j + 32]", "A[k, j + 31]", 1}, Case{"A[k, j + 32]", "A[k, j + 16]", 1},
                        Case{"(8, 64)", "(8, 65)", 1}, Case{"B[k * 32 + j]", "B[k * 33 + j]", 1},
                        Case{"B[k * 32 + j]", "B[(7 - k) * 32 + j + 320]", 2}, Case{"(8, 64)", "(8, 96)", 2}}) {
    Kernel kernel = kernel_of(replaced(kProgram, c.what, c.with), true);
    EXPECT_EQ(count(kernel.llvm_ir, ", align 128"), c.left) << c.with;
    expect_interpreted(kernel, 3);
  }
}

TEST(Alignment, OfAViewCountsFromTheStartOfItsMemory) {
  const std::string text = R"(
def f(A: T.Buffer((512,), "int32"), B: T.Buffer((8, 32), "int32")):
    V = T.decl_buffer((8, STRIDE), "int32", data=A.data, elem_offset=OFFSET)
    for k in T.serial(8):
        acc = T.decl_buffer((32,), "int32", scope="local")
        for j in T.vectorized(32):
            acc[j] = V[k, j]
        for j in T.vectorized(32):
            B[k, j] = acc[j] * 3
)";
  for (auto [stride, offset, aligned] :
       {std::tuple{"32", "32", true}, {"32", "8", false}, {"48", "64", false}, {"64", "0", true}}) {
    Kernel kernel = kernel_of(replaced(replaced(text, "STRIDE", stride), "OFFSET", offset), true);
    EXPECT_EQ(count(kernel.llvm_ir, ", align 128"), aligned ? 2u : 1u) << stride << " " << offset;
    expect_interpreted(kernel, 5);
  }
}

TEST(Alignment, GrantsAreOfTheProgramThatWasAsked) {
  PrimFunc func = pick_function(parse_module(kProgram), ""), twin = pick_function(parse_module(kProgram), "");
  Prover prover;
  Derivation derivation(func);
  Grants grants = grants_for(derivation, check(func, prover), prover);
  // The same program, made anew: its statements are others, so nothing is known of them.
  Kernel kernel = emit(Derivation(twin), {.target = Target::Hexagon, .grants = grants});
  EXPECT_EQ(count(kernel.llvm_ir, ", align 128"), 0u);
  expect_interpreted(kernel);
}

TEST(Alignment, AnAddressThatBreaksTheContractIsRefused) {
  PrimFunc func = pick_function(parse_module(kProgram), "");
  EXPECT_NO_THROW(demand_alignment(func, {0x1000, 0x1080, 0x2000}));
  for (size_t k = 0; k < 3; ++k) {
    std::vector<uint64_t> addresses = {0x1000, 0x1080, 0x2000};
    addresses[k] += 64;
    try {
      demand_alignment(func, addresses);
      FAIL() << k;
    } catch (const Error& e) {
      const char* names[] = {"'A'", "'B'", "the workspace"};
      EXPECT_TRUE(has(e.what(), names[k])) << e.what();
    }
  }
}

TEST(Alignment, TheHeaderStatesTheContract) {
  Kernel kernel = kernel_of(kProgram, true);
  std::string header = c_header(kernel);
  EXPECT_TRUE(has(header, "multiple of 128")) << header;
  EXPECT_TRUE(has(
      header, "void f_kernel(int32_t* restrict arg0_A, int32_t* restrict arg1_B, uint8_t* restrict arg2_workspace);"))
      << header;
}

}  // namespace alignment_test
}  // namespace hexproof
