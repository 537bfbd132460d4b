#include "rewrite/site/places.h"

#include "rewrite/site/data_vars.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

void collect(const Stmt& stmt, Path& path, const std::function<bool(const Stmt&)>& f, std::vector<Path>& found) {
  if (f(stmt)) found.push_back(path);
  std::vector<Stmt> parts = children(stmt);
  for (size_t k = 0; k < parts.size(); ++k) {
    path.push_back(static_cast<int>(k));
    collect(parts[k], path, f, found);
    path.pop_back();
  }
}

std::optional<Path> first(std::vector<Path> paths) {
  if (paths.empty()) return std::nullopt;
  return std::move(paths.front());
}

}  // namespace

std::vector<Path> find_all(const PrimFunc& func, const std::function<bool(const Stmt&)>& f) {
  std::vector<Path> found;
  Path path;
  if (func.body) collect(func.body, path, f, found);
  return found;
}

std::optional<Path> find_loop(const PrimFunc& func, const Var& var) {
  return first(find_all(func, [&](const Stmt& s) { return s.as<For>() && s.as<For>()->var == var; }));
}

std::vector<Path> find_blocks(const PrimFunc& func, const std::string& name) {
  return find_all(func, [&](const Stmt& s) { return s.as<Block>() && s.as<Block>()->name == name; });
}

std::optional<Path> find_allocation(const PrimFunc& func, const Buffer& buffer) {
  return first(
      find_all(func, [&](const Stmt& s) { return s.as<AllocBuffer>() && s.as<AllocBuffer>()->buffer == buffer; }));
}

std::optional<Path> find_allocation(const PrimFunc& func, const std::string& name) {
  return first(
      find_all(func, [&](const Stmt& s) { return s.as<AllocBuffer>() && s.as<AllocBuffer>()->buffer->name == name; }));
}

std::vector<Path> loops_around(const PrimFunc& func, const Path& at) {
  std::vector<Path> loops;
  Stmt here = func.body;
  Path path;
  for (int step : at) {
    if (here.as<For>()) loops.push_back(path);
    std::vector<Stmt> parts = children(here);
    if (step < 0 || static_cast<size_t>(step) >= parts.size()) throw NotApplicable("the path leads nowhere");
    here = parts[static_cast<size_t>(step)];
    path.push_back(step);
  }
  return loops;
}

Path body_below_allocations(const PrimFunc& func) {
  Path at;
  for (Stmt s = func.body; s.as<AllocBuffer>() || s.as<DeclBuffer>() || s.as<Allocate>() || s.as<AttrStmt>();) {
    at.push_back(0);
    s = children(s).at(0);
  }
  return at;
}

bool has_blocks(const PrimFunc& func) {
  return !find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; }).empty();
}

Path below(Path path, int part) {
  path.push_back(part);
  return path;
}

Path above(Path path) {
  if (path.empty()) throw NotApplicable("there is nothing around the function's body");
  path.pop_back();
  return path;
}

bool is_within(const Path& inner, const Path& outer) {
  return inner.size() >= outer.size() && std::equal(outer.begin(), outer.end(), inner.begin());
}

PrimFunc without(const PrimFunc& func, const Path& at) {
  if (!at.empty()) {
    Path around = above(at);
    if (const Seq* list = checked_at(func, around).as<Seq>()) {
      std::vector<Stmt> stmts = list->stmts;
      stmts.erase(stmts.begin() + at.back());
      return replace_at(func, around, seq(std::move(stmts)));
    }
    if (const If* branch = stmt_at(func, around).as<If>(); branch && at.back() == 1) {
      return replace_at(func, around,
                        make_stmt(If{branch->condition, branch->then_case, {}}, stmt_at(func, around)->span));
    }
  }
  return replace_at(func, at, empty_stmt());
}

Stmt checked_at(const PrimFunc& func, const Path& at) {
  Stmt here = func.body;
  for (int step : at) {
    std::vector<Stmt> parts = children(here);
    if (step < 0 || static_cast<size_t>(step) >= parts.size()) throw NotApplicable("the path leads nowhere");
    here = parts[static_cast<size_t>(step)];
  }
  return here;
}

bool is_repeatable(const Expr& e) { return !is_data(e) && !chooses(e, OpenRounding::here()); }

void require_index(const PrimFunc&, const Expr& e, const std::string& what) {
  if (is_data(e)) throw NotApplicable(what + " depends on the content of a buffer");
  if (!is_repeatable(e)) {
    throw NotApplicable(what + " would be evaluated again, and it holds " + what_chooses(e, OpenRounding::here()));
  }
}

Obligation need(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                std::vector<Expr> given, Expr goal) {
  return {.rule = rule, .why = why, .where = place_of(func, stmt), .given = std::move(given), .goal = std::move(goal)};
}

std::vector<Expr> given_at(const PrimFunc& func, const Path& at) { return facts_at(func, at).given(); }

std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<Expr> range_of(const Expr& var, const Expr& min, const Expr& extent) {
  return {le(min, var), is_int(min, 0) ? lt(var, extent) : lt(var, min + extent)};
}

}  // namespace hexproof
