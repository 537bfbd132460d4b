// Programs as text, made into kernels and held against the interpreter.
#pragma once
#include <gtest/gtest.h>

#include "backend/hexagon.h"
#include "ir/base/diagnostic.h"
#include "ir/interpreter/inputs/random_values.h"
#include "ir/text/text.h"
#include "tests/backend/programs.h"
#include "verify/check/check.h"

namespace hexproof::testing {

/// Random bytes: every pattern of bits; float32 are small quarters, whose sums are exact.
inline std::vector<Tensor> any_inputs(const PrimFunc& func, uint64_t seed) {
  std::vector<Tensor> out;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    out.push_back(make_tensor(b->dtype, shape));
    Tensor& t = out.back();
    for (size_t at = 0; at < t.data.size(); at += size_t(b->dtype.bytes())) {
      uint64_t bits = next_random(seed) >> 20;
      float quarter = static_cast<float>(static_cast<int>(bits % 64) - 32) / 4;
      if (b->dtype == kFloat32) {
        std::memcpy(&t.data[at], &quarter, 4);
      } else {
        std::memcpy(&t.data[at], &bits, size_t(b->dtype.bytes()));
      }
    }
  }
  return out;
}

struct Emitted {
  Derivation derivation;
  Kernel kernel;
};

/// The kernel of a program, with every grant that it can have.
inline Emitted emitted(const std::string& text, Target target) {
  PrimFunc func = pick_function(parse_module(text), "");
  Prover prover;
  CheckReport report = check(func, prover);
  EXPECT_EQ(report.finding, Finding::Proved) << text << report.reason << report.counterexample;
  Derivation derivation(func);
  Kernel kernel = emit(derivation, {.target = target, .grants = grants_for(derivation, report)});
  return {derivation, kernel};
}

/// Runs the kernel and the interpreter on the same input; all results are to be equal. What the run cost, on Hexagon.
inline HexagonRun expect_interpreted(const Kernel& kernel, uint64_t seed = 1) {
  std::vector<Tensor> want = any_inputs(kernel.func, seed), got = want;
  EXPECT_FALSE(run(kernel.func, want).error) << print(kernel.func);
  HexagonRun ran;
  if (kernel.target == Target::Hexagon) {
    if (!have_qemu()) return ran;
    ran = run_hexagon(link_hexagon(kernel), got);
  } else {
    run_host(kernel, got);
  }
  for (size_t b = 0; b < want.size(); ++b) {
    EXPECT_EQ(first_difference(want[b], got[b]), -1) << "buffer " << b << " of\n" << print(kernel.func);
  }
  return ran;
}

/// What `emit` refuses the program with; empty when it makes a kernel.
inline std::string refusal(const std::string& text, Target target) {
  try {
    emitted(text, target);
  } catch (const Unsupported& e) {
    return e.what();
  }
  return {};
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), with);
  return text;
}

}  // namespace hexproof::testing
