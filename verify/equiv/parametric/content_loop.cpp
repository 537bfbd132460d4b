// What a statement writes and reads over all its loops, and what a loop leaves in a cell: nothing, what its one
// iteration that writes the cell leaves there, or a fold.
#include <algorithm>
#include <atomic>

#include "verify/access/footprint_witness.h"
#include "verify/equiv/parametric/content.h"
#include "verify/prove/opaque_name.h"

namespace hexproof::parametric {

namespace {

constexpr int kReadDepth = 4;  // of reads in one loop that lead to earlier iterations of it

/// The accesses with loops of their own, and with what they read as values of this moment: what memory holds while a
/// statement runs is not what it held on entry.
Access anonymous(const Access& access, const std::string& now) {
  auto settled = [&](const Expr& e) {
    if (!is_data(e)) return e;
    return rewrite_expr(e, [&](const Expr& node) {
      if (node->op != Op::Load) return node;
      return uninterpreted(Op::Opaque, node->dtype, now + std::to_string(node->buffer()->id), node->args);
    });
  };
  Access out = access;
  for (Expr& e : out.indices) e = settled(e);
  for (Expr& e : out.guards) e = settled(e);
  for (LoopRange& loop : out.loops) loop.min = settled(loop.min), loop.extent = settled(loop.extent);
  return rename_apart(out);
}

std::string next_now() {
  static std::atomic<uint64_t> next{1};
  return "now#" + std::to_string(next++) + ".";
}

}  // namespace

std::vector<Expr> within(const LoopRange& range, const Expr& iteration) {
  std::vector<Expr> out;
  for (const Expr& e : range_of(range)) out.push_back(substitute(e, {{range.var, iteration}}));
  return out;
}

std::optional<Expr> Content::only_iteration(const std::vector<Access>& writes, const Cell& cell) {
  std::vector<Expr> tried;
  for (const Access& w : writes) {
    Expr var(w.loops[0].var);
    bool depends = false;
    for (const Expr& e : w.indices) depends |= mentions(e, var);
    for (const Expr& e : w.guards) depends |= mentions(e, var);
    if (!depends) return std::nullopt;
  }
  for (const Access& w : writes) {
    for (const Witness& witness : witnesses(w, as_access(cell), scenario_.given())) {
      Expr candidate = scenario_.tidy(substitute(witness.values.at(w.loops[0].var), scalars_));
      // The iteration goes into terms, and what a write reads while the loop runs is known under no name there.
      if (folds_.holds_moment(candidate)) continue;
      if (std::find(tried.begin(), tried.end(), candidate) != tried.end() || tried.size() >= 4) continue;
      tried.push_back(candidate);
      if (!scenario_.quick(fits(candidate)) && !scenario_.proves(fits(candidate))) continue;
      bool only = true;
      for (const Access& other : writes) {
        std::vector<Expr> facts = domain_of(other);
        facts.push_back(same(other, cell));
        Scenario::Under under(scenario_, facts);
        only = scenario_.impossible() || scenario_.proves(equal_integers(Expr(other.loops[0].var), candidate));
        if (!only) break;
      }
      if (only) return candidate;
    }
  }
  return std::nullopt;
}

std::vector<Access> Content::writes_of(const Stmt& stmt, const MomentRef& moment, const Buffer& buffer) {
  // What was read before is a value of its own, whatever the memory holds now.
  Facts facts;
  std::unordered_map<Expr, Expr, ExprHash> then;
  for (const auto& [var, value] : moment->values) {
    Expr stands = value;
    if (is_data(value)) {
      stands = uninterpreted(Op::Opaque, var.dtype(), opaque_name(OpaqueKind::Then, var.id()), {});
      then.emplace(stands, value);
    }
    facts.inlined.emplace(var, stands);
  }
  auto put_back = [&](Expr& e) {
    e = rewrite_expr(e, [&](const Expr& node) {
      auto it = then.find(node);
      return it == then.end() ? node : it->second;
    });
  };
  std::string now = next_now();
  std::vector<Access> out;
  for (const Access& a : footprint(stmt, facts, true)) {
    if (!a.write || !may_alias(a.buffer, buffer)) continue;
    Access settled = anonymous(a, now);
    for (Expr& e : settled.indices) put_back(e);
    for (Expr& e : settled.guards) put_back(e);
    for (LoopRange& loop : settled.loops) put_back(loop.min), put_back(loop.extent);
    out.push_back(std::move(settled));
  }
  return out;
}

std::vector<Access> Content::reads(const Buffer& buffer) const {
  Facts facts;
  facts.inlined = scalars_;
  std::vector<Access> out;
  for (const Access& a : footprint(body_, facts, true)) {
    // Each by itself: a cell may hold something else at the next one.
    if (!a.write && may_alias(a.buffer, buffer)) out.push_back(anonymous(a, next_now()));
  }
  return out;
}

Expr Content::after_loop(const Stmt& stmt, const For& s, const MomentRef& moment, const Cell& cell,
                         const LoopRange& range) {
  struct Deeper {
    explicit Deeper(int& d) : depth(d) { ++depth; }
    ~Deeper() { --depth; }
    int& depth;
  } deeper(depth_[stmt.get()]);
  if (depth_[stmt.get()] > kReadDepth) open("what a cell holds depends on other cells without end", stmt);
  auto unchanged = [&] { return before(moment, cell); };
  if (is_int(range.extent, 1)) {
    return after(s.body, in_loop(stmt, moment, range, range.min, &cell, {}), cell);
  }
  std::vector<Access> writes = writes_of(stmt, moment, cell.buffer);
  bool none = true;
  for (const Access& w : writes) {
    std::vector<Expr> facts = domain_of(w);
    facts.push_back(same(w, cell));
    Scenario::Under under(scenario_, facts);
    none = none && scenario_.impossible();
  }
  if (none) return unchanged();
  if (std::optional<Expr> only = only_iteration(writes, cell)) {
    std::vector<Expr> runs = within(range, *only);
    owe_fits(all(runs));
    return choose(
        all(runs), [&] { return after(s.body, in_loop(stmt, moment, range, *only, &cell, {}), cell); }, unchanged);
  }
  LoopRange loop = range;
  loop.var = Var::fresh(range.var.name(), range.var.dtype());
  Expr acc = fresh_acc(cell.buffer->dtype), step;
  {
    Scenario::Under under(scenario_, range_of(loop));
    if (scenario_.impossible()) return unchanged();
    step = after(s.body, in_loop(stmt, moment, range, Expr(loop.var), &cell, acc), cell);
  }
  return fold(loop, acc, step, cell, unchanged);
}

}  // namespace hexproof::parametric
