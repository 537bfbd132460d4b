// Vectorized loops that are granted to be free of conflicts become HVX code, with the meaning that the interpreter has.
#include <gtest/gtest.h>

#include "backend/hexagon.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"
#include "verify/check/check.h"

namespace hexproof {
namespace hexagon_vector_test {

/// Each line is the body of a vectorized loop over i; A and B are of the type, as is T; W is of int32.
const std::vector<std::string> kBodies = {
    "T0[i] = A[i] + B[i]",
    "T0[i] = A[i] - B[i + 3]",
    "T0[i] = A[i] * B[i]",
    "T0[i] = T.min(A[i], B[i])",
    "T0[i] = T.max(A[i], B[i + 1])",
    "T0[i] = A[i] & B[i]",
    "T0[i] = A[i] ^ B[i] | A[i + 5]",
    "T0[i] = T.shift_right(A[i], T.TYPE(3)) + T.shift_left(B[i], T.TYPE(2))",
    "T0[i] = A[i] // T.TYPE(4) + B[i] % T.TYPE(8)",
    "T0[i] = T.Select(A[i] < B[i], A[i + 2], B[i])",
    "T0[i] = T.if_then_else(i < 77, A[i], B[i] * T.TYPE(3))",
    "W[i] = T.Cast(\"int32\", A[i]) * T.Cast(\"int32\", B[i])",
    "T0[i] = T.Cast(\"TYPE\", W[i])",
    "T0[i] = T.Cast(\"TYPE\", T.Cast(\"int8\", A[i])) + T.Cast(\"TYPE\", T.Cast(\"uint16\", B[i]))",
    "T0[300 - i] = A[i]",
    // These stay scalar: gathered loads, quotients of data, a store with holes, an index that is data.
    "T0[i] = A[i * 2 // 2 % 7]",
    "T0[i] = A[i] // T.max(B[i], T.TYPE(1))",
    "T0[i] = A[i] // T.TYPE(3)",
    "T0[i % 8 * 38 + i // 8] = A[i]",
    "T0[i] = A[T.Cast(\"int32\", T.Cast(\"uint8\", B[i]))]",
    "T0[i] = T0[i] + B[2] * A[i]",
};
/// The guarded ones are bodies of an if.
const std::vector<std::pair<std::string, std::string>> kGuarded = {
    {"i >= 3 and i < 290", "T0[i] = A[i] + B[i]"},
    {"A[i] > B[i]", "T0[i] = A[i]"},
    {"A[i] != B[i]", "W[i] = W[i] + T.Cast(\"int32\", A[i])"},
};

PrimFunc program(const std::string& type, const std::string& condition, const std::string& body, int extent) {
  std::string text =
      "def f(A: T.Buffer((310,), \"TYPE\"), B: T.Buffer((310,), \"TYPE\"), T0: T.Buffer((310,), \"TYPE\"), "
      "W: T.Buffer((310,), \"int32\")):\n    for i in T.vectorized(" +
      std::to_string(extent) + "):\n";
  text += condition.empty() ? "        " + body + "\n" : "        if " + condition + ":\n            " + body + "\n";
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;) text.replace(at, 4, type);
  return parse_module(text).functions.at(0);
}

/// Random bytes: every pattern of bits is an integer.
std::vector<Tensor> inputs_of(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out;
  for (const Buffer& b : func.buffer_params()) {
    out.push_back(make_tensor(b->dtype, {b->shape[0]->int_value()}));
    for (uint8_t& byte : out.back().data) byte = static_cast<uint8_t>(next_random(seed) >> 24);
  }
  return out;
}

/// Runs the program under QEMU and in the interpreter. Returns how many HVX instructions ran.
uint64_t expect_agreement(const PrimFunc& func, Prover& prover, uint64_t seed) {
  Derivation derivation(func);
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << print(func);
  std::vector<Tensor> got = inputs_of(func, seed), want = got;
  EXPECT_FALSE(run(func, want).error);
  Kernel kernel = emit(derivation, {.target = Target::Hexagon, .grants = grants_for(derivation, report)});
  HexagonRun ran = run_hexagon(link_hexagon(kernel), got);
  for (size_t b = 0; b < want.size(); ++b) {
    EXPECT_EQ(first_difference(want[b], got[b]), -1) << "buffer " << b << " of\n" << print(func);
  }
  return ran.hvx;
}

class HexagonVector : public ::testing::TestWithParam<const char*> {};

TEST_P(HexagonVector, LoopsAgreeWithTheInterpreter) {
  if (!have_qemu()) GTEST_SKIP() << "qemu-hexagon is not installed: nothing was run";
  Prover prover;
  uint64_t hvx = 0, seed = 1;
  for (const std::string& body : kBodies) {
    for (int extent : {300, 128}) {
      bool index = body.find("300 - i") != std::string::npos;
      hvx += expect_agreement(program(GetParam(), "", body, index ? 300 : extent), prover, seed++);
    }
  }
  for (const auto& [condition, body] : kGuarded) {
    hvx += expect_agreement(program(GetParam(), condition, body, 300), prover, seed++);
  }
  EXPECT_EQ(hvx > 0, std::string(GetParam()).find("64") == std::string::npos) << hvx;
}

INSTANTIATE_TEST_SUITE_P(Types, HexagonVector,
                         ::testing::Values("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
                         [](const auto& type) { return std::string(type.param); });

}  // namespace hexagon_vector_test
}  // namespace hexproof
