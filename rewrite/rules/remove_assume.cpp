// remove-assume {}
//
//   T.assume(c)                   ->      (nothing)               all of them, and the loops that are left empty
//
// Side conditions: none. An assume that is false is an error, and nothing else happens at one. But with it goes what
// it said: the function is marked as lowered, and from then on the kernel applies lowering rules only, so that no later
// step is asked to do without what earlier ones relied on.
#include "ir/visit.h"
#include "rewrite/lowering.h"

namespace hexproof {
namespace {

Rewrite remove_assume(const PrimFunc& func, const Args&) {
  bool any = false;
  Rewrite result{.after = lowered(func), .needs = {}};
  result.after.body = rewrite_stmt(func.body, {}, [&](const Stmt& s) {
    any |= s.as<Assume>() != nullptr;
    return s.as<Assume>() ? empty_stmt() : s;
  });
  result.after.body = without_empty(result.after.body);
  if (!any) throw NotApplicable("the function assumes nothing");
  return result;
}

}  // namespace

extern const Rule k_remove_assume{"remove-assume", "T.assume(c)  ->  nothing (lowering)", &remove_assume, true};

}  // namespace hexproof
