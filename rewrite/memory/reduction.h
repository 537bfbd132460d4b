// A reduction as a nest: C[f(s)] = C[f(s)] op e(s, r), in a block, right inside of loops of which each starts at 0.
#pragma once
#include <vector>

#include "rewrite/memory/cache_stage.h"
#include "rewrite/site/nest.h"

namespace hexproof {

struct Reduction {
  Path nest_path;
  Nest nest;
  Block block;
  Store store;
  Op op;
  Expr term;                    // e, over the variables of the block
  VarMap bound = {};            // variable of the block -> its binding
  std::vector<Expr> cell = {};  // f, over the loops
  std::vector<bool> is_s = {};  // per loop: does f speak of it
};

/// The reduction whose loops stand around `at`, or start there. The loops are one perfect nest, serial or unrolled,
/// which is a stage, with bounds of their own; the block has one store, and no predicate; e reads nothing of C and
/// holds no undef; f, bindings and bounds read no memory. NotApplicable otherwise.
Reduction reduction_around(const PrimFunc& func, const Path& at);

/// Obligations: every loop of r runs at least once; the init, if there is one, runs in the first iteration of r and in
/// no other, and uses none of r; different iterations of s have different cells. NotApplicable where the init reads C.
void owe_reduction(const std::string& rule, const PrimFunc& func, const Reduction& reduction, const Facts& facts,
                   std::vector<Obligation>* needs);
/// The ranges of the loops of s, on top of what is known.
std::vector<Expr> given_in_s(const Facts& facts, const Reduction& reduction);

struct LoopCopies {
  std::vector<For> loops;
  VarMap names;  // old variable -> new one
};
/// Serial copies of those loops of the nest for which `wanted` holds.
LoopCopies loop_copies(const Nest& nest, const std::vector<bool>& wanted);
Stmt loops_over(const std::vector<For>& loops, Stmt body);

}  // namespace hexproof
