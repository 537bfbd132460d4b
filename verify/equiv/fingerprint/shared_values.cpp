#include "verify/equiv/fingerprint/shared_values.h"

#include <set>

#include "ir/visit.h"

namespace hexproof {
namespace {

bool is_leaf(const Expr& e) {
  return e->op == Op::Load || e->op == Op::Var || e->op == Op::FloatImm || e->op == Op::Undef;
}

bool is_computed(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->dtype.is_float() && !is_leaf(node);
    return !found;
  });
  return found;
}

}  // namespace

bool uses_a_value_twice(const PrimFunc& func) {
  std::set<Var> computed;  // memory that holds such values
  bool twice = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>(); store && is_computed(store->value)) computed.insert(store->buffer->data);
    if (const LetStmt* let = s.as<LetStmt>()) twice |= is_computed(let->value);
    return true;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    visit_expr(e, [&](const Expr& node) {
      if (node->op == Op::Let) twice |= is_computed(node->args[1]);
      if (node->op == Op::Broadcast) twice |= is_computed(node);
      return true;
    });
  });
  // Where each load stands: one alone may be that of the accumulation of its store.
  visit_stmt(func.body, [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    size_t own = 0;
    for (const Expr& e : expressions(s)) {
      if (!e) continue;
      visit_expr(e, [&](const Expr& node) {
        if (node->op != Op::Load || !computed.count(node->buffer()->data)) return true;
        const bool accumulates = store && node->buffer() == store->buffer && node->args == store->indices;
        twice |= !accumulates || ++own > 1;
        return true;
      });
    }
    return true;
  });
  return twice;
}

}  // namespace hexproof
