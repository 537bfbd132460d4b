// What the code generator assumes appears in the LLVM IR with a proof of the same program, and not without.
#include "backend/grants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "backend/kernel.h"
#include "ir/base/diagnostic.h"
#include "ir/text/text.h"

namespace hexproof {
namespace grants_test {

const char* kProgram = R"(
@T.prim_func
def f(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.parallel(64):
        B[i] = A[i // 2 * 2 + i % 2] + A[i]
)";

PrimFunc program(const char* sum = "") {
  std::string text = kProgram;
  if (*sum) text.replace(text.find("A[i // 2 * 2 + i % 2]"), 21, sum);
  return pick_function(parse_module(text), "");
}

CheckReport checked(const PrimFunc& func) {
  Prover prover;
  return check(func, prover);
}

std::string ir_of(const PrimFunc& func, const Grants& grants) {
  return emit(Derivation(func), {.target = Target::Host, .grants = grants, .optimise = false}).llvm_ir;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
void expect_flags(const std::string& ir, bool present) {
  EXPECT_EQ(has(ir, " nsw ") || has(ir, " nuw "), present);
  EXPECT_EQ(has(ir, "inbounds"), present);
  EXPECT_EQ(has(ir, "noalias"), present);
  EXPECT_EQ(has(ir, "llvm.loop.parallel_accesses"), present);
  EXPECT_EQ(has(ir, "llvm.access.group"), present);
}
bool nothing(const Grants& g) {
  return !g.no_index_overflow() && !g.in_bounds() && !g.no_alias_params() && !g.parallel_loops() && g.basis().empty();
}

TEST(Grants, FlagsAppearWithAProofOnly) {
  PrimFunc func = program();
  expect_flags(ir_of(func, {}), false);
  Grants grants = grants_for(Derivation(func), checked(func));
  EXPECT_TRUE(grants.no_index_overflow() && grants.in_bounds() && grants.no_alias_params() && grants.parallel_loops());
  expect_flags(ir_of(func, grants), true);
}

TEST(Grants, EachNeedsObligationsOfItsKind) {
  PrimFunc func = program();
  CheckReport whole = checked(func);
  struct Kind {
    std::vector<std::string> rules;
    bool (Grants::*granted)() const;
    const char* flag;
  };
  for (const Kind& kind : {Kind{{"check-overflow"}, &Grants::no_index_overflow, nullptr},
                           Kind{{"check-bounds", "check-view", "check-allocation"}, &Grants::in_bounds, "inbounds"},
                           Kind{{"check-race"}, &Grants::parallel_loops, "llvm.loop.parallel_accesses"}}) {
    CheckReport without = whole;
    auto& list = without.obligations;
    size_t before = list.size();
    std::erase_if(list, [&](const CheckedObligation& o) {
      return std::find(kind.rules.begin(), kind.rules.end(), o.obligation.rule) != kind.rules.end();
    });
    EXPECT_LT(list.size(), before) << kind.rules[0];
    Grants grants = grants_for(Derivation(func), without);
    EXPECT_FALSE((grants.*kind.granted)()) << kind.rules[0];
    EXPECT_TRUE(grants.no_alias_params());
    if (kind.flag) {
      EXPECT_FALSE(has(ir_of(func, grants), kind.flag)) << kind.flag;
    }
  }
}

TEST(Grants, TheBasisNamesItsObligations) {
  PrimFunc func = program();
  CheckReport report = checked(func);
  Grants grants = grants_for(Derivation(func), report);
  ASSERT_EQ(grants.basis().size(), 4u);
  for (const Grants::Basis& basis : grants.basis()) {
    EXPECT_EQ(basis.obligations.empty(), basis.grant == "no_alias_params");
    ASSERT_EQ(basis.obligations.size(), basis.sentences.size());
    for (size_t i = 0; i < basis.obligations.size(); ++i) {
      const Obligation& o = report.obligations.at(basis.obligations[i]).obligation;
      EXPECT_EQ(o.why, basis.sentences[i]);
      if (basis.grant == "parallel_loops") {
        EXPECT_EQ(o.rule, "check-race");
      }
      if (basis.grant == "no_index_overflow") {
        EXPECT_EQ(o.rule, "check-overflow");
      }
    }
  }
}

TEST(Grants, AReportThatIsNotAllProvedGrantsNothing) {
  PrimFunc func = program();
  for (Finding finding : {Finding::Refuted, Finding::Undecided, Finding::Vacuous, Finding::Unsupported}) {
    CheckReport report = checked(func);
    report.finding = finding;
    EXPECT_TRUE(nothing(grants_for(Derivation(func), report)));
  }
  for (Verdict verdict : {Verdict::Refuted, Verdict::Unknown}) {
    CheckReport report = checked(func);
    report.obligations.back().answer.verdict = verdict;
    EXPECT_TRUE(nothing(grants_for(Derivation(func), report)));
  }
  PrimFunc wrong = program("A[i + 1]");
  CheckReport refuted = checked(wrong);
  EXPECT_EQ(refuted.finding, Finding::Refuted);
  EXPECT_TRUE(nothing(grants_for(Derivation(wrong), refuted)));
}

TEST(Grants, AReportOrGrantsOfAnotherProgramAreRefused) {
  PrimFunc func = program(), other = program("A[i // 4 * 4 + i % 4]");
  CheckReport report = checked(func);
  ASSERT_EQ(report.finding, Finding::Proved);
  EXPECT_TRUE(nothing(grants_for(Derivation(other), report)));
  EXPECT_FALSE(nothing(grants_for(Derivation(program()), report))) << "the same program, parsed again";
  EXPECT_THROW(ir_of(other, grants_for(Derivation(func), report)), InternalError);
}

TEST(FastMath, WhatAFunctionIsMadeOfIsNotOpen) {
  for (const char* call : {"T.rsqrt(A[i])", "T.sigmoid(A[i])"}) {
    PrimFunc func = program(call);
    func.attrs[kFastMathAttribute] = std::string("nsz contract");
    const std::string ir = ir_of(func, {});
    EXPECT_TRUE(has(ir, "fadd nsz contract float"));
    EXPECT_TRUE(has(ir, "fdiv float") && !has(ir, "fdiv nsz")) << ir;
  }
}

// LLVM makes a quotient by a power of two a product, and narrows operations between casts: neither may round it in a
// sum alone then.
TEST(FastMath, ContractIsOfProductsInTheNarrowestFormat) {
  PrimFunc quotient = program("A[i] / T.float32(2)");
  quotient.attrs[kFastMathAttribute] = std::string("contract");
  EXPECT_TRUE(has(ir_of(quotient, {}), "fdiv float"));
  EXPECT_FALSE(has(ir_of(quotient, {}), "fdiv contract"));
  const auto wide = [](const std::string& x) { return "T.Cast(\"float64\", " + x + ")"; };
  PrimFunc narrowed = program(("T.Cast(\"float32\", " + wide("A[i] * A[i]") + " + " + wide("A[i]") + ")").c_str());
  narrowed.attrs[kFastMathAttribute] = std::string("contract");
  EXPECT_TRUE(has(ir_of(narrowed, {}), "fmul contract float"));
  EXPECT_FALSE(has(ir_of(narrowed, {}), "fadd contract double"));
}

TEST(FastMath, OnlyTheAttributeOfTheUserGrantsFlags) {
  PrimFunc func = program();
  EXPECT_FALSE(has(ir_of(func, {}), "nnan"));
  func.attrs[kFastMathAttribute] = std::string("nnan, nsz nnan");
  EXPECT_EQ(join_flags(func.granted_flags()), "nnan nsz");
  EXPECT_TRUE(has(ir_of(func, {}), "fadd nsz float"));
  // Rules regroup; LLVM would go further than what was proved.
  func.attrs[kFastMathAttribute] = std::string("nsz reassoc");
  EXPECT_FALSE(has(ir_of(func, {}), "reassoc"));
  func.attrs[kFastMathAttribute] = Expr(string_imm("contract"));
  EXPECT_TRUE(has(ir_of(func, {}), "fadd contract float"));
  func.attrs[kFastMathAttribute] = std::string("nnan fast");
  EXPECT_THROW(func.granted("nnan"), Error);
  EXPECT_THROW(ir_of(func, {}), Error);
  func.attrs[kFastMathAttribute] = i32(1);
  EXPECT_THROW(func.granted_flags(), Error);
  func.attrs.clear();
  func.attrs["fast_math"] = std::string("nsz");
  EXPECT_FALSE(has(ir_of(func, {}), "nsz"));
}

// To LLVM they would make a NaN (an infinity) that the program computes itself poison.
TEST(FastMath, PromisesOfDataAreNotForLLVM) {
  PrimFunc func = program();
  func.attrs[kFastMathAttribute] = std::string("nnan ninf");
  EXPECT_FALSE(has(ir_of(func, {}), "nnan"));
  EXPECT_FALSE(has(ir_of(func, {}), "ninf"));
  EXPECT_TRUE(has(ir_of(func, {}), "fadd float"));
}

}  // namespace grants_test
}  // namespace hexproof
