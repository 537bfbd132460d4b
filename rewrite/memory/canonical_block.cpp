#include "rewrite/memory/canonical_block.h"

#include <algorithm>
#include <set>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/memory/quick.h"

namespace hexproof {
namespace {

/// The loop variable and the constant of `binding`; or its value, where it is the variable of a loop in `around`.
VariableRun run_of(const Expr& binding, const std::vector<For>& loops, const std::set<Var>& around,
                   const std::string& noun) {
  if (binding->op == Op::Var && around.count(binding->var())) return {binding, imm(binding->dtype, 1)};
  Expr var = binding, offset;
  if (binding->op == Op::Add && !binding->wraps) {
    bool left = as_int(binding->args[0]);
    offset = binding->args[left ? 0 : 1];
    var = binding->args[left ? 1 : 0];
    if (!as_int(offset)) throw NotApplicable("the " + noun + " is not canonical: binding " + print(binding));
  }
  if (!offset && as_int(binding)) return {binding, imm(binding->dtype, 1)};
  for (size_t k = 0; k < loops.size(); ++k) {
    if (var->op != Op::Var || !(var->var() == loops[k].var)) continue;
    Expr first = offset ? fold(loops[k].min + offset) : loops[k].min;
    return {first, loops[k].extent, static_cast<int>(k)};
  }
  throw NotApplicable("the " + noun + " is not canonical: binding " + print(binding));
}

/// The block with its own variables in the place of the loop variables that are bound to them as they are: other loops
/// will run around it.
Block without_loops(Block block, const std::vector<For>& loops, const std::string& noun) {
  VarMap own;
  for (const IterVar& iter : block.iters) {
    for (const For& loop : loops) {
      if (iter.binding->op == Op::Var && iter.binding->var() == loop.var) own.emplace(loop.var, Expr(iter.var));
    }
  }
  block.body = substitute(block.body, own);
  if (block.init) block.init = substitute(block.init, own);
  for (auto* regions : {&block.reads, &block.writes}) {
    if (!*regions) continue;
    for (BufferRegion& region : **regions) {
      for (Range& range : region.region) range = {substitute(range.min, own), substitute(range.extent, own)};
    }
  }
  Block rest = block;
  for (IterVar& iter : rest.iters) iter.binding = zero(iter.binding->dtype);  // the bindings are made anew
  for (const For& loop : loops) {
    if (!uses_var(make_stmt(rest), loop.var)) continue;
    throw NotApplicable("the " + noun + " uses its loop variable '" + loop.var.name() + "' beside those of its block");
  }
  return block;
}

bool has_undef(const Stmt& stmt) {
  bool found = false;
  visit_all_exprs(stmt, [&](const Expr& e) { found |= e->op == Op::Undef; });
  return found;
}

/// The stores of a block's body or init: one, or a sequence of them, perhaps of values that lets hold.
std::vector<Store> stores_of(Stmt body) {
  std::vector<Store> out;
  while (const LetStmt* let = body.as<LetStmt>()) body = let->body;
  const Seq* parts = body.as<Seq>();
  for (const Stmt& s : parts ? parts->stmts : std::vector<Stmt>{body}) {
    const Store* store = s.as<Store>();
    if (!store) return {};
    out.push_back(*store);
  }
  return out;
}

/// The cells that a block stores to are one: each buffer once, equal indices and shapes, read nowhere else, and all set
/// by the init where any is read.
void demand_one_cell(const Block& block, const std::vector<Store>& stores, const std::string& noun) {
  const std::vector<Store> inits = block.init ? stores_of(block.init) : std::vector<Store>{};
  if (block.init && inits.size() != stores.size())
    throw NotApplicable("the init of the " + noun + " does not set the cell that the block writes");
  for (size_t k = 0; k < stores.size(); ++k) {
    const Buffer& buffer = stores[k].buffer;
    const auto here = [&](const Store& s) { return s.buffer == buffer; };
    if (std::count_if(stores.begin(), stores.end(), here) != 1)
      throw NotApplicable("the " + noun + " stores to '" + buffer->name + "' twice");
    if (stores[k].indices != stores[0].indices || buffer->shape != stores[0].buffer->shape)
      throw NotApplicable("the " + noun + " stores to '" + buffer->name + "' at other indices than to '" +
                          stores[0].buffer->name + "', or it has another shape");
    const auto init = std::find_if(inits.begin(), inits.end(), here);
    if (block.init && (init == inits.end() || init->indices != stores[k].indices || reads_buffer(block.init, buffer))) {
      throw NotApplicable("the init of the " + noun + " does not set the cell that the block writes");
    }
    visit_all_exprs(block.body, [&](const Expr& e) {
      if (e->op != Op::Load || !(e->buffer() == buffer)) return;
      if (e->args != stores[k].indices)
        throw NotApplicable("the " + noun + " reads another cell of '" + buffer->name + "'");
      if (!block.init) throw NotApplicable("the " + noun + " adds to a cell that no init sets: it may not run twice");
    });
  }
}

}  // namespace

std::vector<Buffer> stored_buffers(const CanonicalBlock& canonical) {
  std::vector<Buffer> out{canonical.store.buffer};
  for (const Store& store : canonical.others) out.push_back(store.buffer);
  return out;
}

CanonicalBlock canonical_block(const PrimFunc& func, const Path& at, const Stage& stage, const std::string& noun,
                               bool several) {
  if (stage.index < 0) throw NotApplicable("nothing stands after the " + noun);
  CanonicalBlock p{
      .nest = stage.at, .index = stage.index, .block = {}, .store = {}, .others = {}, .runs = {}, .dim = {}};
  std::vector<For> loops;
  Stmt here = stmt_at(func, stage.at);
  while (const For* loop = here.as<For>()) {
    if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
      throw NotApplicable("the " + noun + "'s loop over '" + loop->var.name() + "' is not serial");
    }
    for (const Expr& bound : {loop->min, loop->extent}) {
      bool varies = !is_repeatable(bound);
      for (const For& outer : loops) varies |= uses_var(bound, outer.var);
      if (varies)
        throw NotApplicable("the bounds of the " + noun + "'s loop over '" + loop->var.name() + "' are not fixed");
    }
    loops.push_back(*loop);
    here = loop->body;
  }
  const Block* block = here.as<Block>();
  if (!block || stage.at.size() + loops.size() != at.size()) {
    throw NotApplicable("the " + noun + " is not a block right inside of its loops");
  }
  if (block->predicate) throw NotApplicable("the " + noun + "'s block has a predicate");
  const Block in_its_variables = without_loops(*block, loops, noun);
  block = &in_its_variables;
  const std::vector<Store> stores = stores_of(block->body);
  const bool lets = block->body.as<LetStmt>() != nullptr;
  if (stores.empty() || ((stores.size() > 1 || lets) && !several) || has_undef(here))
    throw NotApplicable("the " + noun + "'s body is not one store of a definite value");
  demand_one_cell(*block, stores, noun);
  p.block = *block;
  p.store = stores[0];
  p.others.assign(stores.begin() + 1, stores.end());
  const Store* store = &p.store;

  std::vector<int> used(loops.size(), 0);
  int last_reduce = -1;
  std::set<Var> around;
  for (const Path& outer : loops_around(func, stage.at)) around.insert(record_at<For>(func, outer, "a loop").var);
  for (const IterVar& iter : block->iters) {
    VariableRun run = run_of(iter.binding, loops, around, noun);
    if (run.loop >= 0 && used[static_cast<size_t>(run.loop)]++)
      throw NotApplicable("two variables are bound to one loop");
    auto in_index = std::find(store->indices.begin(), store->indices.end(), Expr(iter.var));
    int dim = in_index == store->indices.end() ? -1 : static_cast<int>(in_index - store->indices.begin());
    if (iter.kind == IterKind::Reduce) {
      if (dim >= 0) throw NotApplicable("reduction variable '" + iter.var.name() + "' is in an index of the store");
      if (!(run.first == iter.dom.min)) throw NotApplicable("the reduction does not start at the start of its domain");
      if (run.loop >= 0 && run.loop < last_reduce) throw NotApplicable("the reductions would change their order");
      last_reduce = std::max(last_reduce, run.loop);
    } else if (iter.kind != IterKind::Spatial || (dim < 0 && !is_int(run.extent, 1))) {
      throw NotApplicable("variable '" + iter.var.name() + "' of the " + noun + " is no index of what it writes");
    }
    p.runs.push_back(run);
    p.dim.push_back(dim);
  }
  for (size_t k = 0; k < loops.size(); ++k) {
    if (!used[k])
      throw NotApplicable("the " + noun + "'s loop over '" + loops[k].var.name() + "' is bound to no variable");
  }
  for (size_t d = 0; d < store->indices.size(); ++d) {
    const Expr& index = store->indices[d];
    bool known = as_int(index) || std::find(p.dim.begin(), p.dim.end(), static_cast<int>(d)) != p.dim.end();
    if (!known) throw NotApplicable("index " + print(index) + " of the " + noun + "'s store is no variable of its own");
  }
  return p;
}

MovedBlock over_ranges(const CanonicalBlock& canonical, const std::vector<DimRange>& ranges) {
  MovedBlock out{.block = canonical.block, .loops = {}};
  for (size_t k = 0; k < ranges.size(); ++k) {
    const DimRange& range = ranges[k];
    Expr binding = range.base;
    if (!is_int(range.extent, 1)) {
      const DType type = range.extent->dtype;
      const Var loop = Var::fresh("ax" + std::to_string(out.loops.size()), type);
      out.loops.push_back({loop, zero(type), range.extent});
      binding = is_int(range.base, 0) ? Expr(loop) : range.base + Expr(loop);
    }
    out.block.iters[k].binding = binding;
  }
  return out;
}

Stmt MovedBlock::nest(const Span& span) const {
  Stmt out = make_stmt(Block(block), span);
  for (size_t k = loops.size(); k-- > 0;) {
    out = make_stmt(For{.var = loops[k].var, .min = loops[k].min, .extent = loops[k].extent, .body = out}, span);
  }
  return out;
}

void keep_in_runs(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                  const CanonicalBlock& canonical, const std::vector<DimRange>& ranges, bool clip,
                  const std::vector<Expr>& outside, const std::vector<Expr>& given, MovedBlock* moved,
                  std::vector<bool>* clipped, std::vector<Obligation>* needs) {
  clipped->assign(ranges.size(), false);
  for (size_t k = 0; k < ranges.size(); ++k) {
    const DimRange& range = ranges[k];
    const VariableRun& run = canonical.runs[k];
    if (range.base == run.first && range.extent == run.extent) continue;
    if (clip) {
      const Expr& value = moved->block.iters[k].binding;
      for (const Expr& condition : {le(run.first, value), lt(value, fold(run.first + run.extent))}) {
        if (Quick(given).implies(condition)) {
          needs->push_back(need(rule, why, func, stmt, given, condition));
          continue;
        }
        needs->push_back(need(rule, "the guard is no error", func, stmt, given, fits(condition)));
        moved->block.predicate = moved->block.predicate ? land(moved->block.predicate, condition) : condition;
        (*clipped)[k] = true;
      }
      continue;
    }
    needs->push_back(need(rule, why, func, stmt, outside, fits(range.base + range.extent)));
    needs->push_back(need(rule, why, func, stmt, outside, le(run.first, range.base)));
    needs->push_back(
        need(rule, why, func, stmt, outside, le(fold(range.base + range.extent), fold(run.first + run.extent))));
  }
}

}  // namespace hexproof
