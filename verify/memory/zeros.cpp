#include "verify/memory/zeros.h"

#include <algorithm>
#include <cmath>

#include "ir/base/mutant.h"
#include "ir/float_format.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

Expr not_minus_zero(const Expr& load) { return lnot(same_bits(load, fimm(load->dtype, -0.0))); }

bool never_minus_zero(const Expr& e) {
  if (!e->dtype.is_float() || !e->dtype.is_scalar()) return false;
  auto arg = [&](size_t k) { return never_minus_zero(e->args[k]); };
  if (e->op == Op::FloatImm)
    return !(HEXPROOF_MUTANT("content/minus-zero", e->float_value() == 0.0, false) && std::signbit(e->float_value()));
  if (e->op == Op::Add) return arg(0) || arg(1);
  if (e->op == Op::Sub) return arg(0);  // x - y is x + (-y)
  if (e->op == Op::Min || e->op == Op::Max) return arg(0) && arg(1);
  if (e->op == Op::Select || e->op == Op::IfThenElse) return arg(1) && arg(2);
  if (e->op == Op::Cast) {
    const DType& from = e->args[0]->dtype;
    // An integer has one zero. A number that the type does not hold may become a zero.
    return !from.is_float() || (float_format(e->dtype).holds_all_of(float_format(from)) && arg(0));
  }
  return false;
}

bool keeps_sign(const MemoryFact& fact, const Expr& cell, const Access& access) {
  if (!fact.not_minus_zero || fact.triggers.empty() || !(fact.triggers[0] == cell)) return false;
  const Store* store = access.stmt.as<Store>();
  if (!store || !(store->buffer == access.buffer) || !(store->buffer == cell->buffer())) return false;
  bool sum = store->value->op == Op::Add && store->value->dtype.is_scalar();
  if (!sum && !never_minus_zero(store->value)) return false;
  // What the conditions of the fact read may become another value, and then it says something else.
  for (const Expr& other : fact.cells) {
    if (!(other == cell) && may_alias(other->buffer(), cell->buffer())) return false;
  }
  for (const Expr& condition : fact.when) {
    bool reads = false;
    visit_nodes(condition, [&](const Expr& e) {
      reads |= e->op == Op::Load && may_alias(e->buffer(), cell->buffer());
      return !reads;
    });
    if (reads) return false;
  }
  return never_minus_zero(store->value) ||
         std::any_of(store->value->args.begin(), store->value->args.end(), [&](const Expr& e) {
           return e->op == Op::Load && e->buffer() == store->buffer && e->args == store->indices &&
                  std::none_of(e->args.begin(), e->args.end(),
                               [](const Expr& index) { return chooses(index, OpenRounding::here()); });
         });
}

}  // namespace hexproof
