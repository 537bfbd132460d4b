// Each operation wraps, or may be assumed not to, as its node says: interpreter and host give the same bits, and only
// index arithmetic gets LLVM's flags.
#include <gtest/gtest.h>

#include "backend/grants.h"
#include "backend/host.h"
#include "backend/kernel.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"

namespace hexproof {
namespace arith_class_test {

using namespace testing;

PrimFunc storing(const std::string& value) {
  return parse_module(
             "@T.prim_func\ndef f(A: T.Buffer((64,), 'int32'), B: T.Buffer((64,), 'int32')):\n"
             "    for i in range(64):\n        B[i] = " +
             value + "\n")
      .functions.at(0);
}
/// LLVM's operations of that name in the code with everything granted that `check` proves, or nothing.
std::string lines_with(const std::string& value, const std::string& name) {
  PrimFunc func = storing(value);
  Prover prover;
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << report.reason;
  Derivation derivation(func);
  std::string ir =
      emit(derivation, {.target = Target::Host, .grants = grants_for(derivation, report), .optimise = false}).llvm_ir;
  std::string out;
  for (size_t at = 0, end; at < ir.size(); at = end + 1) {
    end = std::min(ir.find('\n', at), ir.size());
    std::string line = ir.substr(at, end - at);
    if (line.find(name) != std::string::npos) out += line + "\n";
  }
  EXPECT_FALSE(out.empty()) << ir;
  return out;
}
bool all_flagged(const std::string& lines) {
  for (size_t at = 0, end; at < lines.size(); at = end + 1) {
    end = lines.find('\n', at);
    if (lines.substr(at, end - at).find("nsw") == std::string::npos) return false;
  }
  return true;
}

TEST(ArithClassCode, OnlyIndexArithmeticIsAssumedNotToOverflow) {
  EXPECT_TRUE(all_flagged(lines_with("i * 3", "= mul")));
  EXPECT_FALSE(all_flagged(lines_with("T.wrap(i * 3)", "= mul")));
  EXPECT_FALSE(all_flagged(lines_with("A[i] * 3", "= mul")));
  EXPECT_TRUE(all_flagged(lines_with("T.nowrap(A[i] % 8 * 3)", "= mul")));
  EXPECT_FALSE(all_flagged(lines_with("T.if_then_else(A[i] > 0, 5, i) * 3", "= mul")));
}

TEST(ArithClassCode, InterpreterAndHostAgree) {
  for (const char* value : {"T.wrap(i + 2147483640)", "T.wrap(i * 1073741824)", "T.wrap(T.int32(2147483647) + 1)",
                            "T.wrap(i << 30)", "T.wrap(T.wrap(i + 2147483640) - i) // 3",
                            "T.nowrap(A[i] % 1000 * 3) + 2147483647", "T.wrap(T.int32(3) + 2147483647) * A[i]",
                            "T.if_then_else(i > 5, A[i], 3) + 2147483647", "A[T.wrap(i + 64) % 64]"}) {
    PrimFunc func = storing(value);
    std::vector<int32_t> a(64);
    for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<int32_t>(i * 2654435761u);
    std::vector<Tensor> wanted = {tensor<int32_t>(kInt32, {64}, a), tensor<int32_t>(kInt32, {64}, a)};
    const std::vector<Tensor> inputs = wanted;
    RunResult result = run(func, wanted);
    ASSERT_FALSE(result.error) << value << result.error->str();
    for (bool optimise : {true, false}) {
      HostBatch batch({.optimise = optimise});
      size_t index = batch.add(func);
      batch.compile();
      std::vector<Tensor> buffers = inputs;
      batch.run(index, buffers, {});
      EXPECT_EQ(first_difference(wanted[1], buffers[1]), -1) << value;
    }
    // With what is proved of it granted, too.
    Prover prover;
    CheckReport report = check(func, prover);
    EXPECT_EQ(report.finding, Finding::Proved) << report.reason << value;
  }
}

}  // namespace arith_class_test
}  // namespace hexproof
