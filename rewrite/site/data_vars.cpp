#include "rewrite/site/data_vars.h"

namespace hexproof {

bool holds_undef(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Undef;
    return !found;
  });
  return found;
}

namespace {

/// Occurrences, those in a loop twice; counted no further than two.
int occurrences(const Stmt& stmt, const Var& var) {
  int found = 0;
  std::vector<Expr> evaluated = expressions(stmt);
  const AllocBuffer* memory = stmt.as<AllocBuffer>();
  const DeclBuffer* view = stmt.as<DeclBuffer>();
  if (memory || view) {  // its layout, too
    const std::vector<Expr> layout = layout_exprs(memory ? memory->buffer : view->buffer);
    evaluated.insert(evaluated.end(), layout.begin(), layout.end());
  }
  for (const Expr& e : evaluated) {
    if (!e || found > 1) continue;
    const auto count = [&](const auto& self, const Expr& node) -> void {
      found += node->op == Op::Var && node->var() == var;
      for (const Expr& arg : node->args) {
        if (found < 2) self(self, arg);
      }
    };
    count(count, e);
  }
  for (const Stmt& part : children(stmt)) {
    if (!part || found > 1) continue;
    const int below = occurrences(part, var);
    found += stmt.as<For>() ? 2 * below : below;
  }
  return found;
}

}  // namespace

bool evaluates_often(const Stmt& stmt, const Var& var) { return occurrences(stmt, var) > 1; }

}  // namespace hexproof
