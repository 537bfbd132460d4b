#include "verify/check/items/assumes_hold.h"

#include <set>

#include "ir/evaluation.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

bool holds_assume(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<Assume>() != nullptr;
    return !found;
  });
  return found;
}

Stmt without_stores(const Stmt& stmt) {
  if (stmt.as<Assume>()) return stmt;
  if (!holds_assume(stmt)) return empty_stmt();
  std::vector<Stmt> parts = children(stmt);
  for (Stmt& part : parts) part = without_stores(part);
  return with_children(stmt, std::move(parts));
}

/// What comes after the place in a sequence runs after it, as long as no loop is around.
Stmt up_to(const Stmt& stmt, const Path& path, size_t depth) {
  if (depth == path.size() || stmt.as<For>()) return without_stores(stmt);
  std::vector<Stmt> parts = children(stmt);
  const auto here = static_cast<size_t>(path[depth]);
  for (size_t k = 0; k < parts.size(); ++k) {
    const bool later = stmt.as<Seq>() && k > here;
    parts[k] = k == here ? up_to(parts[k], path, depth + 1) : later ? empty_stmt() : without_stores(parts[k]);
  }
  return with_children(stmt, std::move(parts));
}

}  // namespace

std::optional<PrimFunc> assumes_before(const PrimFunc& func, const Path& path) {
  PrimFunc out = func;
  out.body = up_to(func.body, path, 0);
  if (!holds_assume(out.body)) {
    out.body = Stmt();
    return out;
  }
  std::set<Var> left_alone;
  for (const Param& p : func.params) {
    if (p.buffer) left_alone.insert(p.buffer->data);
  }
  visit_stmt(func.body, [&](const Stmt& s) {
    for_each_written(s, [&](const Buffer& buffer) { left_alone.erase(buffer->data); });
    return true;
  });
  bool known = true;
  visit_all_exprs(out.body, [&](const Expr& e) {
    known &= e->op != Op::Load || left_alone.count(e->buffer()->data) > 0;
    known &= e->op != Op::Undef;
  });
  return known ? std::optional(out) : std::nullopt;
}

}  // namespace hexproof
