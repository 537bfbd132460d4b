#include "fuzz/hunt/places.h"

#include <functional>

#include "ir/visit.h"

namespace hexproof {
namespace {

Path inside(const Path& path, size_t part) {
  Path out = path;
  out.push_back(static_cast<int>(part));
  return out;
}

bool is_open(const Stmt& s) { return s.as<If>() && !s.as<If>()->else_case; }

bool is_guarded(const For& loop) {
  Stmt s = loop.body;
  for (;;) {
    if (const For* f = s.as<For>()) {
      s = f->body;
    } else if (const LetStmt* l = s.as<LetStmt>()) {
      s = l->body;
    } else {
      return is_open(s);
    }
  }
}

bool does_nothing(const Stmt& s) {
  if (s.as<Evaluate>()) return true;
  if (const Seq* all = s.as<Seq>()) return all->stmts.empty();
  if (const For* loop = s.as<For>()) return is_int(loop->extent, 0) || does_nothing(loop->body);
  if (const If* branch = s.as<If>()) return does_nothing(branch->then_case) && !branch->else_case;
  return false;
}

}  // namespace

Places::Places(const PrimFunc& func) : buffers(func.buffer_params()) { visit(func.body, {}); }

void Places::sequence(const std::vector<Stmt>& parts, const Path& path) {
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    in_sequence.push_back(inside(path, i));
    if (parts[i].as<For>() && parts[i + 1].as<For>()) adjacent_loops.push_back(inside(path, i));
    if (parts[i].as<If>() && parts[i + 1].as<If>()) adjacent_ifs.push_back(inside(path, i));
  }
}

void Places::visit(const Stmt& s, const Path& path) {
  all.push_back(path);
  if (does_nothing(s)) empties.push_back(path);
  if (const For* loop = s.as<For>()) {
    loops.push_back(path);
    if (loop->body.as<For>()) nests.push_back(path);
    if (loop->body.as<Seq>()) loops_of_several.push_back(path);
    if (is_int(loop->extent, 1)) unit_loops.push_back(path);
    if (as_int(loop->extent) && loop->kind == ForKind::Serial) constant_loops.push_back(path);
    if (is_guarded(*loop)) guarded_loops.push_back(path);
  }
  if (const If* branch = s.as<If>()) {
    ifs.push_back(path);
    (branch->else_case ? closed_ifs : open_ifs).push_back(path);
    if (is_open(s) && (is_open(branch->then_case) || branch->condition->op == Op::And)) nested_ifs.push_back(path);
  }
  if (s.as<LetStmt>()) lets.push_back(path);
  if (const Store* store = s.as<Store>()) {
    stores.push_back(path);
    if (store->value->op == Op::Undef) undef_stores.push_back(path);
  }
  if (const AllocBuffer* a = s.as<AllocBuffer>()) buffers.push_back(a->buffer), allocations.push_back(a->buffer);
  if (const Block* b = s.as<Block>()) {
    blocks.push_back(path), block_names.push_back(b->name);
    if (b->init) reductions.push_back(path);
    if (b->predicate) predicated.push_back(path);
  }
  std::vector<Stmt> parts = children(s);
  if (s.as<Seq>()) sequence(parts, path);
  for (size_t i = 0; i < parts.size(); ++i) visit(parts[i], inside(path, i));
}

std::vector<Path> expr_places(const PrimFunc& func, const Path& at, bool (*fits)(const Expr&)) {
  std::vector<Path> out;
  std::function<void(const Expr&, const Path&)> look = [&](const Expr& e, const Path& path) {
    if (fits(e)) out.push_back(path);
    for (size_t k = 0; k < e->args.size(); ++k) look(e->args[k], inside(path, k));
  };
  std::vector<Expr> roots = expressions(stmt_at(func, at));
  for (size_t k = 0; k < roots.size(); ++k) {
    if (roots[k]) look(roots[k], inside({}, k));
  }
  return out;
}

}  // namespace hexproof
