// parallelize {at: loop}
//
//   for i in [m, m + n): S(i)     ->     for i in T.parallel(m, m + n): S(i)
//
// Side conditions
//  1. The loop is serial (checked here).
//  2. For all p < q: no access of S(p) and access of S(q) touch one cell with one of them writing. Accumulations into
//     one cell conflict too.
//  3. Where S holds an assume, S is free of errors without those of earlier iterations.
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/loops/loop_kind.h"

namespace hexproof {
namespace {

Rewrite parallelize(const PrimFunc& func, const ParallelizeArgs& args) {
  return with_kind("parallelize", func, args.at, ForKind::Parallel);
}

}  // namespace

extern const Rule k_parallelize{rule<parallelize>("for i: S  ->  for i in T.parallel: S")};

}  // namespace hexproof
