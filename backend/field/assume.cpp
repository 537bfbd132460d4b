// Assumed conditions: plain logic, in which the left operand guards the right one.
#include <llvm/IR/Constants.h>

#include "backend/field/emitter.h"
#include "ir/visit.h"

namespace hexproof::field {
namespace {

/// Everything that `e` loads is loaded by `before` as well.
bool loads_no_more(const Expr& e, const Expr& before) {
  bool out = true;
  visit_expr(e, [&](const Expr& node) {
    if (node->op != Op::Load) return true;
    bool found = false;
    visit_expr(before, [&](const Expr& other) {
      found = found || other == node;
      return !found;
    });
    out = out && found;
    return true;
  });
  return out;
}

}  // namespace

Emitter::Value Emitter::assumed(const Expr& e) {
  auto known = [&](bool value) { return Value{kBool, false, {b_.getInt1(value)}}; };
  if (e->op == Op::Likely) return assumed(e->args[0]);
  if (e->op == Op::And || e->op == Op::Or) {
    bool decisive = e->op == Op::Or;  // the value of the left operand that decides
    Value left = assumed(e->args[0]);
    if (!left.data) {
      auto right = [&] { return Lanes{assumed(e->args[1])}; };
      auto decided = [&] { return Lanes{known(decisive)}; };
      if (decisive) return either(left.words[0], decided, right)[0];
      return either(left.words[0], right, decided)[0];
    }
    if (!loads_no_more(e->args[1], e->args[0])) {
      unsupported("an assume that reads a cell only where another one allows it", "turn its operands round");
    }
    Value right = assumed(e->args[1]);
    if (right.data) return binary(e->op, left, right);
    return decisive ? select(right, known(true), left) : select(right, left, known(false));
  }
  if (e->op == Op::EQ) {
    // `A[i] == T.undef()` is permission to read, and says nothing.
    if (e->args[0]->op == Op::Undef || e->args[1]->op == Op::Undef) {
      const Expr& cell = e->args[e->args[0]->op == Op::Undef ? 1 : 0];
      // An argument's cells are residues that were chosen; an allocation's would be one choice for all that read them.
      if (cell->op == Op::Load && is_allocated(cell->buffer())) {
        unsupported("a permission to read what may hold anything");
      }
      return known(true);
    }
    Value a = scalar(e->args[0]), b = scalar(e->args[1]), out = binary(Op::EQ, a, b);
    if (!out.data) return out;
    // Equal values are `==`, but for a NaN.
    bool never_nan = !a.type.is_float();
    for (const Value* v : {&a, &b}) {
      auto* constant = v->data ? nullptr : llvm::dyn_cast<llvm::ConstantFP>(v->words[0]);
      never_nan = never_nan || (constant && !constant->isNaN());
    }
    if (!never_nan) return out;
    Value same{kBool, false, {code_.equal(lift(a), lift(b))}};
    return select(same, known(true), out);
  }
  return scalar(e);
}

}  // namespace hexproof::field
