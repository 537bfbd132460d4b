// How a case of the rule book is shown: the tempting rewrite is refused and the interpreter shows what it would break,
// and the sound sibling is accepted.
#pragma once
#include <string>

#include "rewrite/expr_rules/strategy.h"
#include "tests/rewrite/support.h"
#include "tests/support/put.h"

namespace hexproof {

/// The types on which every trap that data can spring is shown.
inline constexpr const char* kTrapTypes[] = {"int8", "int32", "float16", "float32"};
inline bool is_float(const std::string& type) { return type.starts_with("float"); }

/// The program after every expression rule that is proved has been used.
inline PrimFunc simplified(const PrimFunc& func) {
  Derivation derivation(func);
  simplify(derivation, test_prover());
  return derivation.current();
}

/// Simplification leaves `tempting` undone, and `tempting` would be wrong.
inline void expect_not_simplified(const std::string& before, const std::string& tempting, const Sizes& sizes = {}) {
  PrimFunc func = parse(before), wrong = parse(tempting), after = simplified(func);
  wrong.name = after.name;
  EXPECT_NE(print(after), print(wrong));
  EXPECT_EQ(difference(func, after, sizes, 100), "") << print(after);
  EXPECT_NE(difference(func, wrong, sizes, 400), "") << "nothing breaks:\n" << tempting;
}

inline void expect_simplified(const std::string& before, const std::string& expected, const Sizes& sizes = {}) {
  PrimFunc func = parse(before), after = simplified(func);
  expect_program(after, expected);
  EXPECT_EQ(difference(func, after, sizes, 100), "");
}

/// The rule is applied with every need proved, and nothing changes.
inline void expect_sound(const PrimFunc& func, const std::string& rule, const Args& args, const Sizes& sizes = {}) {
  EXPECT_EQ(difference(func, applied(func, rule, args), sizes, 100), "");
}

/// The program that a person might write for `before` does something else.
inline void expect_wrong(const std::string& before, const std::string& tempting, const std::string& words = "") {
  std::string found = difference(parse(before), parse(tempting), {}, 400);
  EXPECT_NE(found, "") << tempting;
  EXPECT_NE(found.find(words), std::string::npos) << found;
}

inline Args take_branch(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<If>(func, k)}, {"takes", int64_t{1}}};
}
inline Args drop_store(const PrimFunc& func, size_t k = 0) {
  return {{"at", nth<Store>(func, k)}, {"kind", std::string("already-there")}};
}

}  // namespace hexproof
