#include "rewrite/memory/must_write.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/memory/argument_padding.h"
#include "verify/memory/quick.h"

namespace hexproof {
namespace {

std::vector<Access> writes_to(const Stmt& stmt, const Facts& facts, const Buffer& buffer) {
  std::vector<Access> writes = stores_of(footprint(stmt, facts));
  std::erase_if(writes, [&](const Access& w) { return !(w.buffer == buffer) || !w.exact; });
  return writes;
}

/// The reads that stand in the statement itself, not in its parts.
std::vector<Access> own_reads(const Stmt& stmt, const Facts& facts, const Buffer& buffer) {
  std::vector<Stmt> parts = children(stmt);
  for (Stmt& part : parts) part = empty_stmt();
  Stmt shell = parts.empty() ? stmt : with_children(stmt, parts);
  std::vector<Access> reads = reads_of(footprint(shell, facts));
  std::erase_if(reads, [&](const Access& r) { return !may_alias(r.buffer, buffer); });
  return reads;
}

using Alternatives = std::vector<std::vector<Obligation>>;

class Search {
 public:
  Search(const std::string& rule, const PrimFunc& func, const Path& scope, const Buffer& buffer)
      : rule_(rule), func_(func), scope_(scope), buffer_(buffer), outside_(facts_at(func, scope)) {}

  std::vector<Obligation> run() {
    walk_with_facts(func_, [&](const Stmt& s, const Path& at, const Facts& facts) {
      if (!is_within(at, scope_)) return is_within(scope_, at);
      for (const Access& read : own_reads(s, facts, buffer_)) one(s, at, facts, read);
      return true;
    });
    return std::move(needs_);
  }

 private:
  void one(const Stmt& stmt, const Path& at, const Facts& facts, const Access& read) {
    Alternatives found;
    std::vector<Expr> given = join(facts.given(), read.guards);
    Place where = place_of(func_, stmt);
    for (Path around = at; around.size() > scope_.size();) {
      int part = around.back();
      around = above(around);
      Stmt here = stmt_at(func_, around);
      if (const Block* block = here.as<Block>(); block && block->init && part == 1) {
        if (found.empty()) found = by_init(around, *block, given, where, read);
      }
      if (!here.as<Seq>()) continue;
      for (int earlier = part; earlier-- > 0;) {
        Path sibling = below(around, earlier);
        std::vector<Access> writes = writes_to(stmt_at(func_, sibling), facts_at(func_, sibling), buffer_);
        if (found.empty()) found = covers(rule_, why(), where, given, writes, read);
      }
    }
    if (found.empty())
      throw NotApplicable("a read of '" + buffer_->name +
                          "' has no write before it inside of the new place: " + where.statement);
    for (Obligation& o : found.front()) needs_.push_back(std::move(o));
  }

  std::string why() const { return "what is read from '" + buffer_->name + "' was written here before"; }

  /// The block's init wrote the cell in the instance that has the same spatial values and every loop that only
  /// reductions depend on at its first value: it came before, or it is this one.
  Alternatives by_init(const Path& at, const Block& block, const std::vector<Expr>& given, const Place& where,
                       const Access& read) {
    // What decides whether the instance ran must be the same at another time: no part of it may be data.
    for (Path around = at;; around = above(around)) {
      Facts facts = facts_at(func_, around);
      for (const Expr& e : expressions(stmt_at(func_, around))) {
        if (e && is_data(inline_lets(facts.resolve(e), facts.loops))) return {};
      }
      if (around.size() <= scope_.size()) break;
    }
    Facts inside = facts_at(func_, below(at, 0));
    VarMap first;
    for (size_t k = outside_.loops.size(); k < inside.loops.size(); ++k) {
      const LoopRange& loop = inside.loops[k];
      bool spatial = std::any_of(block.iters.begin(), block.iters.end(), [&](const IterVar& iter) {
        return iter.kind != IterKind::Reduce && uses_var(inside.resolve(iter.binding), loop.var);
      });
      if (spatial) continue;
      if (loop.kind != ForKind::Serial && loop.kind != ForKind::Unrolled) return {};
      first.emplace(loop.var, substitute(loop.min, first));
    }
    std::vector<Obligation> same_instance;
    auto owe = [&](const std::string& because, const Expr& goal) {
      same_instance.push_back({rule_, because, where, given, goal});
    };
    for (size_t k = outside_.loops.size(); k < inside.loops.size(); ++k) {
      const LoopRange& loop = inside.loops[k];
      Expr var = substitute(Expr(loop.var), first), min = substitute(loop.min, first);
      Expr extent = substitute(loop.extent, first);
      if (!first.count(loop.var) && min == loop.min && extent == loop.extent) continue;
      if (!first.count(loop.var)) owe("the loop ran at the start of the reduction", le(min, var));
      owe("the loop ran at the start of the reduction", lt(var, min + extent));
    }
    for (const Expr& c : inside.conditions) {
      const std::vector<Expr>& known = outside_.conditions;
      if (std::find(known.begin(), known.end(), c) != known.end()) continue;
      if (is_data(c)) return {};
      owe("the block's init ran for the same spatial values", substitute(c, first));
    }
    std::vector<Access> writes = writes_to(block.init, inside, buffer_);
    for (Access& w : writes) {
      for (Expr& i : w.indices) i = substitute(i, first);
      for (Expr& g : w.guards) g = substitute(g, first);
      for (LoopRange& l : w.loops) l.min = substitute(l.min, first), l.extent = substitute(l.extent, first);
    }
    Alternatives found = covers(rule_, why(), where, given, writes, read);
    for (std::vector<Obligation>& needs : found) {
      needs.insert(needs.end(), same_instance.begin(), same_instance.end());
      needs = as_one_way(std::move(needs));
    }
    return found;
  }

  const std::string& rule_;
  const PrimFunc& func_;
  const Path& scope_;
  const Buffer& buffer_;
  Facts outside_;
  std::vector<Obligation> needs_;
};

}  // namespace

std::vector<Obligation> written_before_read(const std::string& rule, const PrimFunc& func, const Path& scope,
                                            const Buffer& buffer) {
  return Search(rule, func, scope, buffer).run();
}

namespace {

/// Some cell of a box, and that it lies there.
struct BoxCell {
  Access cell;
  std::vector<Expr> given;
};
BoxCell cell_of_box(const Facts& facts, const Buffer& buffer, const std::vector<Var>& names,
                    const std::vector<Expr>& base, const std::vector<Expr>& extent) {
  BoxCell out{access_of(buffer, {}, facts.layout(buffer)), facts.given()};
  for (size_t d = 0; d < base.size(); ++d) {
    Var v = names.empty() ? Var::fresh("c" + std::to_string(d), base[d]->dtype) : names[d];
    out.given = join(out.given, range_of(Expr(v), facts.resolve(base[d]), facts.resolve(extent[d])));
    out.cell.indices.emplace_back(v);
  }
  return out;
}

/// One of the alternatives, each all of its goals.
Expr one_of(const Alternatives& ways) {
  Expr any;
  for (const std::vector<Obligation>& way : ways) {
    std::vector<Expr> goals;
    for (const Obligation& o : way) goals.push_back(o.goal);
    any = any ? lor(any, all(goals)) : all(goals);
  }
  return any;
}

}  // namespace

std::vector<Obligation> writes_whole_region(const std::string& rule, const std::string& why, const PrimFunc& func,
                                            const Path& scope, const Buffer& buffer, const std::vector<Expr>& base,
                                            const std::vector<Expr>& extent) {
  Stmt stmt = stmt_at(func, scope);
  Facts facts = facts_at(func, scope);
  BoxCell box = cell_of_box(facts, buffer, {}, base, extent);
  const std::vector<Access> writes = writes_to(stmt, facts, buffer);
  Alternatives found = covers(rule, why, place_of(func, stmt), box.given, writes, box.cell);
  if (found.empty()) throw NotApplicable("no write of '" + buffer->name + "' is found that fills the region");
  return std::move(found.front());
}

std::vector<Obligation> write_whole_region(const std::string& rule, const std::string& why, const PrimFunc& func,
                                           const std::vector<Path>& scopes, const Buffer& buffer,
                                           const std::vector<Expr>& base, const std::vector<Expr>& extent) {
  Alternatives found;
  std::vector<Expr> given;
  std::vector<Var> names;
  for (const Expr& e : base) names.push_back(Var::fresh("c" + std::to_string(names.size()), e->dtype));
  for (const Path& scope : scopes) {
    Stmt stmt = stmt_at(func, scope);
    Facts facts = facts_at(func, scope);
    BoxCell box = cell_of_box(facts, buffer, names, base, extent);
    given = box.given;
    for (auto& way : covers(rule, why, place_of(func, stmt), box.given, writes_to(stmt, facts, buffer), box.cell)) {
      found.push_back(std::move(way));
    }
  }
  if (found.empty()) throw NotApplicable("no write of '" + buffer->name + "' is found that fills the region");
  // A way without goals is a write of the cell itself, in any case: there is nothing more to prove.
  return as_one_way({{rule, why, place_of(func, stmt_at(func, scopes.front())), given, one_of(found)}});
}

namespace {
/// x // c * c == x as x % c == 0.
Expr as_remainder(const Expr& e) {
  if (e->op != Op::EQ || e->args[0]->op != Op::Mul || e->args[0]->args[0]->op != Op::FloorDiv) return e;
  const Expr &x = e->args[1], &quotient = e->args[0]->args[0], &c = e->args[0]->args[1];
  bool same = as_int(c) && quotient->args[1] == c && quotient->args[0] == x;
  return same ? eq(floormod(x, c), zero(x->dtype)) : e;
}
}  // namespace

Expr cells_written(const PrimFunc& func, const Path& scope, const Buffer& buffer, const std::vector<Var>& cell,
                   const std::vector<Expr>& base, const std::vector<Expr>& extent) {
  Stmt stmt = stmt_at(func, scope);
  Facts facts = facts_at(func, scope);
  BoxCell box = cell_of_box(facts, buffer, cell, base, extent);
  Quick quick(box.given);
  Alternatives found = covers("", "", place_of(func, stmt), box.given, writes_to(stmt, facts, buffer), box.cell);
  for (std::vector<Obligation>& way : found) {
    std::erase_if(way, [&](const Obligation& o) { return quick.implies(o.goal); });
    if (way.empty()) return boolean(true);
    for (Obligation& o : way) o.goal = as_remainder(o.goal);
  }
  if (found.empty()) throw NotApplicable("no write of '" + buffer->name + "' is found that fills the region");
  return one_of({found.front()});
}

std::vector<Obligation> argument_region_has_values(const std::string& rule, const PrimFunc& func, const Path& seq,
                                                   int index, size_t param, const std::vector<Expr>& base,
                                                   const std::vector<Expr>& extent) {
  std::optional<ArgumentPadding> padding = argument_padding(func, param);
  if (!padding) return {};
  const Buffer& buffer = func.params[param].buffer;
  Path at = index < 0 ? seq : below(seq, index);
  Stmt stmt = stmt_at(func, at);
  Facts facts = facts_at(func, at);
  std::string why = "what is copied from '" + buffer->name + "' is no padding that nobody filled";
  std::vector<Expr> given = facts.given();
  Access cell = access_of(buffer, {}, facts.layout(buffer));
  for (size_t d = 0; d < base.size(); ++d) {
    Var v = Var::fresh("c" + std::to_string(d), base[d]->dtype);
    given = join(given, range_of(Expr(v), facts.resolve(base[d]), facts.resolve(extent[d])));
    cell.indices.emplace_back(v);
  }
  Expr unfilled = padding->at(cell.indices);
  for (int earlier = index; earlier-- > 0;) {
    Path before = below(seq, earlier);
    std::vector<Access> writes = writes_to(stmt_at(func, before), facts_at(func, before), buffer);
    if (writes.empty()) continue;
    Alternatives found = covers(rule, why, place_of(func, stmt), join(given, {unfilled}), writes, cell);
    if (!found.empty()) return std::move(found.front());
  }
  return {{rule, why, place_of(func, stmt), given, lnot(unfilled)}};
}

}  // namespace hexproof
