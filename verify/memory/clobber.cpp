#include "verify/memory/clobber.h"

#include <algorithm>

#include "ir/base/mutant.h"
#include "verify/memory/quick.h"
#include "verify/memory/zeros.h"

namespace hexproof {

namespace {

constexpr size_t kHits = 16;  // of one fact; with more it is forgotten

/// May `write` have hit the cell of `read`, a load? Nothing when it surely has not.
std::optional<Clobber> hit(const ContentProgram& program, const ContentNode& node, const Access& write,
                           const Expr& read, const std::vector<Expr>& when, const Iteration& iteration) {
  if (!may_alias(write.buffer, read->buffer())) return std::nullopt;
  const bool varies = program.varies(read->buffer());
  if (!varies && same_layout(write, access_of(read->buffer(), read->args))) {
    for (size_t d = 0; d < write.indices.size(); ++d) {
      const Expr &a = write.indices[d], &b = read->args[d];
      if (as_int(a) && as_int(b) &&
          HEXPROOF_MUTANT("content/constant-indices", int_value(a) != int_value(b), int_value(a) == int_value(b)))
        return std::nullopt;
    }
  }
  Clobber out;
  VarMap map;
  std::vector<Expr> known = when;
  known.insert(known.end(), node.known.begin(), node.known.end());
  for (size_t k = 0; k < write.loops.size(); ++k) {
    LoopRange loop = write.loops[k];
    if (k < iteration.depth) {
      for (Expr& e : range_of(loop)) known.push_back(std::move(e));
      continue;
    }
    Var var = Var::fresh(loop.var.name() + "_store", loop.var.dtype());
    loop.min = substitute(loop.min, map);
    loop.extent = substitute(loop.extent, map);
    map.insert_or_assign(loop.var, Expr(var));
    if (k == iteration.depth) {
      for (const Expr& e : iteration.when) out.conditions.push_back(substitute(e, {{iteration.var, Expr(var)}}));
    }
    loop.var = var;
    for (Expr& e : range_of(loop)) {
      if (!is_data(e)) out.conditions.push_back(std::move(e));
    }
    out.loops.push_back(std::move(loop));
  }
  for (const Expr& guard : write.guards) {
    Expr e = substitute(guard, map);
    bool holds = std::find(node.known.begin(), node.known.end(), e) != node.known.end();
    if (!is_data(e) && !holds) out.conditions.push_back(std::move(e));
  }
  Access cell = access_of(read->buffer(), read->args), there = substitute(write, map);
  there.anywhere |= varies;
  bool data = false;
  for (const Expr& index : there.indices) data |= is_data(index);
  there.anywhere |= reads_memory(there.layout);
  if (data && !same_layout(there, cell)) there.anywhere = true;
  if (data && !there.anywhere) {
    // An index that is data may be anything.
    for (size_t d = there.indices.size(); d-- > 0;) {
      if (!is_data(there.indices[d])) continue;
      there.indices[d] = cell.indices[d];
    }
  }
  for (const Expr& e : conjuncts(same_cell(there, cell))) {
    bool trivial = e->op == Op::EQ && e->args[0] == e->args[1];
    if (!trivial && !is_int(e, 1)) out.conditions.push_back(e);
  }
  known.insert(known.end(), out.conditions.begin(), out.conditions.end());
  if (HEXPROOF_MUTANT("content/stores-never-hit", Quick(known).impossible(), true)) return std::nullopt;
  return out;
}

/// By the accesses from `first` on, those of `node` or some of them.
void clobber(const ContentProgram& program, const ContentNode& node, size_t first, size_t end,
             const Iteration& iteration, FactList* facts) {
  std::erase_if(*facts, [&](FactPtr& fact) {
    std::vector<Clobber> hits;
    for (const Expr& cell : fact->cells) {
      for (size_t k = first; k < end; ++k) {
        const Access& access = program.accesses[k];
        if (!access.write && HEXPROOF_MUTANT("content/permission-survives-a-load", !fact->permission, true)) continue;
        if (fact->permission && k >= program.first_unseen && k < program.end_unseen) continue;
        if (program.plain_sums && keeps_sign(*fact, cell, access)) continue;
        std::optional<Clobber> found = hit(program, node, access, cell, fact->when, iteration);
        if (!found) continue;
        if (found->conditions.empty() || fact->hits.size() + hits.size() >= kHits) return true;
        hits.push_back(std::move(*found));
      }
    }
    if (hits.empty()) return false;
    MemoryFact& weaker = own(fact);
    weaker.hits.insert(weaker.hits.end(), hits.begin(), hits.end());
    return false;
  });
}

}  // namespace

void clobber(const ContentProgram& program, const ContentNode& node, const Iteration& iteration, FactList* facts) {
  clobber(program, node, node.first_access, node.end_access, iteration, facts);
}

void clobber_at_entry(const ContentProgram& program, const ContentNode& node, FactList* facts) {
  size_t first = node.first_access;
  for (const ContentNode& part : node.parts) {
    if (part.first_access == part.end_access) continue;  // it accesses nothing
    clobber(program, node, first, part.first_access, {node.loops, {}, {}}, facts);
    first = std::max(first, part.end_access);
  }
  clobber(program, node, first, node.end_access, {node.loops, {}, {}}, facts);
}

void clobber(const ContentProgram& program, const ContentNode& node, FactList* facts) {
  clobber(program, node, {node.loops, {}, {}}, facts);
}

Iteration another_iteration(const ContentNode& node, Op op) {
  Var there = Var::fresh(node.range.var.name(), node.range.var.dtype());
  return {node.loops, {binary(op, Expr(node.range.var), Expr(there))}, there};
}

}  // namespace hexproof
