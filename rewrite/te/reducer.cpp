// The laws that make a function of two values a reducer.
#include "rewrite/te/tensor.h"

namespace hexproof::te {
namespace {

/// Floats as mathematical integers (index arithmetic: it does not wrap). What holds of all integers holds of all
/// numbers: of polynomials, and of `by_scale` below. Integers are what they are, and wrap.
DType read_as(DType type) { return type.is_float() ? kInt64 : type; }

/// Missing where the expression has no such reading.
Expr in_ring(const Expr& e, const VarMap& vars) {
  if (e->op == Op::Var) return vars.count(e->var()) ? vars.at(e->var()) : Expr();
  if (e->op == Op::FloatImm) {
    const double value = e->float_value();
    if (!(value > -1e9 && value < 1e9)) return {};
    const auto whole = static_cast<int64_t>(value);
    return static_cast<double>(whole) == value ? imm(kInt64, whole) : Expr();
  }
  if (e->op == Op::IntImm) return e;
  if (e->op == Op::Div || e->op == Op::Call || e->op == Op::Load) return {};
  if (e->op == Op::Cast && !(e->dtype.is_float() && e->args[0]->dtype.is_float())) return {};
  std::vector<Expr> args;
  for (const Expr& arg : e->args) {
    args.push_back(in_ring(arg, vars));
    if (!args.back()) return {};
  }
  if (e->op == Op::Cast) return args[0];
  if (e->args.size() == 2) {
    return args[0]->dtype == args[1]->dtype ? binary(e->op, args[0], args[1]) : Expr();
  }
  if (e->op == Op::Select) return select(args[0], args[1], args[2]);
  if (e->op == Op::IfThenElse) return if_then_else(args[0], args[1], args[2]);
  if (e->args.size() == 1) return unary(e->op, args[0]);
  return {};
}

/// Order tells integers from numbers (nothing is between 0 and 1), unless all floats may be scaled at once: a law that
/// is false of fractions is then false of these times their denominator. So where floats are compared, they are added
/// and subtracted, and neither multiplied nor put next to a number other than 0.
bool by_scale(const std::vector<Expr>& results) {
  bool ordered = false, scales = true;
  for (const Expr& result : results) {
    visit_expr(result, [&](const Expr& e) {
      const bool of_floats = !e->args.empty() && e->args[0]->dtype.is_float();
      ordered = ordered || (of_floats && (is_comparison(e->op) || e->op == Op::Min || e->op == Op::Max));
      scales = scales && !(of_floats && e->op == Op::Mul) && !(e->op == Op::FloatImm && e->float_value() != 0);
      return true;
    });
  }
  return scales || !ordered;
}

using Values = std::vector<Expr>;

/// a op b; empty without a reading.
Values combined(const Reducer& r, const Values& a, const Values& b) {
  VarMap vars;
  for (size_t k = 0; k < r.lhs.size(); ++k) vars[r.lhs[k]] = a[k], vars[r.rhs[k]] = b[k];
  Values out;
  for (const Expr& result : r.results) {
    out.push_back(in_ring(result, vars));
    if (!out.back() || out.back()->dtype != a[out.size() - 1]->dtype) return {};
  }
  return out;
}

}  // namespace

std::vector<Obligation> reducer_laws(const Reducer& r) {
  if (!by_scale(r.results)) return {};
  auto fresh = [&](const std::string& name) {
    Values out;
    for (size_t k = 0; k < r.lhs.size(); ++k) {
      const DType type = r.lhs[k].dtype();
      const std::string own = r.lhs.size() > 1 ? name + std::to_string(k) : name;
      out.emplace_back(Var::fresh(own, read_as(type), !type.is_float()));
    }
    return out;
  };
  const Values a = fresh("a"), b = fresh("b"), c = fresh("c");
  const Values ab = combined(r, a, b), bc = combined(r, b, c);
  if (ab.empty() || bc.empty()) return {};
  const Values left = combined(r, ab, c), right = combined(r, a, bc);
  std::vector<Obligation> out;
  for (size_t k = 0; k < a.size(); ++k) {
    out.push_back({"comm-reducer", "'" + r.name + "' is associative", {}, {}, eq(left[k], right[k])});
  }
  return out;
}

}  // namespace hexproof::te
