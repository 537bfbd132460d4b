// What tests of side conditions share, beside expect_refused_rightly: conditions that a rule checks by itself, and
// those that it meets by its own choice and owes nevertheless.
#pragma once
#include <algorithm>
#include <string>

#include "tests/rewrite/support.h"

namespace hexproof {

/// The rule does not apply, and its message holds `why`.
inline void expect_not_applicable(const PrimFunc& func, const std::string& rule, const Args& args,
                                  const std::string& why) {
  try {
    Rewrite rewrite = rule_by_name(rule).apply(func, args);
    ADD_FAILURE() << rule << " applies to\n" << print(func) << "and makes\n" << print(rewrite.after);
  } catch (const NotApplicable& no) {
    EXPECT_NE(std::string(no.what()).find(why), std::string::npos) << no.what();
  }
}

/// The same, and `tempting`, which is what the rule would make without its check, does something else than `func`.
inline void expect_not_applicable_rightly(const PrimFunc& func, const std::string& rule, const Args& args,
                                          const std::string& why, const std::string& tempting, const Sizes& sizes = {},
                                          int rounds = 40) {
  expect_not_applicable(func, rule, args, why);
  EXPECT_NE(difference(func, parse(tempting), sizes, rounds), "") << "nothing breaks without the check:\n" << tempting;
}

/// The rule owes a need whose reason holds `why`, and all needs are proved.
inline void expect_owed(const PrimFunc& func, const std::string& rule, const Args& args, const std::string& why) {
  Rewrite rewrite = rule_by_name(rule).apply(func, args);
  EXPECT_TRUE(std::any_of(rewrite.needs.begin(), rewrite.needs.end(),
                          [&](const Obligation& o) { return o.why.find(why) != std::string::npos; }))
      << rule << " does not owe: " << why;
  applied(func, rule, args);
}

/// The rule chooses so that the condition holds, and owes it; `other` is the result of another choice, and breaks.
inline void expect_owed_rightly(const PrimFunc& func, const std::string& rule, const Args& args, const std::string& why,
                                const std::string& other, const Sizes& sizes = {}, int rounds = 40) {
  expect_owed(func, rule, args, why);
  EXPECT_NE(difference(func, parse(other), sizes, rounds), "") << "nothing breaks with another choice:\n" << other;
}

/// The kind of the first error that a run meets with these scalars; it meets one.
inline ErrorKind error_of(const PrimFunc& func, const Sizes& sizes) {
  std::vector<int64_t> scalars;
  for (const Var& v : func.scalars()) scalars.push_back(sizes.at(v.name()));
  std::vector<Tensor> inputs = random_inputs(func, 1, sizes);
  RunResult result = run(func, inputs, scalars);
  HEXPROOF_CHECK(result.error.has_value(), "the program of the test meets no error");
  return result.error->kind;
}

}  // namespace hexproof
