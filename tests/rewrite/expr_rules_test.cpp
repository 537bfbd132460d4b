// Every expression rule against the interpreter's scalar meaning, on values full of edges.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <random>

#include "ir/interpreter/math.h"
#include "rewrite/expr_rules/match.h"
#include "verify/prove/obligation.h"

namespace hexproof {
namespace expr_rules_test {

/// The value of an expression over scalars, or nothing when it is an error; the two readings of arithmetic.
class Evaluator {
 public:
  Evaluator(const std::map<Var, Scalar>& values, Arith mode) : values_(values), mode_(mode) {}

  std::optional<Scalar> value(const Expr& e) const {
    switch (e->op) {
      case Op::Var:
        return values_.at(e->var());
      case Op::IntImm:
        return int_scalar(e->dtype, int_value(e));
      case Op::FloatImm:
        return float_scalar(e->dtype, e->float_value());
      case Op::Fits:
        return bool_scalar(value(e->args[0]).has_value());
      case Op::IfThenElse: {
        auto p = value(e->args[0]);
        return p ? value(e->args[p->truth() ? 1 : 2]) : std::nullopt;
      }
      case Op::Select: {
        auto p = value(e->args[0]), x = value(e->args[1]), y = value(e->args[2]);
        return p && x && y ? (p->truth() ? x : y) : std::nullopt;
      }
      case Op::Not:
      case Op::BitNot: {
        auto a = value(e->args[0]);
        return a ? std::optional(apply_unary(e->op, *a)) : std::nullopt;
      }
      case Op::Cast: {
        auto a = value(e->args[0]);
        return a ? result(apply_cast(e->dtype, *a)) : std::nullopt;
      }
      case HEXPROOF_CASES(Arithmetic):
      case HEXPROOF_CASES(Comparison):
      case Op::And:
      case Op::Or:
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor:
      case HEXPROOF_CASES(Shift): {
        auto a = value(e->args[0]), b = value(e->args[1]);
        return a && b ? result(apply_binary(e->op, *a, *b, mode_)) : std::nullopt;
      }
      case Op::StringImm:
      case Op::Undef:
      case Op::Let:
      case Op::Load:
      case HEXPROOF_CASES(Vector):
      case Op::Likely:
        break;
      case Op::Call: {
        auto a = value(e->args[0]);
        return a ? apply_call(e->text(), e->dtype, std::span(&*a, 1)) : std::nullopt;
      }
      case HEXPROOF_CASES(Uninterpreted):
        break;
      case Op::SameBits: {
        auto a = value(e->args[0]), b = value(e->args[1]);
        if (!a || !b) return std::nullopt;
        bool both_nan = std::isnan(a->d()) && std::isnan(b->d());
        bool same = both_nan || (a->d() == b->d() && std::signbit(a->d()) == std::signbit(b->d()));
        return value(boolean(same));
      }
    }
    ADD_FAILURE() << "no rule uses " << info(e->op).name;
    return std::nullopt;
  }

 private:
  static std::optional<Scalar> result(const ScalarResult& r) { return r ? std::optional(r.value) : std::nullopt; }
  const std::map<Var, Scalar>& values_;
  Arith mode_;
};

/// Half of all integers are 0, 1, -1, the least, the largest, powers of two and their neighbours, or small.
Scalar edge_heavy(DType type, std::mt19937_64& rng) {
  if (type.is_bool()) return bool_scalar(rng() & 1);
  if (type.is_float()) {
    static const double edges[] = {0.0, -0.0,    1.0,  -1.0, 0.5,  2.0, INFINITY, -INFINITY,
                                   NAN, 65504.0, 1e-7, 6e-8, 1e38, 3.0, -65504.0, 2.2250738585072014e-308};
    if (rng() % 2) return float_scalar(type, edges[rng() % std::size(edges)]);
    return arbitrary_scalar(type, rng());
  }
  switch (rng() % 8) {
    case 0:
      return int_scalar(type, Wide(rng() % 4) - 1);
    case 1:
      return int_scalar(type, min_value(type) + Wide(rng() % 3));
    case 2:
      return int_scalar(type, max_value(type) - Wide(rng() % 3));
    case 3:
      return int_scalar(type, (Wide{1} << (rng() % type.bits)) + Wide(rng() % 3) - 1);
    case 4:
    case 5:
      return int_scalar(type, Wide(rng() % 25) - 8);
    case 6:
      return int_scalar(type, Wide(rng() % 300) - 100);
    default:
      return int_scalar(type, Wide(static_cast<int64_t>(rng())));
  }
}

std::map<Var, Scalar> random_values(const ExprRewrite& r, std::mt19937_64& rng) {
  std::map<Var, Scalar> values;
  for (const Var& v : free_vars(r.lhs)) values.emplace(v, edge_heavy(v.dtype(), rng));
  return values;
}

bool holds(const Expr& condition, const Evaluator& with) {
  if (!condition) return true;
  auto value = with.value(condition);
  return value && value->truth();
}

/// How often the rule was put to the test, and the values on which it fails, if any.
struct Trial {
  int tested = 0;
  std::string failure;
};

Trial try_rule(const RuleInstance& rule, Arith mode, bool with_guards, int runs, uint64_t seed) {
  std::mt19937_64 rng(seed);
  Trial trial;
  const ExprRewrite& r = rule.rewrite;
  for (int k = 0; k < runs && trial.failure.empty(); ++k) {
    std::map<Var, Scalar> values = random_values(r, rng);
    Evaluator evaluate(values, mode);
    auto before = evaluate.value(r.lhs);
    if (!before) continue;
    if (with_guards && !holds(r.when, evaluate)) continue;
    if (with_guards && mode == Arith::Index && !holds(r.when_index, evaluate)) continue;
    ++trial.tested;
    auto after = evaluate.value(r.rhs);
    if (after && *after == *before) continue;
    trial.failure = rule.rule->name + " " + rule.types[0].str() + (after ? ": another value for" : ": an error for");
    for (const auto& [var, s] : values) {
      trial.failure += " " + var.name() + "=" + (s.type.is_float() ? std::to_string(s.d()) : to_string(wide_value(s)));
    }
  }
  return trial;
}

std::vector<Arith> readings(const RuleInstance& rule) {
  if (rule.one_reading || rule.rule->arithmetic != ForArithmetic::Any) return {Arith::Index};
  return {Arith::Index, Arith::Data};
}

TEST(ExprRules, HoldOnEdgeValues) {
  uint64_t seed = 1;
  for (const RuleInstance& rule : rule_instances()) {
    for (Arith mode : readings(rule)) {
      Trial trial = try_rule(rule, mode, true, 4000, ++seed);
      EXPECT_EQ(trial.failure, "");
      EXPECT_GT(trial.tested, 20) << rule.rule->name << " " << rule.types[0].str() << ": too few values reach it";
    }
  }
}

TEST(ExprRules, EveryGuardMattersOnSomeValue) {
  for (const ExprRule& rule : expr_rules()) {
    bool guarded = false, broken = false;
    for (const RuleInstance& instance : rule_instances()) {
      if (instance.rule != &rule || !(instance.rewrite.when || instance.rewrite.when_index)) continue;
      guarded = true;
      if (!broken) broken = !try_rule(instance, Arith::Index, false, 200000, 7).failure.empty();
    }
    if (guarded) {
      EXPECT_TRUE(broken) << rule.name << ": no value shows that its guard is needed";
    }
  }
}

TEST(ExprRules, IndexOnlyRulesAreWrongOnData) {
  for (const ExprRule& rule : expr_rules()) {
    if (rule.arithmetic != ForArithmetic::IndexOnly) continue;
    bool broken = false;
    for (const RuleInstance& instance : rule_instances()) {
      if (instance.rule == &rule && !broken) broken = !try_rule(instance, Arith::Data, true, 200000, 9).failure.empty();
    }
    EXPECT_TRUE(broken) << rule.name << ": offer it for data too";
  }
}

TEST(ExprRules, ThereAreManyAndNamesAreKebabCase) {
  EXPECT_GE(expr_rules().size(), 60u);
  for (const ExprRule& rule : expr_rules()) {
    EXPECT_EQ(rule.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << rule.name;
  }
}

}  // namespace expr_rules_test
}  // namespace hexproof
