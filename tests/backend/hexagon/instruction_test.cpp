// Marked nests become one instruction, do what the interpreter says, and are refused where they are something else.
#include "rewrite/intrinsics/intrinsic.h"
#include "tests/backend/emitted.h"
#include "tests/backend/hexagon/intrinsic_rows.h"

namespace hexproof {
namespace instruction_test {

using namespace testing;

const char* kNest = R"(
def f(A: T.Buffer((3, 32), "uint8"), B: T.Buffer((8, 32, 4), "uint8"), C: T.Buffer((3, 64), "int32")):
    for p in range(3):
        acc = T.decl_buffer((32,), "int32", scope="local")
        for i in T.vectorized(32):
            acc[i] = C[p, i + 32]
        for c in range(8):
            for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
                for k in range(4):
                    acc[i] = acc[i] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c, i, k])
        for i in T.vectorized(32):
            C[p, i + 32] = acc[i]
)";

TEST(Instruction, TakesThePlaceOfTheNest) {
  Kernel kernel = emitted(kNest, Target::Hexagon).kernel;
  EXPECT_TRUE(has(kernel.llvm_ir, "@llvm.hexagon.V6.vrmpyub.acc.128B("));
  EXPECT_FALSE(has(kernel.llvm_ir, "alloca"));
  HexagonRun ran = expect_interpreted(kernel, 11);
  if (have_qemu()) {
    EXPECT_LT(ran.packets, 400u);
  }
}

TEST(Instruction, TheHostRunsTheNestAsItStands) { expect_interpreted(emitted(kNest, Target::Host).kernel, 12); }

TEST(Instruction, OperandsInMemoryAtAnyAlignment) {
  for (auto [a, c] :
       {std::pair{"(3, 32)", "i + 32"}, {"(3, 33)", "i + 32"}, {"(3, 34)", "i + 31"}, {"(3, 36)", "i + 1"}}) {
    std::string text = R"(
def f(A: T.Buffer(SHAPE, "uint8"), B: T.Buffer((1060,), "uint8"), C: T.Buffer((3, 64), "int32")):
    for p, c in T.grid(3, 8):
        for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
            for k in range(4):
                C[p, LANE] = C[p, LANE] + T.Cast("int32", A[p, c * 4 + k]) * T.Cast("int32", B[c * 131 + i * 4 + k])
)";
    text = replaced(replaced(replaced(text, "SHAPE", a), "LANE", c), "LANE", c);
    Kernel kernel = emitted(text, Target::Hexagon).kernel;
    EXPECT_TRUE(has(kernel.llvm_ir, "vrmpyub.acc"));
    expect_interpreted(kernel, 13);
  }
}

TEST(Instruction, OnlyThoseOfTheRows) { expect_only_rows(emitted(kNest, Target::Hexagon).kernel.llvm_ir); }

std::string without_marks(std::string text) {
  const std::string mark = ", annotations={";
  for (size_t at; (at = text.find(mark)) != text.npos;) text.erase(at, text.find('}', at) + 1 - at);
  return text;
}

bool emits(const std::string& text) {
  try {
    Prover prover;
    Derivation derivation(pick_function(parse_module(text), ""));
    CheckReport report = check(derivation.current(), prover);
    emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
    return true;
  } catch (const Unsupported&) {
    return false;
  }
}

/// A marked nest with one token changed is refused, with its place, or means what the interpreter says.
TEST(Instruction, AMarkCannotLie) {
  // Memory is large enough for most mistakes.
  const std::string text = R"(
def f(A: T.Buffer((3000,), "uint8"), B: T.Buffer((9000,), "uint8"), C: T.Buffer((3000,), "int32")):
    for p, c in T.grid(3, 8):
        for i in T.serial(32, annotations={"hexproof.tensorize": "dot_32x4_u8u8i32_vrmpy"}):
            for k in T.serial(0, 4):
                C[p * 64 + (32 + i)] = C[p * 64 + (32 + i)] + T.Cast("int32", A[p * 32 + (c * 4 + k)]) * T.Cast("int32", B[c * 128 + (i * 4 + k)])
)";
  size_t begin = text.find("        for i in T.serial(32"), end = text.size();
  int refused = 0, run = 0, no_program = 0;
  for (const Mutant& mutant : one_token_mutants(text.substr(begin, end - begin))) {
    std::string changed = text.substr(0, begin) + mutant.text + text.substr(end);
    try {
      PrimFunc func = pick_function(parse_module(changed), "");
      if (count_marks(func.body) == 0) continue;
      std::vector<Tensor> input = any_inputs(func, 5);
      if (hexproof::run(func, input).error) {
        ++no_program;
        continue;
      }
      Prover prover;
      CheckReport report = check(func, prover);
      Derivation derivation(func);
      Kernel kernel = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report, prover)});
      ++run;
      expect_interpreted(kernel, 5);
    } catch (const Unsupported&) {
      refused += emits(without_marks(changed));  // else it is not the mark that is refused
    } catch (const Error&) {
      ++no_program;
    }
  }
  std::cout << refused << " refused, " << run << " run and agree, " << no_program << " no programs\n";
  EXPECT_GE(refused, 50);
}

}  // namespace instruction_test
}  // namespace hexproof
