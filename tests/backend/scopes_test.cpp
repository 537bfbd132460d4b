#include "backend/scopes.h"

#include "tests/backend/emitted.h"

namespace hexproof {
namespace scopes_test {

/// `%s` is the scope, `%n` the size in bytes.
std::string refusal(std::string scope, std::string bytes, Target target) {
  std::string text = R"(
def f(A: T.Buffer((4,), "int8")):
    S = T.alloc_buffer((%n,), "int8", scope="%s")
    R = T.alloc_buffer((4,), "int8", scope="%s")
    for i in range(4):
        S[i] = A[i]
    for i in range(4):
        R[i] = S[i]
    for i in range(4):
        A[i] = R[i]
)";
  for (size_t k = 0; k < 2; ++k) text.replace(text.find("%s"), 2, scope);
  text.replace(text.find("%n"), 2, bytes);
  try {
    demand_scopes(pick_function(parse_module(text), ""), target);
    return "";
  } catch (const Unsupported& e) {
    return e.what();
  }
}

TEST(Scopes, WhatATargetHas) {
  for (Target target : {Target::Host, Target::Hexagon}) {
    EXPECT_EQ(refusal("global", "1000000", target), "");
    EXPECT_EQ(refusal("local", "64", target), "");
    EXPECT_NE(refusal("nonsense.scope", "64", target).find("\"nonsense.scope\""), std::string::npos);
    EXPECT_NE(refusal("shared", "64", target).find("has not"), std::string::npos);
  }
  EXPECT_NE(refusal("global.vtcm", "64", Target::Host).find("the host has not"), std::string::npos);
}

TEST(Scopes, AsMuchVtcmAsThereIs) {
  EXPECT_EQ(refusal("global.vtcm", "262140", Target::Hexagon), "");
  EXPECT_NE(refusal("global.vtcm", "262141", Target::Hexagon).find("262145 bytes of VTCM at once"), std::string::npos);
  EXPECT_NE(refusal("global.vtcm", "268435456", Target::Hexagon).find("bytes of VTCM"), std::string::npos);
}

TEST(Scopes, KernelsAreHeldToIt) {
  EXPECT_THROW(testing::emitted(R"(
def f(A: T.Buffer((4,), "int8")):
    S = T.alloc_buffer((4,), "int8", scope="nonsense.scope")
    for i in range(4):
        S[i] = A[i]
    for i in range(4):
        A[i] = S[i]
)",
                                Target::Host),
               Unsupported);
}

/// VTCM holds nothing before somebody writes it: who reads it then is found by `check`, at the cell.
TEST(Scopes, AReadOfVtcmThatNobodyWroteIsAnError) {
  const std::string text = R"(
def f(A: T.Buffer((8,), "int8"), B: T.Buffer((8,), "int8")):
    S = T.alloc_buffer((8,), "int8", scope="global.vtcm")
    for i in range(7):
        S[i] = A[i]
    for i in range(N):
        B[i] = S[i]
)";
  Prover prover;
  auto checked = [&](const char* read) {
    return check(pick_function(parse_module(testing::replaced(text, "N", read)), ""), prover);
  };
  EXPECT_EQ(checked("7").finding, Finding::Proved);
  const CheckReport unwritten = checked("8");
  EXPECT_EQ(unwritten.finding, Finding::Refuted);
  EXPECT_TRUE(testing::has(unwritten.counterexample, "S[7]")) << unwritten.counterexample;
}

}  // namespace scopes_test
}  // namespace hexproof
