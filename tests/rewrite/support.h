// What tests of rules share: programs from text, rules with and without the kernel, and runs of both programs.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/interpreter/interpreter.h"
#include "ir/text/text.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/site/places.h"

namespace hexproof {

/// The only function of the text.
PrimFunc parse(const std::string& text);
/// The loop whose variable is named `name`, the first one in program order; InternalError when there is none.
Path loop_named(const PrimFunc& func, const std::string& name);
/// The loop over `i`, as the one argument of a rule.
inline Args loop_i(const PrimFunc& func) { return {{"at", loop_named(func, "i")}}; }
/// The k-th statement (from 0) that holds a Record, in program order.
template <class Record>
Path nth(const PrimFunc& func, size_t k = 0) {
  std::vector<Path> found = find_all(func, [](const Stmt& s) { return s.as<Record>() != nullptr; });
  HEXPROOF_CHECK(k < found.size(), "the test names a statement that is not there");
  return found[k];
}

/// The prover that all tests of one executable share.
Prover& test_prover();
/// The program after the kernel has applied the rule: every need proved.
PrimFunc applied(const PrimFunc& func, const std::string& rule, const Args& args);
/// The program that the rule proposes, whether its needs hold or not.
PrimFunc proposed(const PrimFunc& func, const std::string& rule, const Args& args);
/// The refusal of the kernel, or nothing when it applied the rule (a test failure is recorded then).
std::optional<Refused> refusal(const PrimFunc& func, const std::string& rule, const Args& args);
/// Does the rule say that it does not apply?
bool not_applicable(const PrimFunc& func, const std::string& rule, const Args& args);

/// Values of the scalar parameters and shape variables, by name.
using Sizes = std::map<std::string, int64_t>;
/// One tensor per buffer parameter; many of the elements are edge values (zeros of both signs, infinities, NaN,
/// least and greatest integers). Odd seeds leave infinities and NaN out, which would hide every other difference.
std::vector<Tensor> random_inputs(const PrimFunc& func, uint64_t seed, const Sizes& sizes = {});

/// Runs both programs on `rounds` random inputs, and says where `after` does not refine `before`: an error where
/// `before` has none, or another content of an argument (bit for bit; NaNs are one value). Inputs on which `before`
/// meets an error say nothing; when all of them do, that is a failure too.
std::string difference(const PrimFunc& before, const PrimFunc& after, const Sizes& sizes = {}, int rounds = 20);

/// The rule applies with every need proved, the result prints as `expected` (when given), and it behaves as before.
void expect_applies(const std::string& before, const std::string& rule, const Args& args, const std::string& expected,
                    const Sizes& sizes = {});
/// The kernel refuses the rule by a need whose reason holds `why`, and the program that the rule proposes does
/// something else in the interpreter: the refusal is not too careful.
void expect_refused_rightly(const PrimFunc& before, const std::string& rule, const Args& args, const std::string& why,
                            const Sizes& sizes = {}, int rounds = 40);
/// Equal as printed programs.
void expect_program(const PrimFunc& func, const std::string& expected);

}  // namespace hexproof
