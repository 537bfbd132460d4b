// Pairs of programs for the tests of the parametric method.
#pragma once
#include <functional>

#include "tests/verify/programs.h"
#include "verify/equiv/equiv.h"

namespace hexproof {

struct EquivParametricTest : testing::Test {
  static Prover& prover() {
    static Prover p;
    return p;
  }

  /// "lambda i, j: [i // 4, j]" written as an index map over as many inputs.
  using Layout = std::function<std::vector<Expr>(const std::vector<Expr>&)>;
  static IndexMap layout(size_t inputs, const Layout& f) {
    IndexMap map;
    std::vector<Expr> vars;
    for (size_t d = 0; d < inputs; ++d) {
      map.inputs.push_back(Var::fresh("i", kInt32));
      vars.push_back(Expr(map.inputs.back()));
    }
    map.outputs = f(vars);
    return map;
  }

  static Evidence judge(const std::string& before, const std::string& after, const RelationRequest& request = {}) {
    return equiv_parametric(pair_programs(parse(before), parse(after), request), prover());
  }
  static void proved(const std::string& before, const std::string& after, const RelationRequest& request = {}) {
    Evidence e = judge(before, after, request);
    EXPECT_EQ(e.finding, Finding::Proved) << e.says << before << after;
  }
  /// A wrong program, or one that the method must not say anything of: never proved; and it says why.
  static void open(const std::string& before, const std::string& after, const RelationRequest& request = {}) {
    Evidence e = judge(before, after, request);
    EXPECT_NE(e.finding, Finding::Proved) << before << after;
    EXPECT_FALSE(e.says.empty());
  }
  /// As open; and a run shows a difference, so that the pair is a wrong one indeed.
  static void wrong(const std::string& before, const std::string& after, const RelationRequest& request = {}) {
    open(before, after, request);
    ProgramPair pair = pair_programs(parse(before), parse(after), request);
    bool shown = false;
    for (const std::vector<int64_t>& sizes : small_sizes(pair, 8)) {
      std::optional<Instance> instance = instantiate(pair, sizes);
      for (uint64_t seed = 1; instance && !shown && seed < 4; ++seed) {
        shown = equiv_tests(pair, *instance, seed).finding == Finding::Refuted;
      }
    }
    EXPECT_TRUE(shown) << "no run differs\n" << before << after;
  }
};

/// `text` with one occurrence of `from` replaced; it must be there.
inline std::string with(const std::string& text, const std::string& from, const std::string& to) {
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from << " is not in " << text;
  return at == std::string::npos ? text : text.substr(0, at) + to + text.substr(at + from.size());
}

}  // namespace hexproof
