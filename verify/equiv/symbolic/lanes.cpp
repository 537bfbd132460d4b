// Vectors in a symbolic run: lane by lane.
#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {

std::vector<Scalar> Executor::numbers(const Code* e) {
  if (e->type.is_scalar()) return {number(e)};
  const size_t lanes = e->type.lanes;
  std::vector<Scalar> out;
  for (Term t : terms(e)) out.push_back(t_.value(t));
  HEXPROOF_CHECK(out.size() == lanes, "lanes of a vector");
  return out;
}

std::vector<Term> Executor::terms(const Code* e) {
  if (e->type.is_scalar()) return {term(e)};
  const size_t lanes = e->type.lanes;
  const DType element = e->type.element();
  std::vector<Term> out(lanes);
  auto at = [](const auto& list, size_t i) { return list[list.size() == 1 ? 0 : i]; };
  switch (e->op) {
    case Op::Var:
      if (e->data) return value_lanes_[e->slot];
      for (size_t i = 0; i < lanes; ++i) out[i] = t_.constant(scalar_lanes_[e->slot][i]);
      return out;
    case Op::Undef:
      for (Term& t : out) t = t_.undef(element, undefs_++ * 2 + side_);
      return out;
    case HEXPROOF_CASES(Arithmetic):
    case HEXPROOF_CASES(Comparison):
    case Op::And:
    case Op::Or:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift): {
      if (!e->data) {
        std::vector<Scalar> a = numbers(e->args[0]), b = numbers(e->args[1]);
        for (size_t i = 0; i < lanes; ++i) {
          ScalarResult r = apply_binary(e->op, a[i], b[i], e->source->wraps ? Arith::Data : Arith::Index);
          if (!r) faults::operation(r.error, e->op, a[i], b[i]);
          out[i] = t_.constant(r.value);
        }
        return out;
      }
      if (may_wrap(e->op, e->type) && !e->source->wraps) {
        throw Unsupported(current_->stmt->span, "T.nowrap on vectors of a buffer's content");
      }
      std::vector<Term> a = terms(e->args[0]), b = terms(e->args[1]);
      for (size_t i = 0; i < lanes; ++i) out[i] = binary(e->op, a[i], b[i]);
      return out;
    }
    case Op::Not:
    case Op::BitNot: {
      std::vector<Term> a = terms(e->args[0]);
      for (size_t i = 0; i < lanes; ++i) out[i] = t_.unary(e->op, a[i]);
      return out;
    }
    case Op::Select: {
      std::vector<Term> c = terms(e->args[0]), yes = terms(e->args[1]), no = terms(e->args[2]);
      for (size_t i = 0; i < lanes; ++i) out[i] = t_.select(at(c, i), yes[i], no[i]);
      return out;
    }
    case Op::IfThenElse: {
      Term c = condition(e->args[0]);
      std::vector<Term> yes, no;
      Ways ways = fork(
          c, [&] { yes = terms(e->args[1]); }, [&] { no = terms(e->args[2]); });
      if (ways != Ways::Both) return ways == Ways::First ? yes : no;
      for (size_t i = 0; i < lanes; ++i) out[i] = t_.select(c, yes[i], no[i]);
      return out;
    }
    case Op::Cast: {
      std::vector<Term> a = terms(e->args[0]);
      for (size_t i = 0; i < lanes; ++i) out[i] = cast(element, a[i]);
      return out;
    }
    case Op::Let:
      bind(e->slot, e->args[1]->data, e->args[1]);
      return terms(e->args[2]);
    case Op::Load:
      return load(e);
    case Op::Ramp: {
      if (!e->data) {
        Scalar base = number(e->args[0]), stride = number(e->args[1]);
        for (size_t i = 0; i < lanes; ++i) {
          ScalarResult r = ramp_lane(base, stride, static_cast<int>(i), e->source->wraps ? Arith::Data : Arith::Index);
          if (!r) faults::operation(r.error, Op::Ramp, base, stride);
          out[i] = t_.constant(r.value);
        }
        return out;
      }
      if (!e->source->wraps) throw Unsupported(current_->stmt->span, "T.nowrap on vectors of a buffer's content");
      Term base = term(e->args[0]), stride = term(e->args[1]);
      for (size_t i = 0; i < lanes; ++i) {
        Term step = t_.binary(Op::Mul, stride, t_.constant(int_scalar(element, static_cast<int>(i))));
        out[i] = t_.binary(Op::Add, base, step);
      }
      return out;
    }
    case Op::Broadcast:
      return std::vector<Term>(lanes, term(e->args[0]));
    case Op::Likely:
      return terms(e->args[0]);
    case Op::Call: {
      if (!acts_on_each_lane(*e->source))
        throw Unsupported(current_->stmt->span, "the call of " + e->source->text() + " on vectors");
      std::vector<std::vector<Term>> args;
      for (const Code* a : e->args) args.push_back(terms(a));
      for (size_t i = 0; i < lanes; ++i) {
        std::vector<Term> lane;
        for (const auto& a : args) lane.push_back(at(a, i));
        out[i] = call(e, lane);
      }
      return out;
    }
    case HEXPROOF_CASES(Constant):
    case HEXPROOF_CASES(ProofOnly):
      break;
  }
  throw Unsupported(current_->stmt->span, "a vector of the kind " + std::string(info(e->op).name));
}

}  // namespace hexproof::symbolic
