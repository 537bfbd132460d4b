// Index arithmetic that is the same in every iteration of a loop, bound in front of it: from the outermost loop
// inwards, so that each term is computed as rarely as can be.
#include "ir/visit.h"
#include "rewrite/memory/speculation.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/values.h"

namespace hexproof {
namespace {

constexpr int kMostBindings = 64;  // bindings of one pass

/// The largest index expressions below `e` that use none of `bound`, and have something to compute.
void look(const Expr& e, const Path& path, const std::set<Var>& bound, std::vector<Path>* found) {
  bool free = true;
  for (const Var& v : free_vars(e)) free = free && !bound.count(v);
  bool index = e->dtype.is_scalar() && e->dtype.is_integer() && e->op >= Op::Add && e->op <= Op::Max;
  if (free && index && !is_data(e) && !free_vars(e).empty()) {
    found->push_back(path);
    return;
  }
  for (size_t k = 0; k < e->args.size(); ++k) {
    if (e->op == Op::Let && k == 0) continue;
    Path part = path;
    part.push_back(static_cast<int>(k));
    look(e->args[k], part, bound, found);
  }
}

std::set<Var> bound_in(const Stmt& stmt) {
  std::set<Var> out;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const For* loop = s.as<For>()) out.insert(loop->var);
    if (const LetStmt* let = s.as<LetStmt>()) out.insert(let->var);
    if (const Block* block = s.as<Block>()) {
      for (const IterVar& iter : block->iters) out.insert(iter.var);
    }
    return true;
  });
  visit_all_exprs(stmt, [&](const Expr& e) {
    if (e->op == Op::Let) out.insert(e->args[0]->var());
  });
  return out;
}

/// "ij_term" of i and j.
std::string term_name(const Expr& value) {
  std::string name;
  visit_expr(value, [&](const Expr& e) {
    if (e->op != Op::Var) return true;
    std::string part = e->var().name();
    if (part.ends_with("_term")) part.resize(part.size() - 5);
    if (name.find(part) == std::string::npos) name += part;
    return true;
  });
  return name + "_term";
}

/// One binding in front of the loop; false when there is none left.
bool bind_one(Strategy& s, const Path& loop) {
  std::set<Var> bound = bound_in(stmt_at(s.func(), loop));
  for (const Path& at : find_all(s.func(), [](const Stmt&) { return true; })) {
    if (!is_within(at, loop)) continue;
    Stmt stmt = stmt_at(s.func(), at);
    std::vector<Expr> roots = expressions(stmt);
    for (size_t root : executed_expressions(stmt)) {
      // The bounds of the loop itself are evaluated once.
      if (at == loop) continue;
      std::vector<Path> found;
      look(roots[root], {static_cast<int>(root)}, bound, &found);
      for (const Path& expr : found) {
        std::string name = term_name(checked_expr(s.func(), {at, expr}));
        if (s.apply(HoistIndexArgs{.at = loop, .statement = at, .expr = expr, .name = name})) return true;
      }
    }
  }
  return false;
}

}  // namespace

int hoist_index_expressions(Strategy& s) {
  int count = 0;
  for (size_t k = 0; k < s.all<For>().size(); ++k) {
    while (count < kMostBindings) {
      Path loop = s.all<For>()[k];
      if (!bind_one(s, loop)) break;
      ++count;
    }
  }
  return count;
}

}  // namespace hexproof
