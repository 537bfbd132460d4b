#include "rewrite/memory/undef_decides.h"

#include "ir/visit.h"
#include "verify/memory/undef_flow.h"

namespace hexproof {

bool undef_tells_apart(const PrimFunc& func, const Expr& a, const Expr& b) {
  if (a == b || !undef_may_decide(func)) return false;
  const UndefFlow flow = undef_flow(func);
  return carries_undef(a, flow) || carries_undef(b, flow);
}

bool undef_may_decide(const PrimFunc& func) {
  const UndefFlow flow = undef_flow(func);
  if (flow.memory.empty() && flow.vars.empty()) return false;
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) { return !(found = found || decided_by_undef(s, flow)); });
  return found;
}

}  // namespace hexproof
