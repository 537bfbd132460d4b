// The list of expression rules and its instances.
#include <map>
#include <set>

#include "ir/base/diagnostic.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/rule.h"

namespace hexproof {

const std::vector<DType> kIntegers{kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64};
const std::vector<DType> kSigned{kInt8, kInt16, kInt32, kInt64};
const std::vector<DType> kFloats{kFloat16, kFloat32, kFloat64, kBFloat16};
const std::vector<DType> kBools{kBool};
const std::vector<DType> kNumbers{kInt8,   kInt16,  kInt32,   kInt64,   kUInt8,   kUInt16,
                                  kUInt32, kUInt64, kFloat16, kFloat32, kFloat64, kBFloat16};
const std::vector<DType> kScalars{kBool,   kInt8,   kInt16,   kInt32,   kInt64,   kUInt8,   kUInt16,
                                  kUInt32, kUInt64, kFloat16, kFloat32, kFloat64, kBFloat16};

ExprRule::ExprRule(std::string name, const std::vector<DType>& types, ExprRewrite (*build)(DType),
                   ForArithmetic arithmetic)
    : name(std::move(name)), build([build](const Types& t) { return build(t[0]); }), arithmetic(arithmetic) {
  for (DType t : types) this->types.push_back({t});
}

Expr hole(const std::string& name, DType type) {
  HEXPROOF_CHECK(name[0] != 'c', "the name of a hole starts with c");
  return Expr(Var::fresh(name, type));
}

Expr literal(const std::string& name, DType type) {
  HEXPROOF_CHECK(name[0] == 'c' && type.is_integer(), "a literal hole is an integer whose name starts with c");
  return Expr(Var::fresh(name, type));
}

bool is_hole(const Expr& e) { return e->op == Op::Var; }
bool is_literal_hole(const Expr& e) { return is_hole(e) && e->var().name()[0] == 'c'; }

namespace {

bool may_overflow(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->dtype.is_integer() &&
             (node->op == Op::Add || node->op == Op::Sub || node->op == Op::Mul || node->op == Op::Shl);
    return !found;
  });
  return found;
}

void check_instance(const RuleInstance& instance) {
  const ExprRewrite& r = instance.rewrite;
  const std::string& name = instance.rule->name;
  HEXPROOF_CHECK(r.lhs->dtype == r.rhs->dtype, name + ": the types of the sides differ");
  std::set<Var> known = free_vars(r.lhs);
  for (const Expr& part : {r.rhs, r.when, r.when_index}) {
    if (!part) continue;
    for (const Var& v : free_vars(part)) HEXPROOF_CHECK(known.count(v), name + ": " + v.name() + " is not in lhs");
  }
  if (r.when) {
    visit_expr(r.when, [&](const Expr& e) {
      HEXPROOF_CHECK(e->op != Op::Fits, name + ": fits belongs to when_index");
      return true;
    });
  }
}

}  // namespace

const std::vector<ExprRule>& expr_rules() {
  static const std::vector<ExprRule> rules = [] {
    std::vector<ExprRule> all;
    for (auto family : {boolean_rules, choice_rules, sum_rules, product_rules, division_rules, remainder_rules,
                        minmax_rules, comparison_rules, bit_rules, cast_rules, float_rules}) {
      for (ExprRule& rule : family()) all.push_back(std::move(rule));
    }
    std::set<std::string> names;
    for (const ExprRule& rule : all) HEXPROOF_CHECK(names.insert(rule.name).second, "two rules named " + rule.name);
    return all;
  }();
  return rules;
}

const std::vector<RuleInstance>& rule_instances() {
  static const std::vector<RuleInstance> instances = [] {
    std::vector<RuleInstance> all;
    for (const ExprRule& rule : expr_rules()) {
      for (const Types& types : rule.types) {
        ExprRewrite r = rule.build(types);
        RuleInstance instance{&rule, types, r, !may_overflow(r.lhs) && !may_overflow(r.rhs)};
        check_instance(instance);
        all.push_back(std::move(instance));
      }
    }
    return all;
  }();
  return instances;
}

const ExprRule* find_expr_rule(const std::string& name) {
  static const std::map<std::string, const ExprRule*> by_name = [] {
    std::map<std::string, const ExprRule*> out;
    for (const ExprRule& rule : expr_rules()) out.emplace(rule.name, &rule);
    return out;
  }();
  auto it = by_name.find(name);
  return it == by_name.end() ? nullptr : it->second;
}

}  // namespace hexproof
