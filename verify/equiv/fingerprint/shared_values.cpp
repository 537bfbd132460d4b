#include "verify/equiv/fingerprint/shared_values.h"

#include <algorithm>
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
    // A function of a float may see the sign of a zero, which `nsz` leaves open.
    for (const Expr& arg : node->args) found |= node->op == Op::Call && arg->dtype.is_float();
    return !found;
  });
  return found;
}

/// Has an operand that was computed, and has one lane, a part in every lane of the result?
bool spreads_computed(const ExprNode& e) {
  return !e.dtype.is_scalar() && std::any_of(e.args.begin(), e.args.end(), [](const Expr& arg) {
    return arg->dtype.is_scalar() && is_computed(arg);
  });
}

}  // namespace

bool uses_a_value_twice(const PrimFunc& func) {
  std::set<Var> computed;  // memory that holds such values
  bool twice = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>(); store && is_computed(store->value)) computed.insert(store->buffer->data);
    // What a branch, a loop, a binding or a let evaluates decides, or is, all that stands below it.
    if (!s.as<Store>() && !s.as<Evaluate>()) {
      for (const Expr& e : expressions(s)) twice |= e && is_computed(e);
    }
    return true;
  });
  visit_all_exprs(func.body, [&](const Expr& e) {
    visit_expr(e, [&](const Expr& node) {
      if (node->op == Op::Let) twice |= is_computed(node->args[1]);
      twice |= spreads_computed(*node);
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
