#include "verify/check/assert_static/state.h"

#include <algorithm>

#include "ir/buffer.h"
#include "ir/interpreter/math.h"
#include "ir/text/text.h"
#include "ir/visit.h"

namespace hexproof {

namespace {

Wide bits_of(const Scalar& s) { return s.type.is_float() ? float_to_bits(s.type, s.d()) : wide_value(s); }

Scalar scalar_of(DType type, Wide bits) {
  return type.is_float() ? float_scalar(type, float_from_bits(type, bits)) : int_scalar(type, bits);
}

bool plain(const Expr& e) { return e->dtype.is_scalar() && !e->dtype.is_handle(); }

}  // namespace

const PreparedFormulas::Formula& PreparedFormulas::of(const Expr& e) {
  auto [it, fresh] = formulas_.try_emplace(e.get());
  Formula& formula = it->second;
  if (fresh) {
    int undefs = 0;
    formula.as_written = e;  // so that no other expression gets its address
    formula.prepared = prepare(e, &undefs);
    formula.undef = undefs > 0;
  }
  return formula;
}

void StateFormulas::bind(const Var& var, Wide value) {
  for (auto& [own, now] : own_) {
    if (own == var) {
      now = value;
      return;
    }
  }
  own_.emplace_back(var, value);
}

void StateFormulas::unbind(const Var& var) {
  std::erase_if(own_, [&](const auto& own) { return own.first == var; });
}

std::optional<Wide> StateFormulas::number_of(const Var& var) const {
  for (const auto& [own, value] : own_) {
    if (own == var) return value;
  }
  std::optional<SeenValue> seen = state_.value(var);
  return seen ? std::optional(bits_of(seen->value)) : std::nullopt;
}

namespace {

std::optional<std::vector<int64_t>> integers(const Expr& e, size_t first, Evaluator& evaluator) {
  std::vector<int64_t> out;
  for (size_t k = first; k < e->args.size(); ++k) {
    Wide value = evaluator.bits(e->args[k]);
    if (!e->args[k]->dtype.is_integer() || !fits_type(kInt64, value)) return std::nullopt;
    out.push_back(static_cast<int64_t>(value));
  }
  return out;
}

}  // namespace

std::optional<Buffer> StateFormulas::in_sight(const Buffer& buffer) {
  if (!buffer->view) return buffer;
  const std::vector<Expr> layout = layout_exprs(buffer);
  for (const auto& [var, value] : own_) {
    if (std::any_of(layout.begin(), layout.end(), [&, &own = var](const Expr& e) { return uses_var(e, own); }))
      return std::nullopt;
  }
  if (!buffer->declared) return buffer;
  const std::vector<Expr> now = layout_exprs(buffer->declared);
  for (size_t k = 0; k < layout.size(); ++k) {
    const std::optional<Wide> there = number(layout[k]);
    if (!there || there != number(now[k])) return std::nullopt;
  }
  return buffer->declared;
}

std::optional<Wide> StateFormulas::load(const Expr& e, Evaluator& evaluator) {
  std::optional<std::vector<int64_t>> indices = integers(e, 0, evaluator);
  const std::optional<Buffer> buffer = in_sight(e->buffer());
  if (!indices || !buffer || !(*buffer)->dtype.is_scalar()) return std::nullopt;
  std::optional<SeenCell> cell = state_.cell(*buffer, *indices, 0);
  return cell && cell->value ? std::optional(bits_of(cell->value->value)) : std::nullopt;
}

std::optional<Wide> StateFormulas::call(const Expr& e, Evaluator& evaluator) {
  if (is_uninterpreted(e->op)) {
    if (!meaning_ || !e->dtype.is_bool() || e->args.empty()) return std::nullopt;
    std::optional<std::vector<int64_t>> arguments = integers(e, 1, evaluator);
    std::optional<bool> known = arguments ? meaning_(e, *arguments) : std::nullopt;
    return known ? std::optional<Wide>(*known) : std::nullopt;
  }
  std::vector<Scalar> values;
  for (const Expr& arg : e->args) {
    if (!plain(arg)) return std::nullopt;
    values.push_back(scalar_of(arg->dtype, evaluator.bits(arg)));
  }
  std::optional<Scalar> value = apply_call(e->text(), e->dtype, values);
  return value ? std::optional(bits_of(*value)) : std::nullopt;
}

Wide StateFormulas::value_of(const Expr& e, Evaluator& evaluator) {
  std::optional<Wide> value = e->op == Op::Var    ? number_of(e->var())
                              : e->op == Op::Load ? load(e, evaluator)
                                                  : call(e, evaluator);
  if (!value) throw Undefined("no value in this run");
  return *value;
}

/// Anything that has no value because nothing is known of it?
bool StateFormulas::mentions_unknown(const Expr& e) {
  if (e->op == Op::StringImm) return false;
  if (!plain(e)) return true;
  if (e->op == Op::Var) return !number_of(e->var());
  if (e->op == Op::Load && !in_sight(e->buffer())) return true;
  if (std::any_of(e->args.begin(), e->args.end(), [&](const Expr& arg) { return mentions_unknown(arg); })) return true;
  if (e->op != Op::Call && !is_uninterpreted(e->op)) return false;
  try {
    Evaluator evaluator(*this);
    return !call(e, evaluator);
  } catch (const Undefined&) {
    return true;
  }
}

Truth StateFormulas::truth(const Expr& formula) {
  const PreparedFormulas::Formula& ready = prepared_.of(formula);
  try {
    return Evaluator(*this).holds(ready.prepared) ? Truth::True : Truth::False;
  } catch (const Undefined&) {
    return ready.undef || mentions_unknown(ready.prepared) ? Truth::Unknown : Truth::NoValue;
  }
}

std::optional<Wide> StateFormulas::number(const Expr& e) {
  if (e->op == Op::IntImm) return int_value(e);
  if (e->op == Op::Var) return plain(e) ? number_of(e->var()) : std::nullopt;
  try {
    return Evaluator(*this).bits(prepared_.of(e).prepared);
  } catch (const Undefined&) {
    return std::nullopt;
  }
}

std::string StateFormulas::values(const Expr& formula) {
  const Expr& e = prepared_.of(formula).prepared;
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
