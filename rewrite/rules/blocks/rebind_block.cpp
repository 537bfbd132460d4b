// rebind-block {at: block, unit_iters: 1 (default) or 0; or at: block, map: IndexMap over its variables, bindings: of
//               the new ones (optional: what the map makes of the old bindings)}
//
//   with T.block("B_o"):                               with T.block("B_o"):
//     vi_o = T.axis.spatial(n, io)                       vi_o = T.axis.spatial(n, io)
//     for ii: with T.block("B"):                ->       for ii: with T.block("B"):
//       vi = T.axis.spatial(16 * n, vi_o * 16 + ii)        vi_i = T.axis.spatial(16, ii)
//       S(vi)                                              S(vi_o * 16 + vi_i)
//
// Each variable of the block becomes one for what the loops between the two blocks make of its binding; the rest, which
// is the same in all instances of one tile, is put in where the variable is used, by the variables of the block around
// where these are bound to it. With unit_iters 0 there are no variables that have one value.
// With `map` the new variables are its outputs, in their box, and what stands for the old ones is its inverse. A new
// variable is spatial, or one of a reduction, where all that it speaks of are; else it is opaque.
//
// Side conditions
//  1. The new variables make the old bindings: vi_o * 16 + vi_i == vi, or inverse(map(v)) == v. Bindings are no data
//     (checked here).
//  2. The new bindings, and what is put in, are no error.
//  3. With an init: the new reduction variables are at their starts exactly where the old ones were.
//  4. The new bindings lie in their domains, and instances with different spatial values share no cell (owed for all
//     rules alike, rewrite/kernel/claims.h).
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/memory/tile_bindings.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/places.h"
#include "verify/access/footprint.h"
#include "verify/access/linear.h"

namespace hexproof {
namespace {

constexpr const char* kRebindBlock = "rebind-block";

/// `part` by a variable of the block around, where one is bound to it up to a factor.
Expr by_outer_variable(const Expr& part, const Block& around) {
  const Linear wanted = linear(part);
  for (const IterVar& iter : around.iters) {
    const Linear bound = linear(iter.binding);
    if (bound.terms.empty() || wanted.terms.size() != bound.terms.size()) continue;
    for (const auto& [atom, c] : wanted.terms) {
      if (!(atom == bound.terms[0].first) || c % bound.terms[0].second != 0) continue;
      const Wide factor = c / bound.terms[0].second;
      Linear rest = wanted;
      rest.add(bound, -factor);
      Linear put;
      put.add(Expr(iter.var), factor);
      put.constant = rest.constant;
      if (!rest.terms.empty()) continue;
      if (Expr e = put.expr(part->dtype)) return e;
    }
  }
  return part;
}

/// The new variables of the block, and what stands for the old ones.
struct Rebinding {
  std::vector<IterVar> iters;
  std::vector<Expr> values;  // per old variable, over the new ones and those of the block around
};

Rebinding within_tile(const PrimFunc& func, const Path& at, const Block& block, const Facts& facts, bool units) {
  Path around_path;
  bool inside = false;
  for (Path here; here.size() < at.size(); here.push_back(at[here.size()])) {
    if (stmt_at(func, here).as<Block>()) around_path = here, inside = true;
  }
  if (!inside) throw NotApplicable("the block stands in no other");
  const Block& around = record_at<Block>(func, around_path, "a block");
  const auto scope = facts.loops.begin() + static_cast<long>(facts_at(func, around_path).loops.size());
  const std::vector<LoopRange> outer(facts.loops.begin(), scope), inner(scope, facts.loops.end());
  Rebinding out;
  bool any = false;
  for (const IterVar& iter : block.iters) {
    const std::optional<TileBinding> tile = tile_binding(iter, outer, inner);
    if (!tile) {
      throw NotApplicable("the binding of " + iter.var.name() + " is not seen to be one of a tile and one in the tile");
    }
    const DType type = iter.binding->dtype;
    const bool all_inside = is_int(tile->outer_part, 0);
    IterVar own{Var::fresh(iter.var.name() + "_i", type), {zero(type), tile->inner_extent}, iter.kind, tile->inner};
    if (all_inside) own.dom = iter.dom;
    const bool unit = is_int(tile->inner_extent, 1) && is_int(tile->inner, 0);
    const bool keep = units || !unit;
    const Expr start = all_inside ? Expr() : by_outer_variable(tile->outer_part, around);
    any |= static_cast<bool>(start);
    out.values.push_back(!start ? (keep ? Expr(own.var) : zero(type)) : unit ? start : start + Expr(own.var));
    if (keep) out.iters.push_back(std::move(own));
  }
  if (!any) throw NotApplicable("the bindings have no part that is the same in the whole of '" + around.name + "'");
  return out;
}

Rebinding by_map(const PrimFunc& func, const Block& block, const Facts& facts, const RebindBlockArgs& args) {
  const IndexMap& map = *args.map;
  std::vector<Expr> bindings, extents;
  for (const IterVar& iter : block.iters) {
    if (iter.var.dtype() != kInt32) throw NotApplicable("the variable " + iter.var.name() + " is no int32");
    if (!is_int(iter.dom.min, 0)) throw NotApplicable("the domain of " + iter.var.name() + " does not start at 0");
    bindings.push_back(iter.binding);
    extents.push_back(iter.dom.extent);
  }
  if (map.inputs.size() != bindings.size()) {
    throw NotApplicable("the index map takes " + std::to_string(map.inputs.size()) + " indices, and the block has " +
                        std::to_string(bindings.size()) + " variables");
  }
  const auto [layout, fault] = layout_of(map, extents);
  if (!layout || !layout->inverse) throw NotApplicable(fault.empty() ? "no inverse of the map is found" : fault);
  std::vector<Expr> bound = map.apply(bindings);
  if (args.bindings) {
    bound = *args.bindings;
    if (bound.size() != map.outputs.size()) throw NotApplicable("the map has another number of outputs");
    std::set<Var> known;  // what the block sees
    for (const Var& v : func.scalars()) known.insert(v);
    for (const LoopRange& loop : facts.loops) known.insert(loop.var);
    for (const auto& [var, value] : facts.inlined) known.insert(var);
    for (const Expr& e : bound) {
      require_index(func, e, "a new binding");
      for (const Var& v : free_vars(e)) {
        if (!known.count(v))
          throw NotApplicable("a new binding speaks of '" + v.name() + "', which is not known there");
      }
      if (e->dtype != kInt32) throw NotApplicable("a new binding is no int32");
    }
  }
  const std::vector<std::string> names = output_names(map);
  Rebinding out;
  std::vector<Expr> vars;
  for (size_t k = 0; k < map.outputs.size(); ++k) {
    bool spatial = true, reduce = true;
    for (size_t i = 0; i < map.inputs.size(); ++i) {
      if (!uses_var(map.outputs[k], map.inputs[i])) continue;
      spatial &= block.iters[i].kind == IterKind::Spatial, reduce &= block.iters[i].kind == IterKind::Reduce;
    }
    const Var v = Var::fresh("v_" + names[k], kInt32);
    const IterKind kind = spatial ? IterKind::Spatial : reduce ? IterKind::Reduce : IterKind::Opaque;
    out.iters.push_back({v, {zero(kInt32), layout->shape[k]}, kind, bound[k]});
    vars.emplace_back(v);
  }
  out.values = layout->inverse->apply(vars);
  return out;
}

Rewrite rebind_block(const PrimFunc& func, const RebindBlockArgs& args) {
  const Path& at = args.at;
  const Stmt stmt = checked_at(func, at);
  Block block = record_at<Block>(func, at, "a block");
  const Facts facts = facts_at(func, at);
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the block");
    require_index(func, iter.dom.min, "a domain of the block");
    require_index(func, iter.dom.extent, "a domain of the block");
  }
  const bool units = args.unit_iters.value_or(true);
  const Rebinding made = args.map ? by_map(func, block, facts, args) : within_tile(func, at, block, facts, units);
  Rewrite result;
  auto owe = [&](const std::string& why, const Expr& goal, const std::vector<Expr>& known = {}) {
    std::vector<Expr> given = facts.given();
    for (const Expr& e : known) given.push_back(facts.resolve(e));
    result.needs.push_back(need(kRebindBlock, why, func, stmt, given, facts.resolve(goal)));
  };
  VarMap values, bindings;
  std::vector<Expr> old_starts, new_starts;
  for (const IterVar& iter : made.iters) {
    owe("the binding of " + iter.var.name() + " is no error", fits(iter.binding));
    bindings.emplace(iter.var, iter.binding);
    if (iter.kind == IterKind::Reduce) new_starts.push_back(eq(iter.binding, iter.dom.min));
  }
  for (size_t k = 0; k < block.iters.size(); ++k) {
    const IterVar& iter = block.iters[k];
    const Expr put_in = substitute(made.values[k], bindings);
    owe("what stands for '" + iter.var.name() + "' is no error", fits(put_in));
    owe("the new variables make the binding of " + iter.var.name(), eq(put_in, iter.binding));
    values.emplace(iter.var, made.values[k]);
    if (iter.kind == IterKind::Reduce) old_starts.push_back(eq(iter.binding, iter.dom.min));
  }
  if (block.init) {
    for (const Expr& e : new_starts) owe("the init runs where it ran", e, old_starts);
    for (const Expr& e : old_starts) owe("the init runs only where it ran", e, new_starts);
  }
  block.iters.clear();
  Block changed = *substitute(make_stmt(block), values).as<Block>();
  changed.iters = made.iters;
  result.after = replace_at(func, at, make_stmt(std::move(changed), stmt->span));
  return result;
}

}  // namespace

extern const Rule k_rebind_block{
    rule<rebind_block>("block (vi = vo * 16 + ii): S(vi)  ->  block (vii = ii): S(vo * 16 + vii)")};

}  // namespace hexproof
