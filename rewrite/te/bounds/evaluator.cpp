#include "rewrite/te/bounds/evaluator.h"

#include <algorithm>

namespace hexproof::te {
namespace {

constexpr int64_t kLargest = int64_t{1} << 40;

int64_t floored(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0); }

/// Of two operands; nothing for what is no operation on indices.
std::optional<int64_t> combined(Op op, int64_t a, int64_t b) {
  if (op == Op::Add) return a + b;
  if (op == Op::Sub) return a - b;
  if (op == Op::Mul) {
    const Wide product = Wide(a) * b;
    if (product > kLargest || product < -kLargest) return std::nullopt;
    return static_cast<int64_t>(product);
  }
  if (op == Op::Min) return std::min(a, b);
  if (op == Op::Max) return std::max(a, b);
  if (op == Op::And) return a != 0 && b != 0;
  if (op == Op::Or) return a != 0 || b != 0;
  if (op == Op::LT) return a < b;
  if (op == Op::LE) return a <= b;
  if (op == Op::GT) return a > b;
  if (op == Op::GE) return a >= b;
  if (op == Op::EQ) return a == b;
  if (op == Op::NE) return a != b;
  if (b == 0) return std::nullopt;
  if (op == Op::FloorDiv) return floored(a, b);
  if (op == Op::FloorMod) return a - floored(a, b) * b;
  if (op == Op::TruncDiv) return a / b;
  if (op == Op::TruncMod) return a % b;
  return std::nullopt;
}

}  // namespace

Evaluator::Evaluator(const Expr& e, const std::vector<Var>& vars) { compile(e, vars); }

void Evaluator::compile(const Expr& e, const std::vector<Var>& vars) {
  if (e->op == Op::IntImm) {
    code_.push_back({Op::IntImm, e->int_value()});
    return;
  }
  if (e->op == Op::Var) {
    const auto at = std::find(vars.begin(), vars.end(), e->var());
    known_ = known_ && at != vars.end();
    code_.push_back({Op::Var, at - vars.begin()});
    return;
  }
  const bool integers = e->dtype.is_integer() || e->dtype.is_bool();
  const bool cast = e->op == Op::Cast && e->args.size() == 1 && e->args[0]->dtype.is_integer();
  known_ = known_ && integers && (e->args.size() == 2 || e->op == Op::Not || cast || e->op == Op::Select);
  if (!known_) return;
  for (const Expr& arg : e->args) compile(arg, vars);
  code_.push_back({e->op, 0, cast ? e->dtype : DType{}});
}

std::optional<int64_t> Evaluator::operator()(const std::vector<int64_t>& values) {
  if (!known_) return std::nullopt;
  stack_.clear();
  for (const Instruction& i : code_) {
    if (i.op == Op::IntImm) {
      stack_.push_back(i.k);
    } else if (i.op == Op::Var) {
      stack_.push_back(values[static_cast<size_t>(i.k)]);
    } else if (i.op == Op::Not) {
      stack_.back() = stack_.back() == 0;
    } else if (i.op == Op::Cast) {
      const Wide value = i.type.is_bool() ? stack_.back() != 0 : wrap_to(i.type, stack_.back());
      if (value > kLargest || value < -kLargest) return std::nullopt;
      stack_.back() = static_cast<int64_t>(value);
    } else if (i.op == Op::Select) {
      const int64_t no = stack_.back(), yes = stack_[stack_.size() - 2];
      stack_.resize(stack_.size() - 2);
      stack_.back() = stack_.back() != 0 ? yes : no;
    } else {
      const int64_t b = stack_.back();
      stack_.pop_back();
      const std::optional<int64_t> value = combined(i.op, stack_.back(), b);
      if (!value || *value > kLargest || *value < -kLargest) return std::nullopt;
      stack_.back() = *value;
    }
  }
  return stack_.back();
}

}  // namespace hexproof::te
