// Constant folding, with the one meaning of operators.
#include "ir/interpreter/scalar_ops.h"
#include "rewrite/expr_rules/match.h"

namespace hexproof {

namespace {
Expr constant(const Scalar& s) { return s.type.is_float() ? fimm(s.type, s.d()) : imm(s.type, wide_value(s)); }
}  // namespace

Expr fold_operation(const Expr& e) {
  if (e->args.empty() || e->args.size() > 2 || !e->dtype.is_scalar()) return {};
  for (const Expr& arg : e->args) {
    if (arg->op != Op::IntImm) return {};
  }
  Scalar a = int_scalar(e->args[0]->dtype, int_value(e->args[0]));
  switch (e->op) {
    case Op::Not:
    case Op::BitNot:
      return constant(apply_unary(e->op, a));
    case Op::Likely:
      return e->args[0];
    case Op::Cast:
      return constant(apply_cast(e->dtype, a).value);
    case HEXPROOF_CASES(Ring):
    case HEXPROOF_CASES(IntegerDivision):
    case HEXPROOF_CASES(MinMax):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      Scalar b = int_scalar(e->args[1]->dtype, int_value(e->args[1]));
      ScalarResult result = apply_binary(e->op, a, b, e->wraps ? Arith::Data : Arith::Index);
      return result ? constant(result.value) : Expr{};
    }
    case HEXPROOF_CASES(Leaf):
    case Op::Div:
    case HEXPROOF_CASES(Choice):
    case Op::Let:
    case Op::Load:
    case HEXPROOF_CASES(Vector):
    case Op::Call:
    case HEXPROOF_CASES(ProofOnly):
      return {};
  }
  internal_error(__FILE__, __LINE__, "no such operator");
}

}  // namespace hexproof
