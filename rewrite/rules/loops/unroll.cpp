// unroll {at: loop}
//
//   for i in [m, m + n): S(i)     ->     for i in T.unroll(m, m + n): S(i)
//
// Side conditions: none. An unrolled loop runs its iterations in order, as a serial one does; the code generator
// writes them out. The loop must be serial (checked here).
#include "rewrite/rules/args/loops.h"
#include "rewrite/rules/loops/loop_kind.h"

namespace hexproof {
namespace {

Rewrite unroll(const PrimFunc& func, const UnrollArgs& args) {
  return with_kind("unroll", func, args.at, ForKind::Unrolled);
}

}  // namespace

extern const Rule k_unroll{rule<unroll>("for i: S  ->  for i in T.unroll: S")};

}  // namespace hexproof
