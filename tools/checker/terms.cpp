#include "tools/checker/terms.h"

#include "ir/visit.h"

namespace hexproof::checker {
namespace {

std::string apply(const std::string& op, const std::string& a, const std::string& b) {
  return "(" + op + " " + a + " " + b + ")";
}
std::string in_range(const std::string& value, DType type) {
  return "(and (<= " + numeral(min_value(type)) + " " + value + ") (<= " + value + " " + numeral(max_value(type)) +
         "))";
}
bool constant(const Expr& e, Wide* value = nullptr) {
  if (e->op == Op::Broadcast) return constant(e->args[0], value);
  if (e->op != Op::IntImm) return false;
  if (value) *value = int_value(e);
  return true;
}
/// 2^n for n below the width of an integer type.
std::string power(Wide n) { return numeral(Wide{1} << n); }

}  // namespace

bool has_term(DType type) { return type.is_integer() || type.is_bool(); }

std::string numeral(Wide value) { return value < 0 ? "(- " + to_string(-value) + ")" : to_string(value); }

std::string conjunction(const std::vector<std::string>& parts) {
  if (parts.empty()) return "true";
  if (parts.size() == 1) return parts[0];
  std::string out = "(and";
  for (const std::string& part : parts) out += " " + part;
  return out + ")";
}

std::string is_below(const std::string& value, const std::string& bound) {
  return "(and (<= 0 " + value + ") (< " + value + " " + bound + "))";
}

std::string all_equal(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::vector<std::string> out;
  for (size_t k = 0; k < a.size(); ++k) out.push_back(apply("=", a[k], b[k]));
  return conjunction(out);
}

void Terms::back_to(const Mark& mark) {
  while (execution == 0 && declared_.size() > mark.declared) {
    named_.erase(declared_.back().second);
    declared_.pop_back();
  }
  known_.resize(mark.known);
  if (execution == 0) loads_ = mark.loads;
}

void Terms::forget_cells(const std::set<uint32_t>& memories) {
  std::erase_if(loads_, [&](const auto& load) { return memories.count(memory_of_.at(load.first)) > 0; });
}

std::string Terms::named(const std::string& text, const std::function<std::string(const std::string&)>& line) {
  auto [found, is_new] = named_.emplace(text, "t" + std::to_string(fresh_));
  if (is_new) ++fresh_, declared_.emplace_back(line(found->second), text);
  return found->second;
}

std::string Terms::define(const char* sort, const std::string& text) {
  return named(text,
               [&](const std::string& name) { return "(define-fun " + name + " () " + sort + " " + text + ")\n"; });
}

std::string Terms::any(DType type) {
  ++opened_;
  const std::string name = "c" + std::to_string(fresh_++);
  std::string line = "(declare-const " + name + (type.is_bool() ? " Bool)\n" : " Int)\n");
  if (!type.is_bool()) line += "(assert " + in_range(name, type.element()) + ")\n";
  declared_.emplace_back(line, name);
  return name;
}

/// The number of the lane that a vector's term is the value of: one for all vectors of that many lanes.
std::string Terms::lane(int lanes) {
  const std::string text = "lane of " + std::to_string(lanes) + " in " + std::to_string(execution);
  return named(text, [&](const std::string& name) {
    return "(declare-const " + name + " Int)\n(assert " + is_below(name, std::to_string(lanes)) + ")\n";
  });
}

std::string Terms::wrapped(DType type, const std::string& value) {
  const std::string all = power(type.bits);
  if (type.is_uint()) return apply("mod", value, all);
  const std::string half = power(type.bits - 1);
  return "(- (mod (+ " + value + " " + half + ") " + all + ") " + half + ")";
}

std::string Terms::exact(const Expr& e) {
  if (e->op == Op::Ramp) linear_ &= e->args[1]->op == Op::IntImm;
  if (e->op == Op::Ramp) return apply("+", term(e->args[0]), apply("*", term(e->args[1]), lane(e->dtype.lanes)));
  const std::string a = term(e->args[0]);
  if (e->op == Op::Shl) {
    Wide by = 0;
    return constant(e->args[1], &by) && by >= 0 && by < e->dtype.bits ? apply("*", a, power(by)) : any(e->dtype);
  }
  if (e->op == Op::Mul && !constant(e->args[0]) && !constant(e->args[1])) linear_ = false;
  return apply(e->op == Op::Add ? "+" : e->op == Op::Sub ? "-" : "*", a, term(e->args[1]));
}

std::string Terms::compared(const Expr& e) {
  if (!has_term(e->args[0]->dtype)) return any(e->dtype);
  const std::string a = term(e->args[0]), b = term(e->args[1]);
  if (e->op == Op::NE) return "(not " + apply("=", a, b) + ")";
  if (e->op == Op::EQ) return apply("=", a, b);
  if (e->args[0]->dtype.is_bool()) return any(e->dtype);
  return apply(std::string(info(e->op).text), a, b);
}

std::string Terms::divided(const Expr& e) {
  const std::string a = term(e->args[0]), b = term(e->args[1]);
  Wide by = 0;
  const bool is_constant = constant(e->args[1], &by);
  if ((is_constant && by <= 0) || (!is_constant && e->data)) return any(e->dtype);
  linear_ &= is_constant;
  std::string out;
  const std::string down = apply("div", a, b),
                    cut = "(ite (>= " + a + " 0) " + down + " (- (div (- " + a + ") " + b + ")))";
  if (e->op == Op::FloorDiv) out = down;
  if (e->op == Op::FloorMod) out = apply("mod", a, b);
  if (e->op == Op::TruncDiv) out = cut;
  if (e->op == Op::TruncMod) out = apply("-", a, apply("*", b, cut));
  // By what is not seen to be positive: some value where it is not.
  return is_constant ? out : "(ite (< 0 " + b + ") " + out + " " + any(e->dtype) + ")";
}

std::string Terms::bits(const Expr& e) {
  Wide by = 0;
  const bool is_constant = e->args.size() == 2 && constant(e->args[1], &by);
  if (e->op == Op::Shr && is_constant && by >= 0 && by < e->dtype.bits) {
    return apply("div", term(e->args[0]), power(by));
  }
  // x & (2^k - 1) in two's complement
  if (e->op == Op::BitAnd && is_constant && by >= 0 && (by & (by + 1)) == 0) {
    return apply("mod", term(e->args[0]), numeral(by + 1));
  }
  return any(e->dtype);
}

std::string Terms::converted(const Expr& e) {
  const DType from = e->args[0]->dtype, to = e->dtype;
  if (!has_term(from)) return any(to);
  const std::string value = term(e->args[0]);
  if (from.is_bool() && to.is_bool()) return value;
  if (to.is_bool()) return "(not (= " + value + " 0))";
  if (from.is_bool()) return "(ite " + value + " 1 0)";
  const bool fits =
      min_value(to.element()) <= min_value(from.element()) && max_value(from.element()) <= max_value(to.element());
  return fits ? value : wrapped(to, value);
}

std::string Terms::loaded(const Expr& e) {
  const uint32_t memory = e->buffer()->data.id();
  const auto layout = lies.find(e->buffer()->id);
  if (all_unstable || unstable.count(memory) || layout == lies.end() || e->buffer()->dtype.lanes > 1)
    return any(e->dtype);
  std::string key = "cell of " + std::to_string(e->buffer()->id) + (e->dtype.is_bool() ? " Bool" : "") + layout->second;
  for (const Expr& index : e->args) key += " " + term(index);
  if (auto found = loads_.find(key); found != loads_.end()) return found->second;
  memory_of_[key] = memory;
  return loads_[key] = any(e->dtype);
}

std::string Terms::term(const Expr& e) {
  if (!has_term(e->dtype)) return any(e->dtype);
  const char* sort = e->dtype.is_bool() ? "Bool" : "Int";
  switch (e->op) {
    case Op::IntImm:
      if (e->dtype.is_bool()) return e->int_value() ? "true" : "false";
      return numeral(int_value(e));
    case Op::Var: {
      if (execution != 0 && e->dtype.lanes > 1) return any(e->dtype);  // its lane may be that of another execution
      auto found = bound_.find(e->var().id());
      return found == bound_.end() ? any(e->dtype) : found->second;
    }
    case HEXPROOF_CASES(Ring):
    case Op::Shl:
    case Op::Ramp: {
      const bool product = e->op == Op::Mul || e->op == Op::Ramp;
      const bool linear = !product || constant(e->args[0]) || constant(e->args[1]);
      if (e->wraps && (!linear || e->op == Op::Shl)) return any(e->dtype);
      const std::string value = exact(e);
      return define(sort, e->wraps ? wrapped(e->dtype, value) : value);
    }
    case HEXPROOF_CASES(IntegerDivision):
      return define(sort, divided(e));
    case HEXPROOF_CASES(MinMax): {
      const std::string a = term(e->args[0]), b = term(e->args[1]);
      return define(
          sort, "(ite (" + std::string(e->op == Op::Min ? "<" : ">") + " " + a + " " + b + ") " + a + " " + b + ")");
    }
    case HEXPROOF_CASES(Comparison):
      return define(sort, compared(e));
    case Op::And:
    case Op::Or: {
      const std::string a = term(e->args[0]), b = term(e->args[1]);
      return define(sort, apply(e->op == Op::And ? "and" : "or", a, b));
    }
    case Op::Not:
      return define(sort, "(not " + term(e->args[0]) + ")");
    case HEXPROOF_CASES(Bitwise):
    case Op::Shr:
      return define(sort, bits(e));
    case HEXPROOF_CASES(Choice): {
      const std::string c = term(e->args[0]), a = term(e->args[1]), b = term(e->args[2]);
      return define(sort, "(ite " + c + " " + a + " " + b + ")");
    }
    case Op::Broadcast:
    case Op::Likely:
      return term(e->args[0]);
    case Op::Cast:
      return define(sort, converted(e));
    case Op::Let:
      if (has_term(e->args[1]->dtype)) bind(e->args[0]->var(), term(e->args[1]));
      return term(e->args[2]);
    case Op::Load:
      return loaded(e);
    case Op::FloatImm:
    case Op::StringImm:
    case Op::Undef:
    case Op::Div:
    case Op::Call:
    case HEXPROOF_CASES(ProofOnly):
      return any(e->dtype);
  }
  return any(e->dtype);
}

std::vector<std::string> Terms::terms(const std::vector<Expr>& list) {
  std::vector<std::string> out;
  for (const Expr& e : list) out.push_back(term(e));
  return out;
}

std::optional<std::string> Terms::no_error(const Expr& e) {
  if (!e->dtype.is_integer()) return {};
  const bool fits = may_wrap(e->op, e->dtype) && !e->wraps, shifts = e->op == Op::Shl || e->op == Op::Shr;
  std::vector<std::string> parts;
  // Of data that wraps, `check` asks the divisions and how far shifts go: their operands are no bounds.
  if (is_division(e->op) && !e->data) {
    const std::string a = term(e->args[0]), b = term(e->args[1]), least = numeral(min_value(e->dtype.element()));
    parts.push_back("(not (or (= " + b + " 0) (and (= " + a + " " + least + ") (= " + b + " (- 1)))))");
  }
  if (shifts && (!e->data || fits)) {
    parts.push_back(is_below(term(e->args[1]), std::to_string(e->dtype.bits)));
  }
  if (fits && shifts && !constant(e->args[1])) return "false";                        // not modelled
  if (e->op == Op::Cast && e->args[0]->dtype.is_float() && !e->data) return "false";  // neither
  if (fits) parts.push_back(in_range(define("Int", exact(e)), e->dtype.element()));
  return parts.empty() ? std::nullopt : std::optional(conjunction(parts));
}

std::string Terms::script(const std::string& goal) const {
  std::string body;
  for (const auto& [line, text] : declared_) body += line;
  for (const std::string& fact : known_) body += "(assert " + fact + ")\n";
  return std::string("(set-logic ") + (linear_ ? "QF_LIA" : "QF_NIA") + ")\n" + body + "(assert (not " + goal +
         "))\n(check-sat)\n";
}

}  // namespace hexproof::checker
