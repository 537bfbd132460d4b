// Passes and their primitives as a schedule writes them.
#include "rewrite/schedule/reader.h"
#include "tests/rewrite/support.h"

namespace hexproof {
namespace passes_schedule_test {

Derivation scheduled(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  EXPECT_EQ(difference(derivation.source(), derivation.current()), "") << print(derivation.current());
  return derivation;
}
template <class Exception>
std::string failure(const std::string& program, const std::string& schedule) {
  Derivation derivation(parse(program));
  try {
    run_schedule(derivation, test_prover(), std::make_shared<const SourceFile>(SourceFile{"s.py", schedule}));
  } catch (const Exception& e) {
    EXPECT_EQ(print(derivation.current()), print(derivation.source()));
    return e.what();
  }
  ADD_FAILURE() << "nothing failed\n" << print(derivation.current());
  return "";
}

constexpr const char* kPadding = R"(
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            if 4 * io + ii < 14:
                B[io, ii] = A[io, ii] * T.float32(2)
    with T.block("pad"):
        for io, ii in T.grid(4, 4):
            if io == 3 and ii >= 2:
                B[io, ii] = T.float32(0)
)";
constexpr const char* kOvercomputed = R"(
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32")):
    with T.block("compute"):
        for io, ii in T.grid(4, 4):
            B[io, ii] = A[io, ii] * T.float32(2)
    with T.block("pad"):
        for ii in range(2, 4):
            B[3, ii] = T.float32(0)
)";

TEST(PassesInSchedules, OvercomputeAndItsInverse) {
  Derivation derivation = scheduled(kPadding, R"(
sch.remove_branching_through_overcompute("compute")
sch.reduce_loop_extents("pad")
)");
  expect_program(derivation.current(), kOvercomputed);
  // Both by name; the second pass is another one's inverse.
  Derivation named = scheduled(kPadding, R"(
import tvm
from tvm import tir
sch = tir.Schedule(Module)
sch.apply_pass("tir.RemoveBranchingThroughOvercompute")
sch.remove_overcompute_through_branching(block="compute")
mod = tvm.tir.transform.ReduceLoopExtents()(sch.mod)
)");
  EXPECT_NE(print(named.current()).find("if io != 3 or ii < 2"), std::string::npos) << print(named.current());
  EXPECT_NE(print(named.current()).find("range(2, 4)"), std::string::npos) << print(named.current());
  ASSERT_FALSE(named.steps().empty());
  EXPECT_EQ(named.steps()[0].primitive, "sch.apply_pass(\"tir.RemoveBranchingThroughOvercompute\")");
}

TEST(PassesInSchedules, Hoisting) {
  const char* text = R"(
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("fill"):
        for i, j in T.grid(4, 4):
            if i == 0 and j < 2:
                A[i, j] = 0
)";
  const char* hoisted = R"(
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    with T.block("fill"):
        for i in range(4):
            if i == 0:
                for j in range(4):
                    if j < 2:
                        A[i, j] = 0
)";
  for (const char* schedule : {"sch.hoist_expression(\"fill\", conditionals=\"BooleanExpression\", bindings=[])",
                               "sch.hoist_expression(\"fill\", conditionals=[tir.HoistConditional.BooleanExpression])",
                               "sch.apply_pass(\"tir.HoistExpression\")"}) {
    expect_program(scheduled(text, schedule).current(), hoisted);
  }
  EXPECT_EQ(print(scheduled(text, "sch.apply_pass(\"HoistIfThenElse\")").current()), print(parse(text)));
  EXPECT_NE(failure<Error>(text, "sch.hoist_expression(\"fill\", conditionals=\"None\", bindings=\"None\")")
                .find("there is no place for it"),
            std::string::npos);
  EXPECT_NE(failure<Error>(text, "sch.hoist_expression(\"fill\", conditionals=\"IfElse\")").find("IfElseStmt"),
            std::string::npos);
}

TEST(PassesInSchedules, SimplifyMergesConditionals) {
  // RFC 0077: identical and complementary conditionals, in words of their own.
  const char* text = R"(
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((16,), "int32")):
    for i, j in T.grid(4, 4):
        if 4 * i + j < 14:
            A[i, j] = T.float32(0)
        else:
            A[i, j] = T.float32(1)
        if i == 3 and j >= 2:
            B[i, j] = T.float32(2)
        else:
            B[i, j] = T.float32(3)
    for i in range(16):
        if C[i] < 0:
            C[i] = C[i] + 1
        if C[i] < 0:
            C[i] = 0
)";
  Derivation derivation = scheduled(text, "sch.apply_pass(\"tir.Simplify\")");
  expect_program(derivation.current(), R"(
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((16,), "int32")):
    for i, j in T.grid(4, 4):
        if 4 * i + j < 14:
            A[i, j] = T.float32(0)
            B[i, j] = T.float32(3)
        else:
            A[i, j] = T.float32(1)
            B[i, j] = T.float32(2)
    for i in range(16):
        if C[i] < 0:
            C[i] = C[i] + 1
        if C[i] < 0:
            C[i] = 0
)");
}

TEST(PassesInSchedules, SimplifyEqualBranches) {
  Derivation derivation = scheduled(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if B[i] > 3:
            A[i] = i * 1
        else:
            A[i] = i + 0
)",
                                    "sch.apply_pass(\"tir.Simplify\")");
  expect_program(derivation.current(), R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = i
)");
}

TEST(PassesInSchedules, RemoveNoOp) {
  // A store that is overwritten, one that is there already, one that copies a cell to itself, memory that nobody reads.
  Derivation derivation = scheduled(R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    T.assume(B[0] == 0)
    B[0] = 0
    C = T.alloc_buffer((8,), "int32")
    for i in range(8):
        C[i] = A[i]
        A[i] = 3
        A[i] = A[i]
        A[i] = i
)",
                                    "mod = tvm.tir.transform.RemoveNoOp()(sch.mod)");
  expect_program(derivation.current(), R"(
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    T.assume(B[0] == 0)
    for i in range(8):
        A[i] = i
)");
}

TEST(PassesInSchedules, MergeAdjacentLoops) {
  const std::string text = R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((18,), "int32")):
    with T.block("one"):
        for i in range(16):
            B[i] = A[i]
    with T.block("two"):
        for j in range(16):
            A[j] = B[j]
)";
  const char* loops = R"(
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((18,), "int32")):
    for i in range(16):
        B[i] = A[i]
    for j in range(16):
        A[j] = B[READ]
)";
  auto with = [&](const std::string& read) {
    std::string out = loops;
    return out.replace(out.find("READ"), 4, read);
  };
  EXPECT_EQ(scheduled(with("j"), "sch.apply_pass(\"MergeAdjacentLoops\")").steps().size(), 1u);
  // What the first loop writes later is not there yet.
  EXPECT_EQ(scheduled(with("j + 1"), "sch.apply_pass(\"MergeAdjacentLoops\")").steps().size(), 0u);
  EXPECT_EQ(scheduled(text, "sch.apply_pass(\"MergeAdjacentLoops\")").steps().size(), 0u);
}

TEST(PassesInSchedules, Lowering) {
  const char* text = R"(
def main(A: T.Buffer((8,), "int32")):
    for i in range(8):
        T.assume(A[i] == 0 or i >= 0)
    for i in range(6, 8):
        A[i] = T.undef(dtype="int32")
)";
  Derivation derivation = scheduled(text, R"(
sch.apply_pass("tir.RemoveStoreUndef")
sch.apply_pass("tir.RemoveAssume")
sch.apply_pass("tir.RemoveAssume")
)");
  EXPECT_EQ(print(derivation.current()).find("T.assume"), std::string::npos);
  EXPECT_EQ(derivation.steps().size(), 2u);
}

TEST(PassesInSchedules, Mistakes) {
  EXPECT_NE(failure<Error>(kPadding, "sch.apply_pass(\"tir.RemoveNoOps\")").find("did you mean 'tir.RemoveNoOp'"),
            std::string::npos);
  EXPECT_NE(failure<Unsupported>(kPadding, "mod = tvm.tir.transform.Vectorize()(sch.mod)").find("not read"),
            std::string::npos);
  EXPECT_NE(failure<Error>(kPadding, "sch.remove_no_op(\"nowhere\")").find("there is no block"), std::string::npos);
  // The primitive says why: the read of A leaves the buffer, and a remainder is not asked for.
  const char* leaves = R"(
def main(A: T.Buffer((6,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("compute"):
        for i in range(8):
            if i < 6:
                B[i] = A[i]
    for i in range(6, 8):
        B[i] = 0
)";
  std::string said =
      failure<PrimitiveRefused>(leaves, "sch.remove_branching_through_overcompute(\"compute\", clamp=False)");
  EXPECT_NE(said.find("in bounds"), std::string::npos) << said;
  Derivation clamped = scheduled(leaves, "sch.remove_branching_through_overcompute(\"compute\")");
  EXPECT_NE(print(clamped.current()).find("A[i % 6]"), std::string::npos);
}

}  // namespace passes_schedule_test
}  // namespace hexproof
