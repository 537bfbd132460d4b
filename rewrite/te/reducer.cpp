// The laws that make a function of two values a reducer.
#include "rewrite/te/tensor.h"

namespace hexproof::te {
namespace {

/// Floats as integers of 32 bits, whose sums and products wrap: a ring, as the numbers are that floats stand for.
DType read_as(DType type) { return type.is_float() ? kInt32 : type; }

/// Missing where the expression has no such reading.
Expr in_ring(const Expr& e, const VarMap& vars) {
  if (e->op == Op::Var) return vars.count(e->var()) ? vars.at(e->var()) : Expr();
  if (e->op == Op::FloatImm) {
    const double value = e->float_value();
    const auto whole = static_cast<int64_t>(value);
    if (value > -1e9 && value < 1e9 && static_cast<double>(whole) == value) return imm(kInt32, whole);
    // Beyond what the values reach: the identities of min and max.
    return imm(kInt32, value < 0 ? min_value(kInt32) : max_value(kInt32));
  }
  if (e->op == Op::IntImm) return e;
  if (e->op == Op::Div || e->op == Op::Call || e->op == Op::Load) return {};
  std::vector<Expr> args;
  for (const Expr& arg : e->args) {
    args.push_back(in_ring(arg, vars));
    if (!args.back()) return {};
  }
  if (e->op == Op::Cast) return e->dtype.is_float() && args[0]->dtype == kInt32 ? args[0] : Expr();
  if (e->args.size() == 2) {
    return args[0]->dtype == args[1]->dtype ? binary(e->op, args[0], args[1]) : Expr();
  }
  if (e->op == Op::Select) return select(args[0], args[1], args[2]);
  if (e->op == Op::IfThenElse) return if_then_else(args[0], args[1], args[2]);
  if (e->args.size() == 1) return unary(e->op, args[0]);
  return {};
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
  auto fresh = [&](const std::string& name) {
    Values out;
    for (size_t k = 0; k < r.lhs.size(); ++k) {
      out.emplace_back(Var::fresh(r.lhs.size() > 1 ? name + std::to_string(k) : name, read_as(r.lhs[k].dtype()), true));
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
