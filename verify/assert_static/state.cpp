#include "verify/assert_static/state.h"

#include "ir/buffer.h"
#include "ir/interpreter/math.h"
#include "ir/text.h"

namespace hexproof {

namespace {

Wide bits_of(const Scalar& s) { return s.type.is_float() ? float_to_bits(s.type, s.d()) : wide_value(s); }

Scalar scalar_of(DType type, Wide bits) {
  return type.is_float() ? float_scalar(type, float_from_bits(type, bits)) : int_scalar(type, bits);
}

bool plain(const Expr& e) { return e->dtype.is_scalar() && !e->dtype.is_handle(); }

}  // namespace

void StateFormulas::bind(const Var& var, Wide value) {
  own_[var] = value;
  valuation_ = {};
  gathered_.clear();
}

void StateFormulas::unbind(const Var& var) {
  own_.erase(var);
  valuation_ = {};
  gathered_.clear();
}

Expr StateFormulas::prepared(const Expr& e) {
  int undefs = 0;
  Expr out = prepare(e, &undefs);
  unknown_ = undefs > 0;
  gather(out);
  return out;
}

/// Operands first, so that an index has its value when the load is looked up.
void StateFormulas::gather(const Expr& e) {
  if (!plain(e) && e->op != Op::StringImm) unknown_ = true;
  if (e->op == Op::Var) {
    if (!plain(e) || valuation_.vars.count(e->var())) return;
    if (auto own = own_.find(e->var()); own != own_.end()) {
      valuation_.vars[e->var()] = own->second;
    } else if (std::optional<SeenValue> seen = state_.value(e->var())) {
      valuation_.vars[e->var()] = bits_of(seen->value);
    } else {
      unknown_ = true;
    }
    return;
  }
  for (const Expr& arg : e->args) gather(arg);
  if (e->op == Op::Load && plain(e)) gather_load(e);
  if (e->op == Op::Call && plain(e) && e->text() != kSameBits) gather_call(e);
}

std::optional<std::vector<int64_t>> StateFormulas::integers(const std::vector<Expr>& list, size_t first) {
  std::vector<int64_t> out;
  for (size_t k = first; k < list.size(); ++k) {
    try {
      Wide value = Evaluator(valuation_).bits(list[k]);
      if (!list[k]->dtype.is_integer() || !fits_type(kInt64, value)) return std::nullopt;
      out.push_back(static_cast<int64_t>(value));
    } catch (const Undefined&) {
      return std::nullopt;
    }
  }
  return out;
}

void StateFormulas::gather_load(const Expr& e) {
  if (auto it = gathered_.find(e); it != gathered_.end()) return;
  bool& has_value = gathered_[e] = false;
  std::optional<std::vector<int64_t>> indices = integers(e->args, 0);
  if (!indices || !e->buffer()->dtype.is_scalar()) return;
  std::optional<SeenCell> cell = state_.cell(e->buffer(), *indices, 0);
  if (!cell || !cell->value) return;
  valuation_.terms[e] = bits_of(cell->value->value);
  has_value = true;
}

void StateFormulas::gather_call(const Expr& e) {
  if (auto it = gathered_.find(e); it != gathered_.end()) {
    unknown_ |= !it->second;
    return;
  }
  bool& has_value = gathered_[e] = false;
  if (e->text().find('#') != std::string::npos) {
    std::optional<std::vector<int64_t>> arguments;
    if (meaning_ && e->dtype.is_bool() && !e->args.empty()) arguments = integers(e->args, 1);
    std::optional<bool> known = arguments ? meaning_(e, *arguments) : std::nullopt;
    if (known) valuation_.terms[e] = *known, has_value = true;
  } else {
    std::vector<Scalar> values;
    try {
      for (const Expr& arg : e->args) {
        if (!plain(arg)) throw Undefined("no function of values");
        values.push_back(scalar_of(arg->dtype, Evaluator(valuation_).bits(arg)));
      }
      if (std::optional<Scalar> value = apply_call(e->text(), e->dtype, values)) {
        valuation_.terms[e] = bits_of(*value);
        has_value = true;
      }
    } catch (const Undefined&) {
    }
  }
  unknown_ |= !has_value;
}

Truth StateFormulas::truth(const Expr& formula) {
  Expr e = prepared(formula);
  try {
    return Evaluator(valuation_).holds(e) ? Truth::True : Truth::False;
  } catch (const Undefined&) {
    return unknown_ ? Truth::Unknown : Truth::NoValue;
  }
}

std::optional<Wide> StateFormulas::number(const Expr& e) {
  Expr ready = prepared(e);
  try {
    return Evaluator(valuation_).bits(ready);
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

std::string StateFormulas::values(const Expr& formula) {
  Expr e = prepared(formula);
  std::string out;
  std::map<std::string, std::string> seen;
  visit_expr(e, [&](const Expr& node) {
    bool leaf = (node->op == Op::Var || node->op == Op::Load) && plain(node);
    if (!leaf) return true;
    std::optional<Wide> value = number(node);
    std::string text = "no value";
    if (value && node->dtype.is_float()) text = std::to_string(float_from_bits(node->dtype, *value));
    if (value && !node->dtype.is_float()) text = to_string(*value);
    if (seen.emplace(print(node), text).second) out += (out.empty() ? "" : ", ") + print(node) + " = " + text;
    return true;
  });
  return out;
}

}  // namespace hexproof
