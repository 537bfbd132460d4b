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

}  // namespace hexproof
