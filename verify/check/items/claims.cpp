// What blocks claim: bindings in their domains, regions that cover the accesses, independent spatial instances.
// A false claim is no error of the run, so a program that shows it is made: with the values of the model it evaluates
// the claim as an assume.
#include "verify/check/items/claims.h"

#include "ir/base/mutant.h"
#include "ir/visit.h"
#include "verify/check/check_item.h"
#include "verify/check/items/claim_bounds.h"

namespace hexproof {

namespace {

class Claims {
 public:
  explicit Claims(CheckContext& context) : context_(context) {}

  BlockClaims block(const Stmt& stmt, const Path& path, const Facts& facts, size_t scope) {
    const Block& b = *stmt.as<Block>();
    claims_ = {.path = path, .instances = {}, .reads = {}, .writes = {}};
    if (!has_claims(b)) return std::move(claims_);
    where_ = place_of(context_.func, stmt);
    Facts inner = facts;
    for (const IterVar& iter : b.iters) {
      Expr e = inline_lets(facts.resolve(iter.binding), facts.loops);
      inner.inlined.insert_or_assign(iter.var, bound_value(iter.var, e, facts.loops, b.body, b.init));
    }
    if (b.predicate) {
      for (Expr& c : conjuncts(inline_lets(inner.resolve(b.predicate), facts.loops)))
        inner.conditions.push_back(std::move(c));
    }
    domains(b, inner);
    if (b.reads || b.writes) regions(b, stmt, facts, inner);
    independence(b, stmt, facts, inner, scope);
    return std::move(claims_);
  }

 private:
  void ask(std::vector<Obligation>* to, const std::string& why, std::vector<Expr> given, const Expr& goal,
           ObligationKind kind = ObligationKind::Condition) {
    to->push_back({kBlockClaims, why, where_, std::move(given), goal, kind});
  }

  void domains(const Block& b, const Facts& inner) {
    for (const IterVar& iter : b.iters) {
      Range dom{inner.resolve(iter.dom.min), inner.resolve(iter.dom.extent)};
      Expr value = inner.resolve(Expr(iter.var));
      Expr goal = lies_within(value, dom, inner);
      if (goal->op == Op::EQ && goal->args[0] == goal->args[1]) continue;
      ask(&claims_.instances, "the binding of " + iter.var.name() + " in block " + b.name + " lies in its domain",
          inner.given(), goal);
    }
  }

  void regions(const Block& b, const Stmt& stmt, const Facts& facts, const Facts& inner) {
    for (const Access& a : footprint(stmt, facts)) {
      if (!inside_body(a)) continue;
      std::vector<const BufferRegion*> declared;
      auto add = [&](const std::optional<std::vector<BufferRegion>>& list) {
        if (!list) return;
        for (const BufferRegion& r : *list) {
          if (r.buffer == a.buffer) declared.push_back(&r);
        }
      };
      if (a.write ? !b.writes : !b.reads) continue;
      add(a.write ? b.writes : b.reads);
      // What a reduction reads of its own output is among its writes.
      if (!a.write && b.init) add(b.writes);
      Expr goal;
      for (const BufferRegion* r : declared) {
        std::vector<Expr> in;
        for (size_t d = 0; d < r->region.size() && d < a.indices.size(); ++d) {
          in.push_back(
              lies_within(a.indices[d], {inner.resolve(r->region[d].min), inner.resolve(r->region[d].extent)}, inner));
        }
        goal = goal ? lor(goal, all(in)) : all(in);
      }
      std::vector<Expr> given = inner.given();
      for (Expr& e : domain_of(a)) given.push_back(std::move(e));
      ask(a.write ? &claims_.writes : &claims_.reads,
          std::string(a.write ? "T.writes" : "T.reads") + " of block " + b.name + " covers an access of " +
              a.buffer->name,
          given, goal ? goal : boolean(false), ObligationKind::Region);
    }
  }

  /// Not what the bindings and the predicate of the block itself read.
  static bool inside_body(const Access& a) { return a.order.size() > 1; }

  void independence(const Block& b, const Stmt& stmt, const Facts& facts, const Facts& inner, size_t scope) {
    std::vector<LoopRange> loops(facts.loops.begin() + static_cast<long>(scope), facts.loops.end());
    std::vector<Expr> spatial;
    for (const IterVar& iter : b.iters) {
      if (iter.kind == IterKind::Spatial) spatial.push_back(inner.resolve(Expr(iter.var)));
    }
    if (spatial.empty() || loops.empty()) return;
    // Instances run at different moments; what is stored to anywhere may change in between.
    const std::set<Var> changing = data_written(context_.func.body);
    std::vector<Access> accesses = footprint(stmt, facts);
    std::vector<Expr> first = inner.given();
    const size_t left_out = std::erase_if(first, [&](const Expr& c) { return changes_with(c, changing); });
    for (size_t x = 0; x < accesses.size(); ++x) {
      for (size_t y = x; y < accesses.size(); ++y) {
        const Access &a = accesses[x], &c = accesses[y];
        if (HEXPROOF_MUTANT("check/independence", !(a.write || c.write), !(a.write && c.write)) ||
            !may_alias(a.buffer, c.buffer) || !inside_body(a) || !inside_body(c))
          continue;
        const RenamedAccess renamed = rename_apart(c, loops);
        const VarMap& renaming = renamed.renaming;
        const Access one = at_any_moment(rename_apart(a), changing);
        const Access other = at_any_moment(renamed.access, changing);
        std::vector<Expr> given = first;
        for (const Expr& e : first) {
          Expr copy = substitute(e, renaming);
          if (!(copy == e)) given.push_back(std::move(copy));
        }
        // Memory that is allocated in a loop around the block is another one in each iteration.
        auto memory = context_.memories.find(a.buffer->data);
        if (memory != context_.memories.end() && !memory->second.param) {
          for (size_t k = scope; k < memory->second.loops && k < facts.loops.size(); ++k) {
            given.push_back(eq(Expr(facts.loops[k].var), renaming.at(facts.loops[k].var)));
          }
        }
        Expr differ;
        bool happens = one.exact && other.exact && left_out == 0;
        for (const Expr& s : spatial) {
          happens = happens && !changes_with(s, changing);
          Expr d = changes_with(s, changing) ? boolean(true) : ne(s, substitute(s, renaming));
          differ = differ ? lor(differ, d) : d;
        }
        given.push_back(differ);
        for (const Access* access : {&one, &other}) {
          for (Expr& e : domain_of(*access)) given.push_back(std::move(e));
        }
        if (!happens) claims_.at_any_moment.insert(claims_.instances.size());
        ask(&claims_.instances,
            "instances of block " + b.name + " with different spatial values share no cell of " + a.buffer->name, given,
            lnot(same_cell(one, other)));
      }
    }
  }

  CheckContext& context_;
  BlockClaims claims_;
  Place where_;
};

void walk_claims(CheckContext& context, const std::function<bool(const Stmt&, const Path&)>& wanted,
                 const std::function<void(BlockClaims)>& take) {
  Claims claims(context);
  std::vector<std::pair<Path, size_t>> around;  // the blocks around, with the loops around each
  walk_with_facts(context.func, [&](const Stmt& stmt, const Path& path, const Facts& facts) {
    while (!around.empty() && !(around.back().first.size() < path.size() && is_at_or_below(path, around.back().first)))
      around.pop_back();
    if (stmt.as<Block>()) {
      if (wanted(stmt, path)) take(claims.block(stmt, path, facts, around.empty() ? 0 : around.back().second));
      around.emplace_back(path, facts.loops.size());
    }
    return true;
  });
}

}  // namespace

std::function<std::optional<PrimFunc>(const Model&)> demonstration(const PrimFunc& func, std::vector<Expr> given,
                                                                   Expr claim) {
  PrimFunc frame;
  frame.name = func.name;
  for (const Var& v : func.scalars()) frame.params.push_back({v, {}});
  // Where a bound has no value, the run is no demonstration.
  claim = rewrite_expr(claim, [](const Expr& e) { return e->op == Op::Fits ? boolean(true) : e; });
  return [frame, given = std::move(given), claim = std::move(claim)](const Model& model) -> std::optional<PrimFunc> {
    VarMap values;
    std::vector<std::pair<Var, Wide>> bound;
    for (const auto& [var, value] : model) {
      if (!var.dtype().is_integer() || !fits_type(var.dtype(), value)) continue;
      bool param = false;
      for (const Param& p : frame.params) param |= p.var == var;
      if (!param) bound.emplace_back(var, value);
    }
    Stmt body = make_stmt(Assume{claim});
    for (size_t i = given.size(); i-- > 0;) {
      if (given[i]->op == Op::Fits) continue;  // of what is evaluated: if it is not so, the run is no demonstration
      if (is_data(given[i])) return std::nullopt;
      body = make_stmt(If{given[i], body, {}});
    }
    if (is_data(claim)) return std::nullopt;
    for (const auto& [var, value] : bound) {
      body = make_stmt(For{.var = var, .min = imm(var.dtype(), value), .extent = imm(var.dtype(), 1), .body = body});
    }
    PrimFunc out = frame;
    out.body = body;
    return out;
  };
}

/// Of a claim whose model is no execution.
static std::optional<PrimFunc> no_demonstration(const Model&) { return std::nullopt; }

bool has_claims(const Block& block) { return !block.iters.empty() || block.reads || block.writes; }

void ask_claims(CheckContext& context) {
  walk_claims(
      context, [](const Stmt&, const Path&) { return true; },
      [&](BlockClaims claims) {
        for (std::vector<Obligation>* part : {&claims.instances, &claims.reads, &claims.writes}) {
          for (size_t k = 0; k < part->size(); ++k) {
            Obligation& o = (*part)[k];
            const bool happens = part != &claims.instances || !claims.at_any_moment.count(k);
            auto shown = happens ? demonstration(context.func, o.given, o.goal)
                                 : std::function<std::optional<PrimFunc>(const Model&)>(no_demonstration);
            context.questions.push_back({.obligation = std::move(o), .path = claims.path, .demonstration = shown});
          }
        }
      });
}

std::vector<BlockClaims> claims_of(const PrimFunc& func, const std::function<bool(const Stmt&, const Path&)>& wanted) {
  Prover unasked;
  CheckContext context = survey(func, unasked);
  std::vector<BlockClaims> out;
  walk_claims(context, wanted, [&](BlockClaims claims) { out.push_back(std::move(claims)); });
  return out;
}

}  // namespace hexproof
