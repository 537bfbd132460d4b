// Expression rules as data: a name, types, and for each of them lhs -> rhs when a condition holds.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hexproof {

/// The types over which one instance of a rule is built: one, or several where a rule converts.
using Types = std::vector<DType>;

/// Left, right and condition over holes, which are variables. A hole stands for any expression of its type, a
/// *literal* hole (see `literal`) for an integer constant.
///
/// What a rule claims, for all values of its holes for which `when` holds and lhs is free of errors: rhs is free of
/// errors and has the same value. There are two readings, and a claim for each that the rule is offered in:
/// - *index*: the operations are index arithmetic, so overflow is an error. `when_index` is owed besides `when`; only
///   there `fits` makes sense (what lhs computes is known to fit; what only rhs computes is not).
/// - *data*: the operations wrap. Division by zero and INT_MIN // -1 stay errors.
/// Where lhs guards a hole by if_then_else, rhs evaluates it only under that guard (checked by `prove_rules` too).
struct ExprRewrite {
  Expr lhs, rhs;
  Expr when = {};        // missing: always
  Expr when_index = {};  // missing: nothing more
};

/// IndexAtUse: a rule that no solver proves for all constants at once. It is no theorem: each application owes, besides
/// its conditions, that the new expression fits and that it equals the old one there, with the constants at hand.
enum class ForArithmetic : uint8_t { Any, IndexOnly, IndexAtUse };

struct ExprRule {
  std::string name;          // kebab-case
  std::vector<Types> types;  // one instance for each
  std::function<ExprRewrite(const Types&)> build;
  ForArithmetic arithmetic = ForArithmetic::Any;

  ExprRule(std::string name, const std::vector<DType>& types, ExprRewrite (*build)(DType),
           ForArithmetic arithmetic = ForArithmetic::Any);
  ExprRule(std::string name, std::vector<Types> types, ExprRewrite (*build)(const Types&),
           ForArithmetic arithmetic = ForArithmetic::Any)
      : name(std::move(name)), types(std::move(types)), build(build), arithmetic(arithmetic) {}
};

/// A hole of a rule. Names that start with `c` are kept for literal holes.
Expr hole(const std::string& name, DType type);
/// A hole that matches only integer constants. In a pattern, a product of literals (c1 * c2) with one of them bound
/// elsewhere matches a constant that divides by it.
Expr literal(const std::string& name, DType type);
bool is_hole(const Expr& e);
bool is_literal_hole(const Expr& e);

extern const std::vector<DType> kIntegers, kSigned, kFloats, kBools, kScalars, kNumbers;

/// One rule at its types.
struct RuleInstance {
  const ExprRule* rule;
  Types types;
  ExprRewrite rewrite;
  /// No operation that overflows stands in lhs or rhs: the two readings are one.
  bool one_reading;
};

/// All rules, in the order in which they are tried, and their instances.
const std::vector<ExprRule>& expr_rules();
const std::vector<RuleInstance>& rule_instances();
/// Null when there is no such rule.
const ExprRule* find_expr_rule(const std::string& name);

/// `name: lhs -> rhs  when ...` as people read it; for an instance with its types.
std::string print(const ExprRewrite& rewrite);
std::string print(const RuleInstance& instance);
/// docs/rules-expressions.md: every rule with its law, types and readings.
std::string expr_rules_markdown();

// The families, one file each.
std::vector<ExprRule> sum_rules();
std::vector<ExprRule> product_rules();
std::vector<ExprRule> division_rules();
std::vector<ExprRule> remainder_rules();
std::vector<ExprRule> minmax_rules();
std::vector<ExprRule> comparison_rules();
std::vector<ExprRule> choice_rules();
std::vector<ExprRule> boolean_rules();
std::vector<ExprRule> bit_rules();
std::vector<ExprRule> cast_rules();
std::vector<ExprRule> float_rules();

}  // namespace hexproof
