// Programs of one structure, with other expressions of the same values, and with memories of another layout.
#include "ir/interpreter/fault.h"
#include "tools/checker/step_walk.h"

namespace hexproof::checker {
namespace {

bool is_compact(const Buffer& buffer) { return buffer->strides.empty() && !buffer->elem_offset; }
bool is_flat(const Buffer& buffer) { return is_compact(buffer) && buffer->axis_separators.empty(); }

}  // namespace

bool has_choice(const Expr& e) {
  return holds(e, [](const Expr& part) { return part->op == Op::Undef || part->dtype.is_float(); });
}

Stmts without_blocks(const Stmts& stmts) {
  Stmts out;
  for (const Stmt& stmt : stmts) {
    out.push_back(rewrite_stmt(stmt, {}, [](const Stmt& s) -> Stmt {
      const Block* block = s.as<Block>();
      if (!block) return s;
      Stmts parts;
      Expr start;
      for (const IterVar& iter : block->iters) {
        if (iter.kind != IterKind::Reduce) continue;
        Expr here = eq(Expr(iter.var), iter.dom.min);
        start = start ? land(start, here) : here;
      }
      if (block->init) parts.push_back(start ? make_stmt(If{start, block->init, {}}, s->span) : block->init);
      parts.push_back(block->body);
      Stmt body = seq(std::move(parts));
      if (block->predicate) body = make_stmt(If{block->predicate, body, {}}, s->span);
      VarMap put_in;
      for (size_t k = block->iters.size(); k-- > 0;) {
        const IterVar& iter = block->iters[k];
        if (is_data(iter.binding) || has_choice(iter.binding)) {
          body = make_stmt(LetStmt{iter.var, iter.binding, body}, s->span);
        } else {
          put_in.emplace(iter.var, iter.binding);
        }
      }
      return substitute(body, put_in);
    }));
  }
  return out;
}

StepWalk::Ask StepWalk::twins(const Stmts& b, const Stmts& a) {
  const Names outside = names_;
  asks_.clear(), views_.clear(), moved_.clear(), lands_.clear();
  const bool are = twin(b, a);
  Names inside = std::move(names_);
  names_ = outside;
  if (!are) return asks_.clear(), Ask{};
  return [=, this] {
    names_ = inside;
    quiet_ = true;
    for (const Stmt& s : b) stmt(s);
    quiet_ = false;
    names_ = outside;
    asks_.clear();
  };
}

bool StepWalk::twin(const Stmts& b, const Stmts& a) {
  // Views of memory that exists, which only the program after has.
  const DeclBuffer* view = a.size() == 1 ? a[0].as<DeclBuffer>() : nullptr;
  if (view && (b.size() != 1 || !b[0].as<DeclBuffer>())) {
    return is_flat(view->buffer) && twin(b, parts_of(view->body));
  }
  if (b.size() != a.size()) return false;
  for (size_t k = 0; k < b.size(); ++k) {
    if (b[k]->record.index() != a[k]->record.index()) return false;
    if (!names_.attempt([&](Names& tried) { return tried.head(b[k], a[k]); })) {
      twin_at_ = b[k];
      if (!twin_head(b[k], a[k])) return false;
    }
    const Stmts inside = children(b[k]), now = children(a[k]);
    if (inside.size() != now.size()) return false;
    for (size_t j = 0; j < inside.size(); ++j) {
      if (!twin(parts_of(inside[j]), parts_of(now[j]))) return false;
    }
  }
  return true;
}

bool StepWalk::twin_head(const Stmt& before, const Stmt& after) {
  if (const Store* b = before.as<Store>()) {
    const Store& a = *after.as<Store>();
    return twin_access(b->buffer, b->indices, a.buffer, a.indices) && twin_expr(b->value, a.value);
  }
  if (const AllocBuffer* alloc = before.as<AllocBuffer>()) {
    const Buffer &b = alloc->buffer, &a = after.as<AllocBuffer>()->buffer;
    if (!(b->dtype == a->dtype) || !is_compact(b) || !is_compact(a)) return false;
    if (!b->axis_separators.empty() && a->axis_separators.empty()) return false;
    const bool flat = a->ndim() == 1 && product(a->shape) >= 0 && b->axis_separators.empty() &&
                      product(a->shape) == product(b->shape);
    (flat ? views_ : moved_)[b] = a;
    if (!flat) later([=, this, buffer = b] { cells_correspond(before, buffer); });
    return true;
  }
  const bool known =
      before.as<For>() || before.as<If>() || before.as<LetStmt>() || before.as<Evaluate>() || before.as<Block>();
  return known && names_.head(before, after, [this](const Expr& b, const Expr& a) { return twin_expr(b, a); });
}

/// Asked where the statement stands, under the conditions inside of the expression.
void StepWalk::later(const Ask& ask) {
  const std::vector<std::pair<Expr, bool>> under = twin_guards_;
  const Stmt at = twin_at_;
  asks_[at.get()].push_back([=, this] {
    if (const Block* block = at.as<Block>()) {  // what it binds stands in its domains and its predicate
      for (const IterVar& iter : block->iters) terms_.bind(iter.var, terms_.term(iter.binding));
    }
    for (const auto& [guard, holds] : under) {
      const std::string condition = terms_.term(guard);
      guards_.push_back(holds ? condition : "(not " + condition + ")");
    }
    ask();
    guards_.resize(guards_.size() - under.size());
  });
}

bool StepWalk::twin_expr(const Expr& b, const Expr& a) {
  if (!b || !a) return !b && !a;
  if (names_.attempt([&](Names& tried) { return tried.same(b, a); })) return true;
  if (!(b->dtype == a->dtype)) return false;
  if (has_term(b->dtype) && b->dtype.lanes == 1 && !is_data(b) && !is_data(a)) {
    const Expr mine = names_.mine(a);
    later([=, this] {
      claim_here("(= " + terms_.term(b) + " " + terms_.term(mine) + ")",
                 "an expression has the value of the one that stood there");
    });
    return true;
  }
  if (b->op != a->op || b->wraps != a->wraps) return false;
  if (b->op == Op::Load) return twin_access(b->buffer(), b->args, a->buffer(), a->args);
  if (b->op == Op::Let || b->op == Op::Var || b->args.empty() || !(b->payload == a->payload)) return false;
  if (b->op == Op::IfThenElse && a->args.size() == 3 && twin_expr(b->args[0], a->args[0])) {
    bool fits = true;
    for (size_t side : {1, 2}) {
      twin_guards_.emplace_back(b->args[0], side == 1);
      fits = fits && twin_expr(b->args[side], a->args[side]);
      twin_guards_.pop_back();
    }
    return fits;
  }
  return twin_exprs(b->args, a->args);
}

bool StepWalk::twin_exprs(const std::vector<Expr>& b, const std::vector<Expr>& a) {
  auto are = [this](const Expr& x, const Expr& y) { return twin_expr(x, y); };
  return std::equal(b.begin(), b.end(), a.begin(), a.end(), are);
}

bool StepWalk::twin_access(const Buffer& buffer, const std::vector<Expr>& at, const Buffer& other,
                           const std::vector<Expr>& other_at) {
  if (names_.paired(buffer, other)) return twin_exprs(at, other_at);
  auto plain = [](const Expr& e) { return !is_data(e) && e->dtype.lanes == 1; };
  if (!std::all_of(at.begin(), at.end(), plain)) return false;
  if (!std::all_of(other_at.begin(), other_at.end(), plain)) return false;
  std::vector<Expr> lands;
  for (const Expr& e : other_at) lands.push_back(names_.mine(e));
  if (auto found = moved_.find(buffer); found != moved_.end()) {
    // (One expression may stand at several places.)
    return found->second == other && lands_.try_emplace(&at, lands).first->second == lands;
  }
  auto found = views_.find(buffer);
  const auto data = names_.vars().find(other->data);
  const bool view = data != names_.vars().end() && data->second == buffer->data && is_flat(buffer) && is_flat(other) &&
                    buffer->dtype == other->dtype;
  if (!view && (found == views_.end() || !(found->second == other))) return false;
  const std::vector<Expr>* here = &at;
  later([=, this] {
    if (!layouts_.count(buffer.operator->())) return void(failed_ = true);
    if (!layouts_.count(other.operator->())) declare(other);
    const std::vector<std::string> one = terms_.terms(*here), two = terms_.terms(lands);
    claim_here("(= " + address(buffer, one) + " " + address(other, two) + ")",
               "the cell of " + buffer->name + " is the one that it was");
  });
  return true;
}

void StepWalk::touch(const Buffer& buffer, const std::vector<Expr>& indices, bool write) {
  Walk::touch(buffer, indices, write);
  auto lands = lands_.find(&indices);
  if (lands != lands_.end()) touches_->back().other = terms_.terms(lands->second);
}

/// In one life of the memory: two accesses meet in one cell where, and only where, they did.
void StepWalk::cells_correspond(const Stmt& alloc, const Buffer& buffer) {
  const std::vector<Touch> one = touched(1, {alloc}), other = touched(2, {alloc});
  for (const Touch& a : one) {
    for (const Touch& b : other) {
      if (!(a.buffer->data == buffer->data) || !(b.buffer->data == buffer->data)) continue;
      if (!(a.buffer == buffer) || !(b.buffer == buffer) || a.other.empty() != a.at.empty()) failed_ = true;
      if (!(a.write || b.write) || failed_) continue;
      std::vector<std::string> given = a.given;
      given.insert(given.end(), b.given.begin(), b.given.end());
      claim_here(
          "(=> " + conjunction(given) + " (= " + all_equal(a.at, b.at) + " " + all_equal(a.other, b.other) + "))",
          "two accesses of " + buffer->name + " meet where, and only where, they did: '" + one_line(a.stmt) +
              "' and '" + one_line(b.stmt) + "'");
    }
  }
}

}  // namespace hexproof::checker
