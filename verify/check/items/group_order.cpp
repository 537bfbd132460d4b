#include "verify/check/items/group_order.h"

#include "ir/base/mutant.h"
#include "verify/facts/memory_size.h"

namespace hexproof {
namespace {

Expr sum(const Expr& a, const Expr& b) { return fold(binary(Op::Add, a, b, false)); }
Expr difference(const Expr& a, const Expr& b) { return fold(binary(Op::Sub, a, b, false)); }
Expr product(const Expr& a, const Expr& b) {
  if (is_int(a, 0) || is_int(b, 0)) return imm(kInt64, 0);
  return fold(binary(Op::Mul, a, b, false));
}

bool holds_group(const Stmt& stmt, int64_t queue) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    const AsyncCommit* group = s.as<AsyncCommit>();
    found |= group && group->queue == queue;
    return !found;
  });
  return found;
}

}  // namespace

Expr is_number_of_groups(const Expr& count) {
  if (as_int(count)) return boolean(int_value(count) >= 0 && int_value(count) <= max_value(kInt64));
  const Expr small = counted_in_int64(count), positive = le(zero(count->dtype), count);
  return is_int(small, 1) ? positive : land(positive, small);
}

GroupOrder::GroupOrder(const PrimFunc& func) : func_(func) {
  walk_with_facts(func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    if (!facts.loops.empty()) ranges_.emplace(facts.loops.back().var, facts.loops.back());
    if (const AsyncWait* wait = s.as<AsyncWait>())
      counts_[path] = inline_lets(facts.resolve(wait->inflight), facts.loops);
    const Block* block = s.as<Block>();
    auto left_out = [&](const Stmt& part) {
      visit_stmt(part, [&](const Stmt& inner) {
        if (const AsyncCommit* group = inner.as<AsyncCommit>()) conditional_.insert(group->queue);
        return true;
      });
    };
    if (HEXPROOF_MUTANT("in-flight/branches-always-run", s.as<If>() || (block && block->predicate), false)) left_out(s);
    if (block && block->init) left_out(block->init);
    return true;
  });
}

std::optional<Expr> GroupOrder::total(int64_t queue, const Stmt& stmt) const {
  if (!holds_group(stmt, queue)) return imm(kInt64, 0);
  if (stmt.as<AsyncCommit>()) return imm(kInt64, 1);
  Expr out = imm(kInt64, 0);
  for (const Stmt& part : children(stmt)) {
    std::optional<Expr> one = total(queue, part);
    if (!one) return std::nullopt;
    out = sum(out, *one);
  }
  const For* loop = stmt.as<For>();
  if (!loop) return out;
  const LoopRange& range = ranges_.at(loop->var);
  if (uses_var(out, loop->var) || is_data(range.extent)) return std::nullopt;
  const Expr runs = wide(range.extent);
  return product(as_int(runs) ? imm(kInt64, std::max<int64_t>(*as_int(runs), 0)) : max(runs, imm(kInt64, 0)), out);
}

std::optional<Expr> GroupOrder::before(int64_t queue, const Path& path) const {
  Expr out = imm(kInt64, 0);
  Stmt at = func_.body;
  for (int k : path) {
    const std::vector<Stmt> parts = children(at);
    for (int j = 0; j < k; ++j) {
      std::optional<Expr> one = total(queue, parts[static_cast<size_t>(j)]);
      if (!one) return std::nullopt;
      out = sum(out, *one);
    }
    if (const For* loop = at.as<For>(); loop && holds_group(at, queue)) {
      const LoopRange& range = ranges_.at(loop->var);
      std::optional<Expr> one = total(queue, loop->body);
      if (!one || uses_var(*one, loop->var) || is_data(range.min)) return std::nullopt;
      // (How often the loop ran is counted in int64; where it stands, a uint64 may be beyond.)
      const Expr ran = binary(Op::Sub, Expr(loop->var), as_type(loop->var.dtype(), range.min), false);
      out = sum(out, product(HEXPROOF_MUTANT("in-flight/rounds-past-int64", wide(fold(ran)),
                                             difference(wide(Expr(loop->var)), wide(range.min))),
                             *one));
    }
    at = parts[static_cast<size_t>(k)];
  }
  return out;
}

std::optional<Expr> GroupOrder::behind(int64_t queue, const Path& path) const {
  std::optional<Expr> first = before(queue, path), own = total(queue, stmt_at(func_, path));
  return first && own ? std::optional(sum(*first, *own)) : std::nullopt;
}

void GroupOrder::one_wait(int64_t queue, const Path& path, const std::vector<Expr>& when, const VarMap& map,
                          std::vector<WaitBefore>* out) const {
  const Expr count = counts_.at(path);
  if (is_data(count) || (!is_int(count, 0) && conditional_.count(queue))) return;
  std::optional<Expr> started = before(queue, path);
  if (!started) return;
  Expr below = HEXPROOF_MUTANT("in-flight/waits-leave-one-less", difference(*started, wide(count)),
                               sum(difference(*started, wide(count)), imm(kInt64, 1)));
  out->push_back({when, substitute(below, map)});
}

void GroupOrder::sure_waits(int64_t queue, const Stmt& stmt, const Path& path, const std::vector<Expr>& when,
                            const VarMap& map, std::vector<WaitBefore>* out) const {
  if (stmt.as<If>() || stmt.as<AsyncCommit>()) return;
  const Block* block = stmt.as<Block>();
  if (block && block->predicate) return;
  const AsyncWait* wait = stmt.as<AsyncWait>();
  if (wait && wait->queue == queue) one_wait(queue, path, when, map, out);
  const std::vector<Stmt> parts = children(stmt);
  std::vector<Expr> inner = when;
  VarMap values = map;
  if (const For* loop = stmt.as<For>()) {
    const LoopRange& range = ranges_.at(loop->var);
    if (is_data(range.min) || is_data(range.extent)) return;
    const Expr extent = substitute(range.extent, map), min = substitute(range.min, map);
    inner.push_back(ge(extent, imm(extent->dtype, 1)));
    const Expr last = fold(binary(Op::Add, min, fold(binary(Op::Sub, extent, imm(extent->dtype, 1), false)), false));
    values[loop->var] = last;
  }
  for (size_t k = block && block->init ? 1 : 0; k < parts.size(); ++k) {
    Path below = path;
    below.push_back(static_cast<int>(k));
    sure_waits(queue, parts[k], below, inner, values, out);
  }
}

std::vector<WaitBefore> GroupOrder::waits(int64_t queue, const Path& path, bool behind) const {
  std::vector<WaitBefore> out;
  Stmt at = func_.body;
  Path here;
  for (size_t d = 0; d <= path.size(); ++d) {
    const AsyncWait* wait = at.as<AsyncWait>();
    if (wait && wait->queue == queue) one_wait(queue, here, {}, {}, &out);
    if (d == path.size()) break;
    const std::vector<Stmt> parts = children(at);
    const auto next = static_cast<size_t>(path[d]);
    auto part_path = [&](size_t k) {
      Path below = here;
      below.push_back(static_cast<int>(k));
      return below;
    };
    if (at.as<Seq>()) {
      for (size_t k = 0; k < next; ++k) sure_waits(queue, parts[k], part_path(k), {}, {}, &out);
    }
    if (const For* loop = at.as<For>()) {
      // The iteration before this one.
      const LoopRange& range = ranges_.at(loop->var);
      const Expr var(loop->var), one = imm(var->dtype, 1);
      const bool in_order = range.kind == ForKind::Serial || range.kind == ForKind::Unrolled;
      if (in_order && !is_data(range.min)) {
        const VarMap earlier = {{loop->var, fold(binary(Op::Sub, var, one, false))}};
        const Expr ran = HEXPROOF_MUTANT("in-flight/first-iteration-has-one-before", gt(var, range.min), boolean(true));
        sure_waits(queue, loop->body, part_path(0), {ran}, earlier, &out);
      }
    }
    at = parts[next];
    here.push_back(path[d]);
  }
  if (behind) sure_waits(queue, at, here, {}, {}, &out);
  return out;
}

}  // namespace hexproof
