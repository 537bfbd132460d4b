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
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::FloorDiv:
    case Op::FloorMod:
    case Op::TruncDiv:
    case Op::TruncMod:
    case Op::Min:
    case Op::Max:
    case Op::EQ:
    case Op::NE:
    case Op::LT:
    case Op::LE:
    case Op::GT:
    case Op::GE:
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Shl:
    case Op::Shr: {
      Scalar b = int_scalar(e->args[1]->dtype, int_value(e->args[1]));
      ScalarResult result = apply_binary(e->op, a, b, e->wraps ? Arith::Data : Arith::Index);
      return result ? constant(result.value) : Expr{};
    }
    case Op::Var:
    case Op::IntImm:
    case Op::FloatImm:
    case Op::StringImm:
    case Op::Undef:
    case Op::Div:
    case Op::Select:
    case Op::IfThenElse:
    case Op::Let:
    case Op::Load:
    case Op::Ramp:
    case Op::Broadcast:
    case Op::Call:
    case Op::Fits:
      return {};
  }
  internal_error(__FILE__, __LINE__, "no such operator");
}

}  // namespace hexproof
