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
    case HEXPROOF_CASES(Constant):
    case Op::Undef:
      return e;
    case Op::Likely:
      return eval(e->args[0], moment);
    case HEXPROOF_CASES(Choice):
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
    case HEXPROOF_CASES(Vector):
    case Op::Fits:
    case Op::SameBits:
      break;
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case HEXPROOF_CASES(Boolean):
    case HEXPROOF_CASES(Bits):
    case Op::Cast:
    case Op::Call:
    case HEXPROOF_CASES(Uninterpreted): {
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
