#include "rewrite/memory/dependence.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "rewrite/site/data_vars.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

bool reads_any(const Expr& e, const std::set<Var>& memory) {
  bool found = false;
  visit_expr(e, [&](const Expr& node) {
    found |= node->op == Op::Undef || loads_from(node, memory);
    return !found;
  });
  return found;
}

/// T[c] = T[c] op e, where c and e read nothing of T.
struct Update {
  Op op;
  DType type;
};

std::optional<Update> update_of(const Access& access) {
  const Store* store = access.stmt.as<Store>();
  if (!store || !(store->buffer == access.buffer)) return std::nullopt;
  auto reads_target = [&](const Expr& e) { return reads_any(e, {store->buffer->data}); };
  for (const Expr& index : store->indices) {
    if (!index->dtype.is_scalar() || reads_target(index)) return std::nullopt;
  }
  const Expr& value = store->value;
  if (value->args.size() != 2) return std::nullopt;
  // In another order, index arithmetic may overflow on the way.
  if (may_wrap(value->op, value->dtype) && !value->wraps) return std::nullopt;
  auto is_target = [&](const Expr& e) {
    return e->op == Op::Load && e->buffer() == store->buffer && e->args == store->indices;
  };
  bool left = is_target(value->args[0]) && !reads_target(value->args[1]);
  bool right = is_target(value->args[1]) && !reads_target(value->args[0]);
  if (value->op == Op::Sub) return left ? std::optional<Update>({Op::Add, value->dtype}) : std::nullopt;
  const OpInfo& op = info(value->op);
  if (!op.commutative || !op.associative || (!left && !right)) return std::nullopt;
  return Update{value->op, value->dtype};
}

/// Two accumulations that may change places.
std::optional<Update> exchangeable(const PrimFunc& func, const Access& a, const Access& b) {
  if (!(a.buffer == b.buffer)) return std::nullopt;
  std::optional<Update> first = update_of(a), second = update_of(b);
  if (!first || !second || first->op != second->op) return std::nullopt;
  // The cell that is read is the one that is written, unless the index has another value at its second evaluation.
  const OpenRounding open = open_rounding_of(func);
  for (const Access* access : {&a, &b}) {
    for (const Expr& index : access->stmt.as<Store>()->indices) {
      if (chooses(index, open)) return std::nullopt;
    }
  }
  if (first->type.is_integer()) return first;
  bool sum_or_product = first->op == Op::Add || first->op == Op::Mul;
  return first->type.is_float() && sum_or_product && func.granted("reassoc") ? first : std::nullopt;
}

Obligation law_of(const std::string& rule, const Update& update, const PrimFunc& func, const Stmt& stmt) {
  std::string op(info(update.op).text);
  std::string why = "accumulations by " + op + " in " + update.type.str() + " may change places";
  if (update.type.is_float()) {
    Obligation granted = need(rule, why + ": `reassoc` is granted", func, stmt, {}, boolean(true));
    granted.flags = {"reassoc"};
    return granted;
  }
  // Opaque values, because data wraps.
  auto value = [&](const char* name) { return uninterpreted(Op::Opaque, update.type, name, {}); };
  auto apply = [&](const Expr& a, const Expr& b) { return binary(update.op, a, b); };
  Expr t = value("t"), a = value("a"), b = value("b");
  return need(rule, why, func, stmt, {}, eq(apply(apply(t, a), b), apply(apply(t, b), a)));
}

std::string described(const Access& access) {
  return print(load(access.buffer, access.indices)) + (access.write ? " (written)" : " (read)");
}

}  // namespace

namespace {

/// The memory that a statement writes, with that of the buffers it allocates.
std::set<Var> unstable_memory(const Stmt& stmt) {
  std::set<Var> memory = data_written(stmt);
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) memory.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>()) memory.insert(a->data);
    return true;
  });
  return memory;
}

}  // namespace

Period::Period(const PrimFunc& func, const Path& first, const Path& last)
    : func_(func), first_(first), last_(last), start_(facts_at(func, first)) {
  if (first == last) {
    unstable_ = unstable_memory(stmt_at(func, first));
    return;
  }
  const Path around = above(first);
  HEXPROOF_CHECK(above(last) == around && first.back() <= last.back(), "a period of statements of one sequence");
  for (int k = first.back(); k <= last.back(); ++k) unstable_.merge(unstable_memory(stmt_at(func, below(around, k))));
}

std::vector<Access> Period::accesses(const Path& at) const { return accesses(stmt_at(func_, at), at); }

std::vector<Access> Period::accesses(const Stmt& stmt, const Path& at) const {
  bool inside = is_within(at, first_) || is_within(at, last_);
  if (!inside && first_ != last_ && is_within(at, above(first_)) && at.size() >= first_.size()) {
    inside = first_.back() <= at[first_.size() - 1] && at[first_.size() - 1] <= last_.back();
  }
  HEXPROOF_CHECK(inside, "an access that lies outside of the period");
  const Facts facts = facts_at(func_, at);
  std::set<Var> own;
  visit_stmt(stmt, [&](const Stmt& s) {
    if (const AllocBuffer* a = s.as<AllocBuffer>()) own.insert(a->buffer->data);
    if (const Allocate* a = s.as<Allocate>()) own.insert(a->data);
    return true;
  });
  std::vector<Access> accesses;
  for (Access& access : footprint(stmt, facts)) {
    if (own.count(access.buffer->data)) continue;
    accesses.push_back(at_any_moment(std::move(access), unstable_));
  }
  return accesses;
}

std::vector<Access> renamed(const std::vector<Access>& accesses, const VarMap& map) {
  std::vector<Access> copies;
  for (const Access& access : accesses) {
    Access copy = access;
    VarMap all = map;
    auto rename_free = [&](const Expr& e) {
      for (const Var& v : free_vars(e)) {
        if (v.is_any_value() && !all.count(v)) all.emplace(v, any_value(v.dtype()));
      }
    };
    for (const Expr& index : copy.indices) rename_free(index);
    for (const Expr& guard : copy.guards) rename_free(guard);
    for (const LoopRange& loop : copy.loops) rename_free(loop.min), rename_free(loop.extent);
    for (const Expr& e : copy.layout.shape) rename_free(e);
    for (const Expr& e : copy.layout.strides) rename_free(e);
    if (copy.layout.offset) rename_free(copy.layout.offset);
    copies.push_back(rename_apart(copy, {}, all).access);
  }
  return copies;
}

void owe_no_conflict(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                     const std::vector<Expr>& given, const std::vector<Access>& first,
                     const std::vector<Access>& second, Sums sums, std::vector<Obligation>* needs, OwedLaws* owed) {
  Place where = place_of(func, stmt);
  OwedLaws here;
  if (!owed) owed = &here;
  for (const Access& a : first) {
    for (const Access& b : second) {
      const bool reads_alone =
          HEXPROOF_MUTANT("access/only-writes-conflict", !a.write && !b.write, !a.write || !b.write);
      if (reads_alone || !may_alias(a.buffer, b.buffer)) continue;
      if (sums == Sums::Exchange) {
        if (std::optional<Update> update = exchangeable(func, a, b)) {
          const std::pair<Op, DType> law{update->op, update->type};
          if (std::find(owed->begin(), owed->end(), law) != owed->end()) continue;
          owed->push_back(law);
          needs->push_back(law_of(rule, *update, func, stmt));
          continue;
        }
      }
      std::string pair = why + ": " + described(a) + " and " + described(b);
      for (Obligation& o : disjoint(rule, pair, where, given, a, b)) needs->push_back(std::move(o));
    }
  }
}

VarMap fresh_copies(const std::vector<For>& loops) {
  VarMap map;
  for (const For& loop : loops) map.emplace(loop.var, Var::fresh(loop.var.name() + "_2", loop.var.dtype()));
  return map;
}

}  // namespace hexproof
