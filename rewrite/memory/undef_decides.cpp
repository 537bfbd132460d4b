#include "rewrite/memory/undef_decides.h"

#include "ir/visit.h"
#include "verify/memory/undef_flow.h"

namespace hexproof {
namespace {

/// What of a statement decides what runs, or where.
std::vector<Expr> deciding(const Stmt& stmt) {
  if (const Store* store = stmt.as<Store>()) return store->indices;
  if (stmt.as<Assume>() || stmt.as<Evaluate>() || stmt.as<LetStmt>()) return {};
  if (const Block* block = stmt.as<Block>()) {
    return block->predicate ? std::vector<Expr>{block->predicate} : std::vector<Expr>{};
  }
  return expressions(stmt);
}

}  // namespace

bool undef_tells_apart(const PrimFunc& func, const Expr& a, const Expr& b) {
  if (a == b || !undef_may_decide(func)) return false;
  const UndefFlow flow = undef_flow(func);
  return carries_undef(a, flow) || carries_undef(b, flow);
}

bool undef_may_decide(const PrimFunc& func) {
  const UndefFlow flow = undef_flow(func);
  if (flow.memory.empty() && flow.vars.empty()) return false;
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    for (const Expr& e : deciding(s)) found |= e && carries_undef(e, flow);
    if (!s.as<Assume>()) {
      for (const Expr& e : expressions(s)) found |= e && decided_by_undef(e, flow);
    }
    return !found;
  });
  return found;
}

}  // namespace hexproof
