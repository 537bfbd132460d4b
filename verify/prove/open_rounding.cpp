#include "verify/prove/open_rounding.h"

#include "ir/visit.h"

namespace hexproof {

namespace {

bool is_sum(const Expr& e) { return (e->op == Op::Add || e->op == Op::Sub) && e->dtype.is_float(); }
bool is_product(const Expr& e) { return e->op == Op::Mul && e->dtype.is_float(); }

/// What is open already, and so is whatever is regrouped with it.
bool is_open(const Expr& e) { return e->op == Op::Call && e->text().starts_with("rounded_"); }

/// An operation over the operands of its operands: "rounded_add_xp#0"(a, b, c) is a + b * c.
Expr opened(const Expr& e) {
  std::string name = e->op == Op::Add ? "rounded_add_" : e->op == Op::Sub ? "rounded_sub_" : "rounded_mul_";
  std::vector<Expr> operands;
  for (const Expr& arg : e->args) {
    const char kind = is_product(arg) ? 'p' : is_sum(arg) ? (arg->op == Op::Add ? 'a' : 's') : 'x';
    name += kind;
    if (kind == 'x') {
      operands.push_back(arg);
    } else {
      operands.insert(operands.end(), arg->args.begin(), arg->args.end());
    }
  }
  return call(e->dtype, name + "#0", std::move(operands));
}

}  // namespace

OpenRounding& OpenRounding::here() {
  static thread_local OpenRounding open;
  return open;
}

OpenRounding open_rounding_of(const PrimFunc& func) {
  return {func.granted("contract"), func.granted("reassoc"), func.granted("nsz")};
}

Expr with_open_rounding(const Expr& e, const OpenRounding& open) {
  if (!open.any()) return e;
  return rewrite_expr(e, [&](const Expr& node) {
    const bool quotient = node->op == Op::Div && node->dtype.is_float();
    if (quotient && open.nsz && (node->args[1]->op != Op::FloatImm || node->args[1]->float_value() == 0)) {
      return call(node->dtype, "rounded_div#0", node->args);
    }
    if (!is_sum(node) && !is_product(node)) return node;
    const Expr &a = node->args[0], &b = node->args[1];
    bool fused = open.contract && is_sum(node) && (is_product(a) || is_product(b));
    bool regrouped = false;
    for (const Expr& arg : {a, b}) {
      regrouped |= is_open(arg) || is_sum(arg) || (is_product(node) && is_product(arg));
    }
    return fused || (open.reassoc && regrouped) ? opened(node) : node;
  });
}

Obligation with_open_rounding(Obligation obligation, const OpenRounding& open) {
  if (!open.any()) return obligation;
  for (Expr& e : obligation.given) e = with_open_rounding(e, open);
  obligation.goal = with_open_rounding(obligation.goal, open);
  return obligation;
}

}  // namespace hexproof
