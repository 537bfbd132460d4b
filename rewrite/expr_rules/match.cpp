#include "rewrite/expr_rules/match.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "ir/arith_class.h"
#include "ir/base/diagnostic.h"
#include "ir/base/mutant.h"
#include "rewrite/kernel/mutant_needs.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {

namespace {

bool is_imm(const Expr& e) { return e->op == Op::IntImm || e->op == Op::FloatImm; }

bool holds(const Expr& e, Op op) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == op;
    return !found;
  });
  return found;
}

/// A pattern stands for every type: `min` and `max` are as on floats.
bool pattern_commutes(const Expr& pattern) { return commutes(pattern->op, /*floats=*/true); }

/// c1 * c2: a constant that is a product.
bool is_literal_product(const Expr& pattern) {
  return pattern->op == Op::Mul && is_literal_hole(pattern->args[0]) && is_literal_hole(pattern->args[1]);
}

/// A partial match: what the holes stand for, and products of literals whose factors are not all known yet.
struct Partial {
  VarMap binding;
  std::vector<std::pair<Expr, Expr>> products;
  bool index = false, data = false;  // was an operation of that class matched?
};

std::vector<Partial> extend(const Expr& pattern, const Expr& e, Partial partial) {
  if (pattern->dtype != e->dtype) return {};
  if (is_hole(pattern)) {
    if (is_literal_hole(pattern) && e->op != Op::IntImm) return {};
    auto [it, first] = partial.binding.emplace(pattern->var(), e);
    if (!first && !(it->second == e)) return {};
    return {std::move(partial)};
  }
  if (is_imm(pattern)) {
    if (!(pattern == e)) return {};
    return {std::move(partial)};
  }
  if (is_literal_product(pattern) && e->op == Op::IntImm) {
    partial.products.emplace_back(pattern, e);
    return {std::move(partial)};
  }
  if (pattern->op != e->op || pattern->args.size() != e->args.size()) return {};
  if (pattern->op == Op::Call && pattern->text() != e->text()) return {};
  if (may_wrap(e->op, e->dtype)) (e->wraps ? partial.data : partial.index) = true;
  std::vector<Partial> found;
  auto try_order = [&](bool swapped) {
    std::vector<Partial> list{partial};
    for (size_t k = 0; k < pattern->args.size(); ++k) {
      std::vector<Partial> longer;
      for (Partial& one : list) {
        for (Partial& more : extend(pattern->args[k], e->args[swapped ? 1 - k : k], std::move(one))) {
          longer.push_back(std::move(more));
        }
      }
      list = std::move(longer);
    }
    for (Partial& one : list) found.push_back(std::move(one));
  };
  try_order(false);
  if (pattern_commutes(pattern)) try_order(true);
  return found;
}

/// Finds the missing factors of the products; false when there are none.
bool solve_products(Partial& partial) {
  for (const auto& [pattern, constant] : partial.products) {
    const Expr& product = pattern;  // clang 14 does not capture a structured binding
    Wide value = int_value(constant);
    DType type = constant->dtype;
    auto known = [&](int side) { return partial.binding.find(product->args[side]->var()); };
    auto left = known(0), right = known(1), none = partial.binding.end();
    if (left == none && right == none) return false;
    if (left != none && right != none) {
      if (int_value(left->second) * int_value(right->second) != value) return false;
      continue;
    }
    Wide factor = int_value(left != none ? left->second : right->second);
    if (factor == 0 || value % factor != 0 || !fits_type(type, value / factor)) return false;
    partial.binding.emplace(pattern->args[left != none ? 1 : 0]->var(), imm(type, value / factor));
  }
  return true;
}

bool is_integer_operation(const Expr& e) { return e->dtype.is_integer() && !e->args.empty() && !is_application(e->op); }

/// The parts that are evaluated whenever `e` is.
void visit_always_evaluated(const Expr& e, const std::function<void(const Expr&)>& f) {
  f(e);
  size_t count = e->op == Op::IfThenElse ? 1 : e->args.size();
  for (size_t k = 0; k < count; ++k) visit_always_evaluated(e->args[k], f);
}

class Instantiation {
 public:
  Instantiation(const RuleInstance& instance, const Partial& partial, const Expr& matched)
      : instance_(instance), binding_(partial.binding), matched_(matched) {
    visit_always_evaluated(matched, [&](const Expr& e) { present_[e->hash].push_back(e); });
    any_data_ = std::any_of(binding_.begin(), binding_.end(), [](const auto& entry) { return entry.second->data; });
    wraps_ = !instance.one_reading && (partial.data || (!partial.index && any_data_));
  }

  std::optional<Match> make() {
    if (!binding_allowed()) return std::nullopt;
    if (wraps_ && instance_.rule->arithmetic != ForArithmetic::Any) return std::nullopt;
    Match match{.rule = instance_.rule->name, .after = put_in(instance_.rewrite.rhs), .conditions = {}};
    if (!match.after) return std::nullopt;
    for (const Expr& when : {instance_.rewrite.when, wraps_ ? Expr() : instance_.rewrite.when_index}) {
      std::optional<std::vector<Expr>> owed = conditions_of(when);
      if (!owed) return std::nullopt;
      match.conditions.insert(match.conditions.end(), owed->begin(), owed->end());
    }
    if (instance_.rule->arithmetic == ForArithmetic::IndexAtUse) {
      if (any_data_) return std::nullopt;
      match.conditions.push_back(fits(match.after));
      match.conditions.push_back(eq(matched_, match.after));
    }
    return match;
  }

 private:
  bool binding_allowed() const {
    for (const auto& [var, e] : binding_) {
      if (holds(e, Op::Undef) || holds(e, Op::Fits)) return false;
      if (holds(e, Op::Let) && count(instance_.rewrite.rhs, var) > 1) return false;
      // Evaluated more often than it was, what the granted flags leave open would be several values.
      if (count(instance_.rewrite.rhs, var) > count(instance_.rewrite.lhs, var) && chooses(e, OpenRounding::here())) {
        return false;
      }
    }
    return true;
  }

  static int count(const Expr& e, const Var& var) {
    int n = 0;
    visit_expr(e, [&](const Expr& node) {
      n += node->op == Op::Var && node->var() == var;
      return true;
    });
    return n;
  }

  /// The template with expressions in place of holes, operations on constants folded; nothing when one is an error, or
  /// would wrap though its operands are no data.
  Expr put_in(const Expr& pattern) const {
    if (is_hole(pattern)) return binding_.at(pattern->var());
    if (pattern->args.empty()) return pattern;
    std::vector<Expr> args;
    bool constant = true;
    for (const Expr& arg : pattern->args) {
      args.push_back(put_in(arg));
      if (!args.back()) return {};
      constant &= is_imm(args.back());
    }
    Expr e = with_args(pattern, std::move(args));
    if (wraps_ && may_wrap(e->op, e->dtype)) {
      bool mixed = any_data_ && !constant && !is_data(e);
      if (mixed) return is_present(e) ? e : Expr{};  // index arithmetic, as the pattern has it
      e = with_class(e, true);
    }
    if (!constant || e->op == Op::Select || e->op == Op::IfThenElse || e->dtype.is_float()) return e;
    return fold_operation(e);
  }

  bool is_present(const Expr& e) const {
    auto it = present_.find(e->hash);
    return it != present_.end() && std::find(it->second.begin(), it->second.end(), e) != it->second.end();
  }

  /// New integer operations of a condition: each owes its `fits`.
  void owe_fits(const Expr& pattern, std::vector<Expr>* out) const {
    if (pattern->args.empty()) return;
    Expr e = put_in(pattern);
    if (e && is_integer_operation(e) && !is_imm(e) && !is_present(e)) {
      out->push_back(fits(e));
      return;
    }
    for (const Expr& arg : pattern->args) owe_fits(arg, out);
  }

  /// What the match owes for the condition of the rule; nothing where the condition is false.
  std::optional<std::vector<Expr>> conditions_of(const Expr& when) {
    std::vector<Expr> out;
    if (!when) return out;
    if (when->op == Op::And) {
      for (const Expr& part : when->args) {
        std::optional<std::vector<Expr>> owed = conditions_of(part);
        if (!owed) return std::nullopt;
        out.insert(out.end(), owed->begin(), owed->end());
      }
      return out;
    }
    ++conditions_;
    if (HEXPROOF_MUTANT_IS_ON(mutant_without_condition(instance_.rule->name, conditions_))) return out;
    if (when->op == Op::Fits) {
      Expr e = put_in(when->args[0]);
      if (!e) return std::nullopt;
      if (!is_imm(e) && !is_present(e)) out.push_back(fits(e));
      return out;
    }
    Expr e = put_in(when);
    if (!e || is_int(e, 0)) return std::nullopt;
    if (is_int(e, 1)) return out;
    owe_fits(when, &out);
    out.push_back(e);
    return out;
  }

  const RuleInstance& instance_;
  const VarMap& binding_;
  const Expr& matched_;
  bool any_data_ = false;  // under a hole
  bool wraps_ = false;
  std::unordered_map<uint64_t, std::vector<Expr>> present_;
  size_t conditions_ = 0;  // conjuncts of the rule that were looked at
};

void match_instance(const RuleInstance& instance, const Expr& e, std::vector<Match>* out) {
  const Expr& lhs = instance.rewrite.lhs;
  if (is_hole(lhs) && is_imm(e)) return;
  for (Partial& partial : extend(lhs, e, {})) {
    if (!solve_products(partial)) continue;
    std::optional<Match> match = Instantiation(instance, partial, e).make();
    if (match && !(match->after == e)) out->push_back(std::move(*match));
  }
}

/// Instances by the operator and type at the root of the left side; a bare hole matches any operator.
const std::vector<const RuleInstance*>& candidates(const Expr& e) {
  using Index = std::unordered_map<uint32_t, std::vector<const RuleInstance*>>;
  auto key = [](Op op, DType type) { return uint32_t(op) << 16 | uint32_t(type.code) << 8 | type.bits; };
  static const Index index = [&] {
    Index out;
    for (const RuleInstance& instance : rule_instances()) {
      const Expr& lhs = instance.rewrite.lhs;
      for (int op = 0; op < kOpCount; ++op) {
        if (is_hole(lhs) || lhs->op == Op(op)) out[key(Op(op), lhs->dtype)].push_back(&instance);
      }
    }
    return out;
  }();
  static const std::vector<const RuleInstance*> none;
  auto it = index.find(key(e->op, e->dtype));
  return it == index.end() || !e->dtype.is_scalar() ? none : it->second;
}

}  // namespace

std::vector<Match> match_rule(const std::string& rule, const Expr& e) {
  std::vector<Match> out;
  if (rule == kFoldConstants) {
    if (Expr value = fold_operation(e)) out.push_back({rule, value, {}});
    return out;
  }
  if (rule == kNoWrap) {
    bool index = e->wraps && e->dtype.is_scalar() && std::none_of(e->args.begin(), e->args.end(), is_data);
    if (index) out.push_back({rule, with_class(e, false), {fits(with_class(e, false))}});
    return out;
  }
  if (rule == kSeparateDigits) return match_digits(e);
  for (const RuleInstance* instance : candidates(e)) {
    if (instance->rule->name == rule) match_instance(*instance, e, &out);
  }
  return out;
}

std::vector<Match> match_all(const Expr& e) {
  std::vector<Match> out = match_rule(kFoldConstants, e);
  for (Match& match : match_rule(kNoWrap, e)) out.push_back(std::move(match));
  for (const RuleInstance* instance : candidates(e)) match_instance(*instance, e, &out);
  return out;
}

}  // namespace hexproof
