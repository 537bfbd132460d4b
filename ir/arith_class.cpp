#include "ir/arith_class.h"

#include <algorithm>
#include <set>

#include "ir/visit.h"

namespace hexproof {

namespace {

/// Finds the variables whose mark does not say what their value is. Outside in: a value mentions only variables bound
/// around it.
class Marks {
 public:
  void visit(const Stmt& stmt) {
    visit_stmt(stmt, [&](const Stmt& s) {
      for (const Expr& e : expressions(s)) lets(e);
      if (const LetStmt* let = s.as<LetStmt>()) bind(let->var, let->value);
      if (const Block* block = s.as<Block>()) {
        for (const IterVar& iter : block->iters) bind(iter.var, iter.binding);
      }
      return true;
    });
  }
  const std::set<Var>& wrong() const { return wrong_; }

 private:
  void bind(const Var& var, const Expr& value) {
    if (var.is_data() != data(value)) wrong_.insert(var);
  }
  bool data(const Expr& e) const {
    if (wrong_.empty()) return e->data;
    if (e->op == Op::Var) return e->var().is_data() != (wrong_.count(e->var()) > 0);
    if (e->args.empty() || is_application(e->op)) return e->data;
    if (e->op == Op::Let) return data(e->args[2]);
    return std::any_of(e->args.begin(), e->args.end(), [&](const Expr& arg) { return data(arg); });
  }
  void lets(const Expr& e) {
    bool any = false;
    visit_expr(e, [&](const Expr& node) { return any |= node->op == Op::Let, !any; });
    if (!any) return;
    for (size_t k = 0; k < e->args.size(); ++k) {  // the value before the body
      if (e->op == Op::Let && k == 2) bind(e->args[0]->var(), e->args[1]);
      lets(e->args[k]);
    }
  }

  std::set<Var> wrong_;
};

}  // namespace

Stmt with_marked_variables(const Stmt& stmt) {
  if (!stmt) return stmt;
  Marks marks;
  marks.visit(stmt);
  if (marks.wrong().empty()) return stmt;
  VarMap map;
  for (const Var& v : marks.wrong()) map.emplace(v, Expr(Var::fresh(v.name(), v.dtype(), !v.is_data())));
  return rewrite_stmt(substitute(stmt, map), {}, [&](const Stmt& s) {
    auto renamed = [&](Var v) {
      auto it = map.find(v);
      return it == map.end() ? v : it->second->var();
    };
    if (const LetStmt* let = s.as<LetStmt>(); let && map.count(let->var)) {
      return make_stmt(LetStmt{renamed(let->var), let->value, let->body}, s->span);
    }
    const Block* block = s.as<Block>();
    if (!block) return s;
    Block copy = *block;
    for (IterVar& iter : copy.iters) iter.var = renamed(iter.var);
    return make_stmt(std::move(copy), s->span);
  });
}

}  // namespace hexproof
