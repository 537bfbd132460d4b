// The assumes of a program, as what they say of the arguments on entry.
#include "verify/equiv/parametric/content.h"

namespace hexproof::parametric {

namespace {
bool holds_assume(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<Assume>() != nullptr;
    return !found;
  });
  return found;
}

/// The condition without the permissions to read that hold anyway.
Expr permitted(const Expr& condition, const std::function<bool(const Buffer&)>& readable) {
  return rewrite_expr(condition, [&](const Expr& e) {
    if (e->op != Op::EQ) return e;
    for (size_t k : {0, 1}) {
      const Expr &cell = e->args[k], &undefined = e->args[1 - k];
      if (cell->op == Op::Load && undefined->op == Op::Undef && readable(cell->buffer())) return boolean(true);
    }
    return e;
  });
}
}  // namespace

void Content::each_assume(const std::function<bool(const Buffer&)>& readable,
                          const std::function<void(const Assumed&)>& f) {
  auto start = std::make_shared<ProgramPoint>();
  start->values = scalars_;
  AssumeVisit visit{readable, f};
  assumes_in(body_, start, &visit);
}

void Content::assumes_in(const Stmt& stmt, const MomentRef& moment, AssumeVisit* visit) {
  if (!holds_assume(stmt)) return;
  Assumed* around = &visit->around;
  auto under = [&](const Expr& condition, const Stmt& part) {
    std::vector<Expr> facts = evaluated(condition);
    facts.push_back(condition);
    Scenario::Under known(scenario_, facts);
    around->guards.push_back(condition);
    assumes_in(part, inside(stmt, moment), visit);
    around->guards.pop_back();
  };
  std::visit(
      match{
          [&](const Assume& s) {
            Assumed found = *around;
            found.condition = eval(stmt, 0, permitted(s.condition, visit->readable), moment);
            found.stmt = stmt;
            visit->f(found);
          },
          [&](const Seq& s) {
            for (size_t k = 0; k < s.stmts.size(); ++k) {
              assumes_in(s.stmts[k], in_seq(stmt, moment, k), visit);
            }
          },
          [&](const For& s) {
            LoopRange range{s.var, eval(stmt, 0, s.min, moment), eval(stmt, 1, s.extent, moment), s.kind}, own = range;
            own.var = Var::fresh(s.var.name(), s.var.dtype());
            Scenario::Under known(scenario_, range_of(own));
            around->loops.push_back(own);
            assumes_in(s.body, in_loop(stmt, moment, range, Expr(own.var), nullptr, {}), visit);
            around->loops.pop_back();
          },
          [&](const If& s) {
            Expr condition = eval(stmt, 0, s.condition, moment);
            if (s.then_case) under(condition, s.then_case);
            if (s.else_case) under(lnot(condition), s.else_case);
          },
          [&](const LetStmt& s) {
            Expr value = chosen(eval(stmt, 0, s.value, moment));
            assumes_in(s.body, bound(inside(stmt, moment), s.var, value), visit);
          },
          [](const Store&) {}, [](const Evaluate&) {}, [](const Block&) {},
          [&](const auto& s) { assumes_in(s.body, inside(stmt, moment), visit); }},
      stmt->record);
}

}  // namespace hexproof::parametric
