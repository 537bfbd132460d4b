// blockize {at: Path to a statement, count: statements of its sequence from there on (default 1), name: text,
//           unit_iters: 1 (default) or 0}
//
//   for io: for ko:                        for io: for ko:
//     for ii:                                with T.block("B_o"):
//       with T.block("B"):          ->         vi_o = T.axis.spatial(n, io)
//         vi = spatial(n * 16, io * 16 + ii)   vk_o = T.axis.reduce(m, ko)
//         vk = reduce(m, ko)                   for ii:
//         S(vi, vk)                              with T.block("B"):
//                                                  vi = spatial(n * 16, vi_o * 16 + ii); vk = reduce(m, vk_o)
//                                                  S(vi, vk)
//
// The outer loops are those around the place, up to the block around it; the inner ones stand inside. Where there is
// one block inside (which holds none), the new block has a variable for each of that block's: its binding is the part
// of the binding that the outer loops make, divided by how many values the inner loops make. Else it has one for each
// outer loop that the statements use. A loop variable that is the whole of a binding is named by the new variable
// inside. With unit_iters 0 there are none that have one value. Regions are as the body has them.
//
// Side conditions
//  1. The bindings are no error.
//  2. Bindings lie in their domains, and instances with different spatial values share no cell: what the new block
//     claims (owed for all rules alike, rewrite/kernel/claims.h).
//  3. The name is that of no other block (checked here): handles mean blocks by their names.
#include "ir/visit.h"
#include "rewrite/memory/tile_bindings.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

constexpr const char* kBlockize = "blockize";

/// The blocks in the statements that hold no other.
std::vector<Block> leaf_blocks(const std::vector<Stmt>& parts) {
  std::vector<Block> out;
  auto holds_blocks = [](const Block& b) {
    bool found = false;
    for (const Stmt& s : {b.init, b.body}) {
      if (s) visit_stmt(s, [&](const Stmt& inner) { return found |= inner.as<Block>() != nullptr, !found; });
    }
    return found;
  };
  for (const Stmt& part : parts) {
    visit_stmt(part, [&](const Stmt& s) {
      if (const Block* b = s.as<Block>(); b && !holds_blocks(*b)) out.push_back(*b);
      return true;
    });
  }
  return out;
}

IterVar outer_iter(const std::string& name, IterKind kind, const Expr& binding, const Expr& extent) {
  const DType type = binding->dtype;
  return {Var::fresh(name + "_o", type), {zero(type), extent}, kind, binding};
}

/// One variable for each of the block's.
std::vector<IterVar> divided(const Block& block, const std::vector<LoopRange>& outer,
                             const std::vector<LoopRange>& inner) {
  std::vector<IterVar> out;
  for (const IterVar& iter : block.iters) {
    const std::optional<TileBinding> tile = tile_binding(iter, outer, inner);
    if (!tile) {
      throw NotApplicable("the binding of " + iter.var.name() +
                          " is no multiple of the outer loops with the inner ones as the remainder");
    }
    out.push_back(outer_iter(iter.var.name(), iter.kind, tile->outer, tile->outer_extent));
  }
  return out;
}

/// The loops inside of the statements.
std::vector<LoopRange> loops_inside(const std::vector<Stmt>& parts) {
  std::vector<LoopRange> out;
  for (const Stmt& part : parts) {
    visit_stmt(part, [&](const Stmt& s) {
      if (const For* f = s.as<For>()) out.push_back({f->var, f->min, f->extent, f->kind});
      return true;
    });
  }
  return out;
}

/// One variable for each loop that the statements use.
std::vector<IterVar> of_loops(const PrimFunc& func, const std::vector<Stmt>& parts, const std::vector<Block>& blocks,
                              const std::vector<LoopRange>& outer) {
  std::vector<IterVar> out;
  for (const LoopRange& loop : outer) {
    bool used = false, spatial = false, reduce = false;
    for (const Stmt& s : parts) used |= uses_var(s, loop.var);
    if (!used) continue;
    require_index(func, loop.extent, "the extent of the loop over '" + loop.var.name() + "'");
    if (!is_int(loop.min, 0)) throw NotApplicable("the loop over '" + loop.var.name() + "' starts elsewhere than at 0");
    for (const Block& b : blocks) {
      for (const IterVar& iter : b.iters) {
        if (uses_var(iter.binding, loop.var)) (iter.kind == IterKind::Spatial ? spatial : reduce) = true;
      }
    }
    const IterKind kind = spatial == reduce ? IterKind::Opaque : spatial ? IterKind::Spatial : IterKind::Reduce;
    out.push_back(outer_iter("v" + loop.var.name(), kind, Expr(loop.var), loop.extent));
  }
  return out;
}

Rewrite blockize(const PrimFunc& func, const BlockizeArgs& args) {
  const Path& at = args.at;
  const int64_t count = args.count.value_or(1);
  const std::string& name = args.name;
  const Stmt stmt = checked_at(func, at);
  if (name.empty() || name == kRootBlock || !find_blocks(func, name).empty()) {
    throw NotApplicable("a block needs a name that no other block has, not '" + name + "'");
  }
  std::vector<Stmt> parts{stmt}, around;
  if (count != 1) {
    const Seq& seq = record_at<Seq>(func, above(at), "a sequence");
    const int64_t first = at.back();
    if (count < 1 || first + count > static_cast<int64_t>(seq.stmts.size())) {
      throw NotApplicable("the sequence has no " + std::to_string(count) + " statements from there on");
    }
    around = seq.stmts;
    parts.assign(around.begin() + first, around.begin() + first + count);
  }
  const Facts facts = facts_at(func, at);
  size_t scope = 0;  // the loops around the innermost block around
  for (Path here; here.size() < at.size(); here.push_back(at[here.size()])) {
    const Stmt s = stmt_at(func, here);
    if (s.as<Block>()) scope = facts_at(func, here).loops.size();
  }
  const std::vector<LoopRange> outer(facts.loops.begin() + static_cast<long>(scope), facts.loops.end());

  const std::vector<Block> blocks = leaf_blocks(parts);
  Block block{.name = name};
  block.iters =
      blocks.size() == 1 ? divided(blocks[0], outer, loops_inside(parts)) : of_loops(func, parts, blocks, outer);
  if (!args.unit_iters.value_or(true)) {
    std::erase_if(block.iters, [](const IterVar& iter) { return is_int(iter.dom.extent, 1); });
  }
  Rewrite result;
  VarMap names;
  std::set<Var> known;  // what the place sees
  for (const Var& v : func.scalars()) known.insert(v);
  for (const LoopRange& loop : facts.loops) known.insert(loop.var);
  for (const auto& [var, value] : facts.inlined) known.insert(var);
  for (const IterVar& iter : block.iters) {
    require_index(func, iter.binding, "a binding of the new block");
    require_index(func, iter.dom.extent, "a domain of the new block");
    for (const Expr& e : {iter.binding, iter.dom.extent}) {
      for (const Var& v : free_vars(e)) {
        if (!known.count(v))
          throw NotApplicable("'" + v.name() + "', of which " + iter.var.name() + " speaks, is bound inside");
      }
    }
    result.needs.push_back(need(kBlockize, "the binding of " + iter.var.name() + " is no error", func, stmt,
                                facts.given(), fits(facts.resolve(iter.binding))));
    if (iter.binding->op == Op::Var) names.emplace(iter.binding->var(), Expr(iter.var));
  }
  block.body = substitute(seq(parts), names);
  const Stmt made = make_stmt(std::move(block), stmt->span);
  if (count == 1) {
    result.after = replace_at(func, at, made);
  } else {
    around.erase(around.begin() + at.back(), around.begin() + at.back() + count);
    around.insert(around.begin() + at.back(), made);
    result.after = replace_at(func, above(at), seq(around));
  }
  return result;
}

}  // namespace

extern const Rule k_blockize{rule<blockize>("S  ->  with T.block(name): S, the loops around bound to its variables")};

}  // namespace hexproof
