// What `check` says of the programs that these tests read.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ir/function.h"
#include "verify/check/check.h"

namespace hexproof {

/// The findings other than Proved that are expected, each with words that its counterexample or reason holds. The key
/// is the place of the program as the test names it, with the name of the function.
struct ExpectedFinding {
  Finding finding;
  std::string words;
};
using ExpectedFindings = std::map<std::string, ExpectedFinding>;

/// Checks every function of the module at `where` and compares with the table; adds the keys it has met to `met`.
void check_module(const IRModule& module, const std::string& where, const ExpectedFindings& expected,
                  std::map<std::string, int>* met);

}  // namespace hexproof
