// The value of an expression at a moment.
#include "ir/text/text.h"
#include "verify/equiv/parametric/content.h"
#include "verify/equiv/parametric/evaluation.h"

namespace hexproof::parametric {

Expr Content::eval(const Stmt& stmt, size_t expr, const Expr& e, const MomentRef& moment, const Expr& lane) {
  Place around{stmt.get(), expr, {}, lane};
  std::swap(place_, around);
  struct Back {
    ~Back() { std::swap(place, around); }
    Place &place, &around;
  } back{place_, around};
  return eval(e, moment);
}

Expr Content::operand(const Expr& e, size_t k, const MomentRef& moment) {
  place_.path.push_back(k);
  struct Back {
    ~Back() { path.pop_back(); }
    std::vector<size_t>& path;
  } back{place_.path};
  return eval(e->args[k], moment);
}

Expr Content::computed(const Expr& e, std::vector<Expr> args, const MomentRef& moment) {
  const OpenRounding& open = scenario_.left_open();
  const bool arithmetic = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul || e->op == Op::Div;
  const bool opens = (arithmetic && e->dtype.is_float()) || e->op == Op::Call;  // a call of floats may give an integer
  if (!open.any() || !opens) return with_args(e, std::move(args));
  if (open.reassoc && arithmetic) {
    for (Expr& arg : args) arg = regrouped_operand(arg, open);
  }
  const Expr out = with_args(e, std::move(args));
  if (!left_open(out, open)) return out;
  // Which evaluation it is: the statement, the parts of sequences that stand before it, and the iterations around.
  std::string key = std::to_string(reinterpret_cast<uintptr_t>(place_.stmt)) + ":" + std::to_string(place_.expr);
  for (size_t k : place_.path) key += "." + std::to_string(k);
  std::vector<Expr> iterations;
  if (place_.lane) iterations.push_back(place_.lane);
  for (MomentRef m = moment; m; m = m->outer) {
    if (m->kind == ProgramPoint::Kind::InLoop) iterations.push_back(m->iteration);
    if (m->kind == ProgramPoint::Kind::InSeq) key += "/" + std::to_string(m->ran);
  }
  const size_t number = places_.try_emplace(key, places_.size()).first->second;
  const Expr made = evaluation(side_ + std::to_string(number), out, iterations);
  made_in_.insert_or_assign(made, place_.stmt);
  return made;
}

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
      return operand(e, 0, moment);
    case HEXPROOF_CASES(Choice):
      if (!e->args[0]->dtype.is_scalar()) break;
      return choose(
          chosen(operand(e, 0, moment)), [&] { return operand(e, 1, moment); }, [&] { return operand(e, 2, moment); });
    case Op::Let: {
      Expr value = chosen(operand(e, 1, moment));
      return operand(e, 2, bound(moment, e->args[0]->var(), value));
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
      for (size_t k = 0; k < e->args.size(); ++k) args.push_back(chosen(operand(e, k, moment)));
      return computed(e, std::move(args), moment);
    }
  }
  throw Open{"this is not followed where one value is expected: " + hexproof::print(e)};
}

Expr Content::read(const Expr& e, const MomentRef& moment) {
  if (!e->dtype.is_scalar() || !e->buffer()->dtype.is_scalar())
    throw Open{"a vector load is not followed: " + hexproof::print(e)};
  Cell cell{e->buffer(), {}};
  for (size_t k = 0; k < e->args.size(); ++k) {
    Expr index = chosen(operand(e, k, moment));
    Expr plain = as_index(index);
    if (!(plain == index) && !is_data(plain) && scenario_.quick(fits(plain))) index = plain;
    cell.indices.push_back(scenario_.tidy(index));
  }
  return chosen(before(moment, cell));
}

}  // namespace hexproof::parametric
