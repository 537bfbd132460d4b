#include "rewrite/memory/reindexed_cache.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "rewrite/kernel/engine_limit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

bool uses_any(const std::vector<Expr>& list, const Var& var) {
  return std::any_of(list.begin(), list.end(), [&](const Expr& e) { return uses_var(e, var); });
}

/// g and the shape of the cache, by the map or as the variables that e speaks of.
struct CachePlaces {
  std::vector<Expr> place, shape;
};
CachePlaces places_of(const PrimFunc& func, const ReindexedArgs& args, const ReindexedCache& c) {
  std::vector<Expr> vars, extents;
  for (const IterVar& iter : c.block.iters) {
    demand_box(func, iter);
    require_index(func, iter.binding, "a binding of the block");
    vars.emplace_back(iter.var);
    extents.push_back(iter.dom.extent);
  }
  if (args.map) {
    const IndexMap& map = *args.map;
    if (map.inputs.size() != vars.size()) {
      throw NotApplicable("the index map takes " + std::to_string(map.inputs.size()) + " indices, and the block has " +
                          std::to_string(vars.size()) + " variables");
    }
    for (size_t k = 0; k < vars.size(); ++k) {
      const DType of = map.inputs[k].dtype();
      if (HEXPROOF_MUTANT("cache/index-types-differ", vars[k]->dtype != of || extents[k]->dtype != of, false))
        throw EngineLimit("an index map of " + map.inputs[k].dtype().str() + " over a variable of " +
                          vars[k]->dtype.str());
    }
    const auto [layout, fault] = layout_of(map, extents);
    if (!layout) throw NotApplicable(fault.empty() ? "the extents of the cache are not found" : fault);
    return {apply_map(map, vars), layout->shape};
  }
  CachePlaces out;
  for (size_t k = 0; k < vars.size(); ++k) {
    if (!uses_any(c.cell, c.block.iters[k].var)) continue;
    out.place.push_back(vars[k]);
    out.shape.push_back(extents[k]);
  }
  return out;
}

/// v in the box, v renamed by `names` if given.
std::vector<Expr> in_box(const Facts& facts, const ReindexedCache& c, const VarMap& names) {
  std::vector<Expr> out;
  for (const IterVar& iter : c.used) {
    out =
        join(out, range_of(substitute(Expr(iter.var), names), zero(iter.var.dtype()), facts.resolve(iter.dom.extent)));
  }
  return out;
}

VarMap fresh_values(const ReindexedCache& c) {
  VarMap out;
  for (const IterVar& iter : c.used) out.emplace(iter.var, Expr(Var::fresh(iter.var.name(), iter.var.dtype())));
  return out;
}

std::vector<Expr> all_equal(const std::vector<Expr>& list, const VarMap& a, const VarMap& b) {
  std::vector<Expr> out;
  for (const Expr& e : list) out.push_back(eq(substitute(e, a), substitute(e, b)));
  return out;
}

}  // namespace

void demand_box(const PrimFunc& func, const IterVar& iter) {
  if (!is_int(iter.dom.min, 0)) throw NotApplicable("the domain of " + iter.var.name() + " does not start at 0");
  require_index(func, iter.dom.extent, "a domain of the block");
  const std::vector<Var> scalars = func.scalars();
  for (const Var& v : free_vars(iter.dom.extent)) {
    if (std::find(scalars.begin(), scalars.end(), v) == scalars.end()) {
      throw NotApplicable("the domain of " + iter.var.name() + " speaks of '" + v.name() + "'");
    }
  }
}

ReindexedCache reindexed_cache(const PrimFunc& func, const ReindexedArgs& args, bool write) {
  ReindexedCache c;
  c.block_path = block_arg(func, args.block);
  c.block = record_at<Block>(func, c.block_path, "a block");
  c.buffer = accessed_arg(func, args.buffer, args.index, c.block_path, write);
  c.stage = stage_around(func, c.block_path);
  const BufferSource source = buffer_arg(func, c.buffer);
  if (source.alloc && !is_within(c.stage.at, *source.alloc)) {
    throw NotApplicable("'" + c.buffer->name + "' is allocated inside of the nest");
  }
  demand_own_memory(func, c.buffer);
  demand_scalar_indices(stmt_at(func, c.stage.at), c.buffer);
  const std::vector<std::vector<Expr>> cells = touched_cells(c.block, c.buffer);
  if (cells.size() != 1) {
    throw NotApplicable("the body of the block touches '" + c.buffer->name + "' at " + std::to_string(cells.size()) +
                        " places, and not at one");
  }
  c.cell = cells[0];
  std::set<Var> known;
  for (const IterVar& iter : c.block.iters) known.insert(iter.var);
  for (const Var& v : func.scalars()) known.insert(v);
  for (const Expr& e : c.cell) {
    require_index(func, e, "an index of '" + c.buffer->name + "'");
    for (const Var& v : free_vars(e)) {
      if (!known.count(v)) throw NotApplicable("an index of '" + c.buffer->name + "' speaks of '" + v.name() + "'");
    }
  }
  const CachePlaces places = places_of(func, args, c);
  c.place = places.place;
  for (const IterVar& iter : c.block.iters) {
    if (uses_any(c.cell, iter.var) || uses_any(c.place, iter.var)) c.used.push_back(iter);
  }
  if (c.used.empty()) throw NotApplicable("the indices of '" + c.buffer->name + "' speak of no variable of the block");
  const std::string scope = args.scope.value_or("global");
  const std::string name = args.name ? *args.name : cache_of(c.buffer, scope)->name;
  if (name.empty() || !find_blocks(func, name).empty()) {
    throw NotApplicable("there is a block '" + name + "' already");
  }
  c.cache = make_buffer(name, c.buffer->dtype, places.shape, {.scope = scope.empty() ? "global" : scope});
  return c;
}

void owe_places(const std::string& rule, const PrimFunc& func, const ReindexedCache& c, bool one_to_one,
                std::vector<Obligation>* needs) {
  const Stmt block = stmt_at(func, c.block_path);
  const Facts outside = facts_at(func, c.stage.at), inside = facts_at(func, c.block_path);
  auto owe = [&](const std::string& why, const std::vector<Expr>& given, const Expr& goal) {
    needs->push_back(need(rule, why, func, block, given, goal));
  };
  std::vector<Expr> instance = inside.given();
  if (c.block.predicate) {
    VarMap bound;
    for (const IterVar& iter : c.block.iters) bound.emplace(iter.var, iter.binding);
    instance.push_back(inside.resolve(substitute(c.block.predicate, bound)));
  }
  for (const IterVar& iter : c.used) {
    for (const Expr& e :
         range_of(inside.resolve(iter.binding), zero(iter.var.dtype()), inside.resolve(iter.dom.extent)))
      owe("the values of " + iter.var.name() + " lie in the box that is copied", instance, e);
  }
  const VarMap one = fresh_values(c), other = fresh_values(c);
  const std::vector<Expr> box = join(outside.given(), in_box(outside, c, one));
  for (const Expr& e : c.cell)
    owe("the indices of the copy are no error", box, fits(outside.resolve(substitute(e, one))));
  for (size_t d = 0; d < c.place.size(); ++d) {
    const Expr at = outside.resolve(substitute(c.place[d], one));
    owe("the indices of the cache are no error", box, fits(at));
    for (const Expr& e : range_of(at, zero(at->dtype), as_type(at->dtype, outside.resolve(c.cache->shape[d]))))
      owe("the indices of the cache lie in it", box, e);
  }
  const std::vector<Expr> two = join(box, in_box(outside, c, other));
  const std::vector<Expr> same_place = all_equal(c.place, one, other), same_cell = all_equal(c.cell, one, other);
  for (const Expr& e : same_cell) owe("a place of the cache stands for one cell", join(two, same_place), e);
  if (one_to_one) {
    for (const Expr& e : same_place) owe("a cell has one place in the cache", join(two, same_cell), e);
  }
}

void owe_visited(const std::string& rule, const std::string& why, const PrimFunc& func, const ReindexedCache& c,
                 std::vector<Access> accesses, std::vector<Obligation>* needs) {
  const Facts outside = facts_at(func, c.stage.at), inside = facts_at(func, c.block_path);
  const VarMap value = fresh_values(c);
  std::vector<Expr> extents, bound, wanted;
  for (const IterVar& iter : c.used) {
    extents.push_back(outside.resolve(iter.dom.extent));
    bound.push_back(inside.resolve(iter.binding));
    wanted.push_back(value.at(iter.var));
  }
  // An instance "writes" the cell of its values: then it is found by the search for who writes a cell.
  const Buffer instances = make_buffer("instances", kInt32, extents);
  std::erase_if(accesses, [](const Access& a) { return !a.exact || a.anywhere; });
  for (Access& a : accesses) {
    a.buffer = instances, a.layout = layout_of(instances), a.indices = bound, a.write = true;
  }
  std::vector<std::vector<Obligation>> ways =
      covers(rule, why, place_of(func, stmt_at(func, c.block_path)), join(outside.given(), in_box(outside, c, value)),
             accesses, access_of(instances, wanted));
  if (ways.empty()) throw NotApplicable("no instance of the block is seen for each value of the box");
  for (Obligation& o : ways.front()) needs->push_back(std::move(o));
}

namespace {

/// for v in the box: with T.block(cache): buffer[indices] = value, all over v
Stmt box_nest(const ReindexedCache& c, const Buffer& buffer, const std::vector<Expr>& indices, const Expr& value) {
  VarMap names;
  Block block{.name = c.cache->name};
  std::vector<Var> loops;
  for (const IterVar& iter : c.used) {
    const std::string k = std::to_string(loops.size());
    loops.push_back(Var::fresh("ax" + k, iter.var.dtype()));
    const Var v = Var::fresh("v" + k, iter.var.dtype());
    block.iters.push_back({v, iter.dom, IterKind::Spatial, Expr(loops.back())});
    names.emplace(iter.var, Expr(v));
  }
  block.body = substitute(make_stmt(Store{buffer, indices, value}), names);
  Stmt out = make_stmt(std::move(block));
  for (size_t k = loops.size(); k-- > 0;) {
    out = make_stmt(For{.var = loops[k], .min = zero(loops[k].dtype()), .extent = c.used[k].dom.extent, .body = out});
  }
  return out;
}

}  // namespace

Stmt copy_of_box(const ReindexedCache& c, bool back) {
  return back ? box_nest(c, c.buffer, c.cell, load(c.cache, c.place))
              : box_nest(c, c.cache, c.place, load(c.buffer, c.cell));
}

Stmt fill_of_box(const ReindexedCache& c, const Expr& value) { return box_nest(c, c.cache, c.place, value); }

Stmt through_cache(const ReindexedCache& c, const Stmt& block, bool stores) {
  Block changed = *block.as<Block>();
  auto expr = [&](const Expr& e) {
    return rewrite_expr(
        e, [&](const Expr& x) { return x->op == Op::Load && x->buffer() == c.buffer ? load(c.cache, c.place) : x; });
  };
  auto stmt = [&](const Stmt& s) {
    const Store* store = s.as<Store>();
    if (!stores || !store || !(store->buffer == c.buffer)) return s;
    return make_stmt(Store{c.cache, c.place, store->value}, s->span);
  };
  if (changed.init) changed.init = rewrite_stmt(changed.init, expr, stmt);
  changed.body = rewrite_stmt(changed.body, expr, stmt);
  changed.reads.reset(), changed.writes.reset();
  return make_stmt(std::move(changed), block->span);
}

}  // namespace hexproof
