// HoistExpression, HoistIfThenElse: which conditions and bindings move, and in front of which loop.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/values.h"

namespace hexproof {
namespace {

constexpr int kMostMoves = 64;  // moves of one pass: each may copy a nest

struct Movable {
  ExprPlace place;
  bool let_stmt = false;  // `place.statement` is the let that moves
};

class Hoist {
 public:
  Hoist(Strategy& s, const HoistOptions& options) : s_(s), options_(options) {
    if (options.loop) at_most_.insert(options.loop);
    if (options.out_of) only_.insert(options.out_of);
  }

  int run() {
    int count = 0;
    while (count < kMostMoves && step()) ++count;
    return count;
  }

 private:
  bool step() {
    for (const Movable& c : candidates()) {
      if (move(c)) return true;
    }
    return false;
  }

  bool wanted(HoistConditional f) const { return has(options_.conditionals, f); }
  bool wanted(HoistLetBinding f) const { return has(options_.bindings, f); }

  std::vector<Movable> candidates() const {
    std::vector<Movable> found;
    for (const Path& at : s_.places([](const Stmt&) { return true; })) {
      Stmt stmt = stmt_at(s_.func(), at);
      if (stmt.as<LetStmt>() && wanted(HoistLetBinding::LetStmt)) found.push_back({{at, {0}}, true});
      std::vector<Expr> roots = expressions(stmt);
      for (size_t root : executed_expressions(stmt)) {
        bool branch = stmt.as<If>() && roots[root].get() == stmt.as<If>()->condition.get();
        look({at, {static_cast<int>(root)}}, roots[root], branch && wanted(HoistConditional::IfElseStmt), &found);
      }
    }
    return found;
  }

  /// The largest conditions first, then their parts.
  void look(const ExprPlace& place, const Expr& e, bool is_condition, std::vector<Movable>* found) const {
    bool condition = e->dtype == kBool && !as_int(e);
    if (condition && (is_condition || (wanted(HoistConditional::BooleanExpression) && e->op != Op::Load))) {
      found->push_back({place});
    }
    if (e->op == Op::Let && wanted(HoistLetBinding::LetExpr)) found->push_back({place});
    for (size_t k = 0; k < e->args.size(); ++k) {
      ExprPlace part = place;
      part.expr.push_back(static_cast<int>(k));
      bool choice = k == 0 && (e->op == Op::IfThenElse || e->op == Op::Select);
      if (e->op == Op::Let && k == 0) continue;
      look(part, e->args[k], choice && wanted(HoistConditional::IfElseExpr), found);
    }
  }

  /// In front of the outermost loop that the rules allow.
  bool move(const Movable& c) {
    const PrimFunc& func = s_.func();
    std::optional<Path> scope = s_.scope();
    if (!scope) return false;
    Expr e = checked_expr(func, c.place);
    bool let_expr = e->op == Op::Let && !c.let_stmt;
    Expr value = let_expr ? e->args[1] : e;
    bool inside = !options_.loop;  // of the outermost loop that may be left
    for (const Path& loop : loops_around(func, c.place.statement)) {
      const For& around = *stmt_at(func, loop).as<For>();
      inside |= at_most_.count(around.var) > 0;
      if (!inside || !is_within(loop, *scope) || (options_.out_of && !only_.count(around.var))) continue;
      if (tried_.count({around.var.id(), c.let_stmt || let_expr, value->hash})) continue;
      if (out_of(c, loop, value, let_expr)) return true;
      tried_.insert({around.var.id(), c.let_stmt || let_expr, value->hash});
    }
    return false;
  }

  /// The condition in front of the loop, and no branch where it is decided there.
  bool hoist_condition(const HoistConditionArgs& args) {
    const Path& loop = args.at;
    std::set<Var> before = loop_vars(loop);
    if (!s_.apply(args)) return false;
    follow_copies(loop, before);
    for (bool takes : {true, false}) {
      if (stmt_at(s_.func(), loop).as<If>() && s_.apply(EliminateBranchArgs{.at = loop, .takes = takes})) break;
    }
    return true;
  }

  std::set<Var> loop_vars(const Path& at) const {
    std::set<Var> vars;
    visit_stmt(stmt_at(s_.func(), at), [&](const Stmt& s) {
      if (s.as<For>()) vars.insert(s.as<For>()->var);
      return true;
    });
    return vars;
  }

  /// The else of a hoisted condition holds copies of the loops, with the names that they had.
  void follow_copies(const Path& at, const std::set<Var>& before) {
    for (const Var& copy : loop_vars(at)) {
      if (before.count(copy)) continue;
      for (std::set<Var>* list : {&at_most_, &only_}) {
        bool follows = std::any_of(list->begin(), list->end(),
                                   [&](const Var& v) { return before.count(v) && v.name() == copy.name(); });
        if (follows) list->insert(copy);
      }
    }
  }

  bool out_of(const Movable& c, const Path& loop, const Expr& value, bool let_expr) {
    if (c.let_stmt) return s_.apply(HoistLetArgs{.at = loop, .statement = c.place.statement});
    if (let_expr) return s_.apply(HoistLetArgs{.at = loop, .statement = c.place.statement, .expr = c.place.expr});
    HoistConditionArgs args{.at = loop, .statement = c.place.statement, .expr = c.place.expr};
    if (mentions_block_var(loop, c.place.statement, value)) {
      if (!wanted(HoistConditional::UsingBlockVar)) return false;
      args.block_vars = true;
    }
    if (hoist_condition(args)) return true;
    return wanted(HoistLetBinding::RequiredByConditional) && bindings_first(loop, c.place.statement, value) &&
           hoist_condition(moved_);
  }

  /// Variables of blocks, and of thread-bound loops anywhere.
  bool mentions_block_var(const Path& loop, const Path& statement, const Expr& value) const {
    bool found = false;
    Stmt here = s_.func().body;
    for (size_t k = 0; k < statement.size(); ++k) {
      if (const Block* block = here.as<Block>(); block && k >= loop.size()) {
        for (const IterVar& iter : block->iters) found |= uses_var(value, iter.var);
      }
      const For* f = here.as<For>();
      found |= f && f->kind == ForKind::ThreadBinding && uses_var(value, f->var);
      here = Stmt(children(here)[static_cast<size_t>(statement[k])]);
    }
    return found;
  }

  /// The lets between the loop and the statement that `value` needs, moved in front of the loop; `moved_` are then the
  /// arguments for the condition. All or nothing.
  bool bindings_first(const Path& loop, const Path& statement, const Expr& value) {
    std::set<Var> needed = free_vars(value);
    std::vector<Var> lets;
    Stmt here = stmt_at(s_.func(), loop);
    for (size_t k = loop.size(); k < statement.size(); ++k) {
      if (here.as<LetStmt>()) lets.push_back(here.as<LetStmt>()->var);
      here = Stmt(children(here)[static_cast<size_t>(statement[k])]);
    }
    Derivation saved = s_.derivation;
    Stmt target = stmt_at(s_.func(), statement);
    const For& around = *stmt_at(s_.func(), loop).as<For>();
    Var var = around.var;
    // From the inside out a binding adds what it needs itself.
    std::vector<Var> moving;
    for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
      if (!needed.count(*let)) continue;
      moving.insert(moving.begin(), *let);
      visit_stmt(s_.func().body, [&](const Stmt& s) {
        if (s.as<LetStmt>() && s.as<LetStmt>()->var == *let) needed.merge(free_vars(s.as<LetStmt>()->value));
        return true;
      });
    }
    bool ok = !moving.empty();
    for (const Var& v : moving) {
      auto is_let = [&](const Stmt& s) { return s.as<LetStmt>() && s.as<LetStmt>()->var == v; };
      std::optional<Path> at = find_loop(s_.func(), var);
      std::vector<Path> let = find_all(s_.func(), is_let);
      ok = ok && at && let.size() == 1 && s_.apply(HoistLetArgs{.at = *at, .statement = let[0]});
    }
    std::optional<Path> at = find_loop(s_.func(), var);
    if (ok && at) {
      // The statement that holds the condition: the same expressions stand in it.
      std::vector<Expr> wanted_exprs = expressions(target);
      for (const Path& p : find_all(s_.func(), [&](const Stmt& s) {
             return s->record.index() == target->record.index() && expressions(s) == wanted_exprs;
           })) {
        if (!is_within(p, *at)) continue;
        moved_ = {.at = *at, .statement = p, .expr = expr_of(target, value)};
        Derivation before = s_.derivation;
        if (s_.apply(moved_)) {
          s_.derivation = std::move(before);  // done again by the caller, who counts it
          return true;
        }
      }
    }
    s_.derivation = std::move(saved);
    return false;
  }

  static Path expr_of(const Stmt& stmt, const Expr& value) {
    Path found;
    std::vector<Expr> roots = expressions(stmt);
    std::function<bool(const Expr&, Path&)> look = [&](const Expr& e, Path& path) {
      if (e == value) return found = path, true;
      for (size_t k = 0; k < e->args.size(); ++k) {
        path.push_back(static_cast<int>(k));
        if (look(e->args[k], path)) return true;
        path.pop_back();
      }
      return false;
    };
    for (size_t root : executed_expressions(stmt)) {
      Path path{static_cast<int>(root)};
      if (look(roots[root], path)) return found;
    }
    return found;
  }

  Strategy& s_;
  HoistOptions options_;
  std::set<Var> at_most_, only_;  // `loop`, `out_of` of the options, and their copies
  std::set<std::tuple<uint32_t, bool, uint64_t>> tried_;
  HoistConditionArgs moved_;
};

}  // namespace

int hoist_expression(Strategy& s, const HoistOptions& options) { return Hoist(s, options).run(); }

}  // namespace hexproof
