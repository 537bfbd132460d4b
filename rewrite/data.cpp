#include "rewrite/data.h"

namespace hexproof {

bool reads_data(const Expr& e, const std::set<Var>& data) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Load || node->op == Op::Call || node->op == Op::Undef ||
             (node->op == Op::Var && data.count(node->var()) > 0);
    return !found;
  });
  return found;
}

std::set<Var> data_vars(const PrimFunc& func) {
  std::set<Var> data;
  visit_stmt(func.body, [&](const Stmt& s) {  // outside in: a binding only mentions what is bound around it
    if (const LetStmt* l = s.as<LetStmt>(); l && reads_data(l->value, data)) data.insert(l->var);
    if (const Block* b = s.as<Block>()) {
      for (const IterVar& iter : b->iters) {
        if (reads_data(iter.binding, data)) data.insert(iter.var);
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

void hide_data_vars(const std::set<Var>& data, std::vector<Obligation>* needs) {
  if (data.empty()) return;
  for (Obligation& need : *needs) {
    VarMap opaque;
    auto hide = [&](Expr& e) {
      for (const Var& v : free_vars(e)) {
        if (!data.count(v) || opaque.count(v)) continue;
        opaque.emplace(v, call(v.dtype(), "opaque." + std::to_string(opaque.size()), {}));
      }
      e = substitute(e, opaque);
    };
    for (Expr& e : need.given) hide(e);
    hide(need.goal);
  }
}

}  // namespace hexproof
