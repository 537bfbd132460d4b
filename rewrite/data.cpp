#include "rewrite/data.h"

namespace hexproof {

std::set<Var> data_vars(const PrimFunc& func) {
  std::set<Var> data;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const LetStmt* l = s.as<LetStmt>(); l && l->var.is_data()) data.insert(l->var);
    if (const Block* b = s.as<Block>()) {
      for (const IterVar& iter : b->iters) {
        if (iter.var.is_data()) data.insert(iter.var);
      }
    }
    return true;
  });
  return data;
}

bool holds_undef(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Undef;
    return !found;
  });
  return found;
}

}  // namespace hexproof
