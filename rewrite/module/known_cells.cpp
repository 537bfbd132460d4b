// expose_known: what is known of the cells of a callee's parameters at its call, told to the callee.
#include <algorithm>
#include <set>

#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/layout/pad_value.h"
#include "rewrite/module/changes.h"
#include "verify/memory/content.h"

namespace hexproof {
namespace {

/// Stands in front of the callee's body while it is looked for in the linked function.
Stmt marker() { return make_stmt(Evaluate{imm(kInt64, -int64_t{0x6865787100})}); }

/// The place of the callee's body in the linked function of `entry`; nothing when it is not called from there.
std::optional<std::vector<int>> place_of_body(IRModule module, const std::string& entry, const std::string& callee,
                                              Prover& prover, PrimFunc* linked) {
  for (PrimFunc& f : module.functions) {
    if (f.name == callee) f.body = seq({marker(), f.body});
  }
  *linked = link(module, entry, prover).func;
  std::optional<std::vector<int>> found;
  std::function<void(const Stmt&, const std::vector<int>&)> walk = [&](const Stmt& s, const std::vector<int>& path) {
    const Evaluate* e = s.as<Evaluate>();
    if (e && e->value == marker().as<Evaluate>()->value && !found) found = path;
    std::vector<Stmt> parts = children(s);
    for (size_t k = 0; k < parts.size(); ++k) {
      std::vector<int> below = path;
      below.push_back(static_cast<int>(k));
      walk(parts[k], below);
    }
  };
  walk(linked->body, {});
  return found;
}

/// What a fact says of one cell: that it holds the value (missing: anything).
struct Said {
  Expr cell, value;
};

std::optional<Said> said_by(const MemoryFact& fact) {
  if (fact.triggers.size() != 1 || !fact.hits.empty()) return std::nullopt;
  const Expr& cell = fact.triggers[0];
  if (fact.permission) return Said{cell, {}};
  bool equal = fact.says->op == Op::EQ || fact.says->op == Op::SameBits;
  if (!equal || fact.says->args.size() != 2) return std::nullopt;
  for (size_t side : {size_t{0}, size_t{1}}) {
    const Expr& value = fact.says->args[1 - side];
    if (fact.says->args[side] == cell && !is_data(value)) return Said{cell, value};
  }
  return std::nullopt;
}

/// for loops: T.assume(not when or cell == value), over the callee's own buffer.
std::optional<Stmt> assume_of(const MemoryFact& fact, const Said& said, const Buffer& own, const VarMap& scalars,
                              bool values) {
  std::set<Var> known;
  for (const LoopRange& loop : fact.loops) known.insert(loop.var);
  VarMap names = scalars;
  for (const LoopRange& loop : fact.loops) {
    names.emplace(loop.var, Expr(Var::fresh(loop.var.name(), loop.var.dtype())));
  }
  auto expressible = [&](const Expr& e) {
    bool good = !is_data(e);
    for (const Var& v : free_vars(e)) good = good && (known.count(v) || scalars.count(v));
    return good;
  };
  std::vector<Expr> ranges, guards;
  for (const LoopRange& loop : fact.loops) {
    for (const Expr& e : range_of(loop)) ranges.push_back(e);
    if (!expressible(loop.min) || !expressible(loop.extent)) return std::nullopt;
  }
  for (const Expr& e : fact.when) {
    if (!expressible(e)) return std::nullopt;
    if (std::find(ranges.begin(), ranges.end(), e) == ranges.end()) guards.push_back(substitute(e, names));
  }
  std::vector<Expr> indices;
  for (const Expr& e : said.cell->args) {
    if (!expressible(e)) return std::nullopt;
    indices.push_back(substitute(e, names));
  }
  if (said.value && !expressible(said.value)) return std::nullopt;
  if (values && !said.value) return std::nullopt;
  Expr value = values ? substitute(said.value, names) : undef(own->dtype);
  Expr holds = eq(load(own, indices), value);
  Expr condition = guards.empty() ? holds : lor(negated(all(guards)), holds);
  Stmt out = make_stmt(Assume{condition});
  for (size_t k = fact.loops.size(); k-- > 0;) {
    const LoopRange& loop = fact.loops[k];
    out = make_stmt(For{.var = names.at(loop.var)->var(),
                        .min = substitute(loop.min, names),
                        .extent = substitute(loop.extent, names),
                        .body = out});
  }
  return out;
}

}  // namespace

JointChange expose_known(const ModuleDerivation& module, const std::string& function, const ExposeKnownArgs& args,
                         Prover& prover) {
  const bool values = args.values;
  const IRModule now = module.current();
  PrimFunc func = *find_function(now, function);
  // The caller that has the call itself; what runs before is linked into it.
  const PrimFunc* caller = nullptr;
  FunctionCall call;
  for (const PrimFunc& f : now.functions) {
    visit_stmt(f.body, [&](const Stmt& s) {
      std::optional<FunctionCall> one = function_call(s);
      if (one && one->callee == function && !caller) caller = &f, call = *one;
      return true;
    });
  }
  if (!caller) throw NotApplicable("no function of the module calls '" + function + "'");
  PrimFunc linked;
  std::optional<std::vector<int>> at = place_of_body(now, caller->name, function, prover, &linked);
  if (!at) throw NotApplicable("the call of '" + function + "' is not found");
  std::map<Buffer, Buffer> own;  // the caller's -> the parameter
  VarMap scalars;
  for (size_t k = 0; k < call.args.size(); ++k) {
    if (func.params[k].buffer) {
      own.emplace(owned_buffer(*caller, call.args[k]->var()), func.params[k].buffer);
    } else if (call.args[k]->op == Op::Var) {
      scalars.emplace(call.args[k]->var(), Expr(func.params[k].var));
    }
  }
  for (const auto& [theirs, ours] : own) {
    for (size_t d = 0; d < theirs->ndim(); ++d) {
      if (theirs->shape[d]->op == Op::Var) scalars.emplace(theirs->shape[d]->var(), ours->shape[d]);
    }
  }
  std::vector<Stmt> told;
  for (const MemoryFact& fact : Content(linked).at(*at)) {
    std::optional<Said> said = said_by(fact);
    auto it = said ? own.find(said->cell->buffer()) : own.end();
    if (it == own.end()) continue;
    if (std::optional<Stmt> assume = assume_of(fact, *said, it->second, scalars, values)) told.push_back(*assume);
  }
  if (told.empty()) {
    throw NotApplicable(std::string("nothing that ") + (values ? "can be said" : "may be read") +
                        " is known of the buffers of '" + function + "' at its call");
  }
  for (auto it = told.rbegin(); it != told.rend(); ++it) func.body = in_front(func.body, *it);
  return {.extended = {}, .replaced = {func}, .interface = {}};
}

}  // namespace hexproof
