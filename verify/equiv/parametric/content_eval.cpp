// The value of an expression at a moment.
#include "ir/text/text.h"
#include "verify/equiv/parametric/content.h"

namespace hexproof::parametric {

Expr Content::eval(const Expr& e, const MomentRef& moment) {
  scenario_.spend("too large expressions");
  switch (e->op) {
    case Op::Var: {
      auto it = moment->values.find(e->var());
      return it == moment->values.end() ? e : it->second;
    }
    case Op::IntImm:
    case Op::FloatImm:
    case Op::StringImm:
    case Op::Undef:
      return e;
    case Op::Likely:
      return eval(e->args[0], moment);
    case Op::Select:
    case Op::IfThenElse:
      if (!e->args[0]->dtype.is_scalar()) break;
      return choose(
          chosen(eval(e->args[0], moment)), [&] { return eval(e->args[1], moment); },
          [&] { return eval(e->args[2], moment); });
    case Op::Let: {
      Expr value = chosen(eval(e->args[1], moment));
      return eval(e->args[2], bound(moment, e->args[0]->var(), value));
    }
    case Op::Load:
      return read(e, moment);
    case Op::Ramp:
    case Op::Broadcast:
    case Op::Fits:
      break;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
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
    case Op::Not:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::BitNot:
    case Op::Shl:
    case Op::Shr:
    case Op::Cast:
    case Op::Call: {
      if (!e->dtype.is_scalar()) break;
      std::vector<Expr> args;
      for (const Expr& arg : e->args) args.push_back(chosen(eval(arg, moment)));
      return with_args(e, std::move(args));
    }
  }
  throw Open{"this is not followed where one value is expected: " + hexproof::print(e)};
}

Expr Content::read(const Expr& e, const MomentRef& moment) {
  if (!e->dtype.is_scalar() || !e->buffer()->dtype.is_scalar())
    throw Open{"a vector load is not followed: " + hexproof::print(e)};
  Cell cell{e->buffer(), {}};
  for (const Expr& arg : e->args) {
    Expr index = chosen(eval(arg, moment));
    Expr plain = as_index(index);
    if (!(plain == index) && !is_data(plain) && scenario_.quick(fits(plain))) index = plain;
    cell.indices.push_back(scenario_.tidy(index));
  }
  return chosen(before(moment, cell));
}

}  // namespace hexproof::parametric
