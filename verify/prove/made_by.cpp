#include "verify/prove/made_by.h"

#include <map>
#include <set>
#include <vector>

#include "ir/evaluation.h"
#include "ir/visit.h"

namespace hexproof {

bool is_float_sum(const Expr& e) { return e->dtype.is_float() && (e->op == Op::Add || e->op == Op::Sub); }
bool is_float_arithmetic(const Expr& e) {
  return is_float_sum(e) || (e->dtype.is_float() && (e->op == Op::Mul || e->op == Op::Div));
}

namespace {

class Flow {
 public:
  explicit Flow(const PrimFunc& func);
  bool comes_from(const Expr& value, bool wanted(const Expr&)) const;

 private:
  std::map<Var, std::vector<Expr>> made_;  // what variables are bound to, and what is stored in memory
  std::set<Var> passed_;                   // memory that is reached in another way
};

Flow::Flow(const PrimFunc& func) {
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>()) made_[store->buffer->data].push_back(store->value);
    if (const LetStmt* let = s.as<LetStmt>()) made_[let->var].push_back(let->value);
    if (const Assume* assume = s.as<Assume>()) {
      visit_expr(assume->condition, [&](const Expr& e) {
        if (const Expr cell = permitted_cell(e)) passed_.insert(cell->buffer()->data);
        return true;
      });
    }
    for_each_operand(s, [&](Operand, const Expr& operand) {
      visit_expr(operand, [&](const Expr& e) {
        if (e->op == Op::Let) made_[e->args[0]->var()].push_back(e->args[1]);
        if (e->op == Op::Var && e->dtype.is_handle()) passed_.insert(e->var());
        return true;
      });
    });
    return true;
  });
}

bool Flow::comes_from(const Expr& value, bool wanted(const Expr&)) const {
  bool found = false;
  std::set<Var> seen;
  std::vector<Expr> open{value};
  while (!open.empty() && !found) {
    const Expr next = open.back();
    open.pop_back();
    visit_expr(next, [&](const Expr& e) {
      found |= wanted(e) || e->op == Op::Undef;
      if (e->op != Op::Load && e->op != Op::Var) return !found;
      const Var& from = e->op == Op::Load ? e->buffer()->data : e->var();
      found |= passed_.count(from) > 0;
      if (!seen.insert(from).second) return !found;
      if (auto it = made_.find(from); it != made_.end()) open.insert(open.end(), it->second.begin(), it->second.end());
      return !found;
    });
  }
  return found;
}

}  // namespace

bool comes_from(const PrimFunc& func, const Expr& value, bool wanted(const Expr&)) {
  return Flow(func).comes_from(value, wanted);
}

bool multiplies_numbers_alone(const PrimFunc& func) {
  const Flow flow(func);
  bool alone = true;
  visit_all_exprs(func.body, [&](const Expr& e) {
    if (!alone || !e->dtype.is_float() || (e->op != Op::Mul && e->op != Op::Div)) return;
    for (const Expr& operand : e->args) alone = alone && !flow.comes_from(operand, is_float_arithmetic);
  });
  return alone;
}

}  // namespace hexproof
