// What tests of rows share: programs with one token changed, and a row's description over many operands at once.
#pragma once
#include <string>
#include <vector>

#include "rewrite/intrinsics/intrinsic.h"

namespace hexproof::testing {

struct Mutant {
  std::string text, change;  // "'32' -> '33' at 120"
};
/// Each of them differs in one token: a number, an operator, the name of a loop or an operand, a type.
std::vector<Mutant> one_token_mutants(const std::string& text);

/// for n in range(count): the description, each operand with one more dimension in front; marked as `mark`, when it is
/// given.
PrimFunc over_many(const PrimFunc& description, int64_t count, const std::string& mark);

/// The module calls functions of the target, and each of them stands in a row.
void expect_only_rows(const std::string& llvm_ir, const Intrinsic* tried = nullptr);

}  // namespace hexproof::testing
