// Branches and their removal, for the tests of overcompute.
#pragma once
#include "rewrite/passes/passes.h"
#include "tests/rewrite/support.h"
#include "tests/support/put.h"

namespace hexproof::overcompute_programs {

/// The k-th `if`, with why each store leaves no trace.
inline Args branch(const PrimFunc& func, size_t k = 0, const std::string& stores = "") {
  Args args{{"at", nth<If>(func, k)}};
  if (!stores.empty()) args["stores"] = stores;
  return args;
}

/// After the pass; nothing is changed but the program's text.
inline PrimFunc overcomputed(const PrimFunc& func, bool clamp = true) {
  Derivation derivation(func);
  Strategy s(derivation, test_prover());
  remove_branching_through_overcompute(s, clamp);
  EXPECT_EQ(difference(func, derivation.current()), "") << print(derivation.current());
  return derivation.current();
}
inline size_t ifs(const PrimFunc& func) {
  return find_all(func, [](const Stmt& s) { return s.as<If>() != nullptr; }).size();
}

}  // namespace hexproof::overcompute_programs
