// unroll {at: loop}
//
//   for i in [m, m + n): S(i)     ->     for i in T.unroll(m, m + n): S(i)
//
// Side conditions: none. An unrolled loop runs its iterations in order, as a serial one does; the code generator
// writes them out. The loop must be serial (checked here).
#include "rewrite/rules/loop_kind.h"

namespace hexproof {
namespace {

Rewrite unroll(const PrimFunc& func, const Args& args) {
  return with_kind("unroll", func, arg<Path>(args, "at"), ForKind::Unrolled);
}

}  // namespace

extern const Rule k_unroll{"unroll", "for i: S  ->  for i in T.unroll: S", &unroll};

}  // namespace hexproof
