#include "verify/equiv/symbolic/evaluate.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "ir/float_format.h"
#include "ir/interpreter/math.h"

namespace hexproof::symbolic {

std::vector<Term> reachable(const Terms& terms, const std::vector<Term>& roots) {
  if (roots.size() > terms.size() / 64) {
    std::vector<bool> in(terms.size(), false);
    for (Term t : roots) in[t] = true;
    std::vector<Term> out;
    for (Term t = terms.size(); t-- > 0;) {
      if (!in[t]) continue;
      out.push_back(t);
      for (int i = 0; i < terms.arity(t); ++i) in[terms.arg(t, i)] = true;
    }
    std::reverse(out.begin(), out.end());
    return out;
  }
  std::unordered_set<Term> seen(roots.begin(), roots.end());
  std::vector<Term> out(seen.begin(), seen.end()), open = out;
  while (!open.empty()) {
    Term t = open.back();
    open.pop_back();
    for (int i = 0; i < terms.arity(t); ++i) {
      Term a = terms.arg(t, i);
      if (seen.insert(a).second) out.push_back(a), open.push_back(a);
    }
  }
  std::sort(out.begin(), out.end());  // operands are made before what is made of them
  return out;
}

Evaluation::Evaluation(const Terms& terms, const std::vector<Term>& roots)
    : terms_(terms), order_(reachable(terms, roots)), values_(order_.size()) {
  place_.resize(order_.empty() ? 0 : order_.back() + 1);
  for (size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = static_cast<uint32_t>(i);
}

uint64_t Evaluation::compute(Term t) {
  const DType type = terms_.type(t);
  const int n = terms_.arity(t);
  if (terms_.op(t) == Op::Select) return at(terms_.arg(t, at(terms_.arg(t, 0)).truth() ? 1 : 2)).bits;
  if (terms_.op(t) == Op::Cast) {
    ScalarResult r = apply_cast(type, at(terms_.arg(t, 0)));
    return r ? r.value.bits : 0;
  }
  if (terms_.is_evaluation(t)) return at(terms_.arg(t, 0)).bits;  // as written: one of its values
  if (terms_.op(t) == Op::Call) {
    std::vector<Scalar> args;
    for (int i = 0; i < n; ++i) args.push_back(at(terms_.arg(t, i)));
    exact_ = false;
    if (auto value = apply_call(terms_.name(t), type, args)) return value->bits;
    made_up_ = true;
    uint64_t h = std::hash<std::string>()(terms_.name(t));
    for (const Scalar& s : args) h = (h ^ s.bits) * 0x9e3779b97f4a7c15ull;
    return arbitrary_scalar(type, h).bits;
  }
  if (n == 1) return apply_unary(terms_.op(t), at(terms_.arg(t, 0))).bits;
  ScalarResult r = apply_binary(terms_.op(t), at(terms_.arg(t, 0)), at(terms_.arg(t, 1)), Arith::Data);
  if (r && type.is_float()) {
    double v = r.value.d(), most = std::ldexp(1.0, std::min(float_format(type).stored(), 20));
    if (terms_.op(t) == Op::Div || std::trunc(v) != v || std::fabs(v) > most) exact_ = false;
  }
  return r ? r.value.bits : 0;
}

void Evaluation::run(const std::vector<Scalar>& inputs, uint64_t undef_seed) {
  made_up_ = false;
  exact_ = true;
  for (size_t i = 0; i < order_.size(); ++i) {
    Term t = order_[i];
    switch (terms_.op(t)) {
      case Op::IntImm:
        values_[i] = terms_.value(t).bits;
        break;
      case Op::Var:
        values_[i] = inputs[terms_.number(t)].bits;
        break;
      case Op::Undef:
        values_[i] = arbitrary_scalar(terms_.type(t), undef_seed * 0x9e3779b97f4a7c15ull + terms_.number(t)).bits;
        break;
      case Op::FloatImm:
      case Op::StringImm:
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case HEXPROOF_CASES(Boolean):
      case HEXPROOF_CASES(Bits):
      case HEXPROOF_CASES(Choice):
      case HEXPROOF_CASES(Other):
      case HEXPROOF_CASES(Vector):
      case HEXPROOF_CASES(ProofOnly):
        values_[i] = compute(t);
        break;
    }
  }
}

}  // namespace hexproof::symbolic
