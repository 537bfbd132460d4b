// vectorize {at: loop}
//
//   for i in [m, m + n): S(i)     ->     for i in T.vectorized(m, m + n): S(i)
//
// Side conditions
//  1. The loop is serial and n is a constant from 1 to 4096, so that a vector can hold it (checked here).
//  2. For all p < q: no access of S(p) and access of S(q) touch one cell with one of them writing. Accumulations into
//     one cell conflict too.
//  3. Where S holds an assume, S is free of errors without those of earlier iterations.
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/loops/loop_kind.h"

namespace hexproof {
namespace {

Rewrite vectorize(const PrimFunc& func, const VectorizeArgs& args) {
  const Path& at = args.at;
  const int64_t* lanes = as_int(record_at<For>(func, at, "a loop").extent);
  if (!lanes || *lanes < 1 || *lanes > 4096) throw NotApplicable("the extent is no constant number of lanes");
  return with_kind("vectorize", func, at, ForKind::Vectorized);
}

}  // namespace

extern const Rule k_vectorize{rule<vectorize>("for i: S  ->  for i in T.vectorized: S")};

}  // namespace hexproof
