// Which facts hold where: from the start of a function down to a place.
#include <map>
#include <mutex>

#include "ir/base/mutant.h"
#include "ir/text/text.h"
#include "verify/memory/transfer.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {

MemoryFact renamed_apart(MemoryFact fact, VarMap names) {
  auto rename = [&](std::vector<Expr>& list) {
    for (Expr& e : list) e = substitute(e, names);
  };
  auto rename_loops = [&](std::vector<LoopRange>& loops) {
    for (LoopRange& loop : loops) {
      loop.min = substitute(loop.min, names);
      loop.extent = substitute(loop.extent, names);
      Var var = Var::fresh(loop.var.name(), loop.var.dtype());
      names.insert_or_assign(loop.var, Expr(var));
      loop.var = var;
    }
  };
  rename_loops(fact.loops);
  rename(fact.when), rename(fact.triggers), rename(fact.cells);
  fact.says = substitute(fact.says, names);
  for (Clobber& h : fact.hits) {
    rename_loops(h.loops);
    rename(h.conditions);
  }
  return fact;
}

struct Content::Impl {
  ContentProgram program;

  Impl(const PrimFunc& func, const std::optional<Path>& unseen, const std::optional<std::set<Var>>& about)
      : program(func) {
    if (about) program.only(*about);
    if (unseen) {
      const ContentNode& node = program.at(*unseen);
      program.first_unseen = node.first_access;
      program.end_unseen = node.end_access;
    }
    transfer(&program);
  }

  std::vector<MemoryFact> at(const Path& path) {
    std::lock_guard lock(mutex);
    std::vector<MemoryFact> out;
    for (const FactPtr& fact : known_at(path)) out.push_back(*fact);
    return out;
  }

 private:
  std::mutex mutex;
  std::map<Path, FactList> places;  // at the places that were asked for, and on the way there

  const FactList& known_at(const Path& path) {
    if (auto it = places.find(path); it != places.end()) return it->second;
    FactList facts;
    if (!path.empty()) {
      Path before(path.begin(), path.end() - 1);
      const ContentNode& around = program.at(before);
      int step = path.back();
      program.at(path);
      if (around.stmt.as<Seq>() && step > 0) {
        before.push_back(step - 1);
        facts = known_at(before);
        run(program, around.parts[static_cast<size_t>(step - 1)], &facts);
      } else {
        facts = known_at(before);
        enter(around, static_cast<size_t>(step), &facts);
      }
    }
    return places.emplace(path, std::move(facts)).first->second;
  }

  /// From just before `node` to just before its part `step`.
  void enter(const ContentNode& node, size_t step, FactList* known) const {
    if (!node.stmt.as<Seq>() && HEXPROOF_MUTANT("content/permission-survives-an-entry", true, false))
      clobber_at_entry(program, node, known);
    if (node.stmt.as<Seq>()) {
      for (size_t k = 0; k < step; ++k) run(program, node.parts[k], known);
    } else if (const For* s = node.stmt.as<For>()) {
      into_loop(node, *s, known);
    } else if (const If* s = node.stmt.as<If>()) {
      learn(program, node.exprs[0], step == 1 || !s->then_case, known);
    } else if (const Block* s = node.stmt.as<Block>()) {
      if (node.has_predicate) learn(program, node.exprs[0], false, known);
      if (s->init && step == 1) {
        clobber(program, node.parts[0], known);
        FactList facts = node.parts[0].established;
        for (size_t e = node.has_predicate; e < node.exprs.size(); ++e) {
          guard(program, node.exprs[e], false, {&node.parts[0]}, &facts);
        }
        append(known, facts);
      }
    }
  }

  void into_loop(const ContentNode& node, const For& s, FactList* known) const {
    const ContentNode& body = node.parts[0];
    bool in_order = s.kind == ForKind::Serial || s.kind == ForKind::Unrolled;
    clobber(program, body,
            another_iteration(node, HEXPROOF_MUTANT("content/earlier-iterations", in_order ? Op::GT : Op::NE, Op::LT)),
            known);
    if (!in_order || is_data(node.range.min)) return;
    // The iterations before this one: `now` for this one, and the loop's variable for the earlier one until the end.
    Var now = Var::fresh(s.var.name(), s.var.dtype()), earlier = Var::fresh(s.var.name() + "_before", s.var.dtype());
    Iteration between = another_iteration(node, Op::LT);
    between.when.push_back(lt(Expr(between.var), Expr(now)));
    FactList facts = body.established;
    std::vector<Expr> range = {le(node.range.min, Expr(s.var)), lt(Expr(s.var), Expr(now))};
    for (FactPtr& fact : facts) {
      MemoryFact& ranged = own(fact);
      ranged.when.insert(ranged.when.begin(), range.begin(), range.end());
    }
    clobber(program, body, between, &facts);
    for (FactPtr& shared : facts) {
      // The place may lie in the loops that the fact ranges over.
      MemoryFact fact = renamed_apart(*shared, {{s.var, Expr(earlier)}, {now, Expr(s.var)}});
      fact.loops.insert(fact.loops.begin(),
                        LoopRange{earlier, node.range.min, fold(Expr(s.var) - node.range.min), node.range.kind});
      shared = make_fact(std::move(fact));
    }
    append(known, facts);
  }
};

Expr may_hold_anything(const Expr& load) {
  // A predicate of the cell, and not of its value: two cells may hold the same.
  std::vector<Expr> args{load};
  args.insert(args.end(), load->args.begin(), load->args.end());
  return uninterpreted(Op::Opaque, kBool, opaque_name(OpaqueKind::MayHoldAnything, load->buffer()->id),
                       std::move(args));
}

Content::Content(const PrimFunc& func) : Content(func, std::nullopt, std::nullopt) {}
Content::Content(const PrimFunc& func, const std::optional<Path>& unseen, const std::optional<std::set<Var>>& about)
    : impl_(std::make_unique<Impl>(func, unseen, about)) {}
Content::~Content() = default;
std::vector<MemoryFact> Content::at(const Path& path) const { return impl_->at(path); }

std::string MemoryFact::str() const {
  std::string out;
  for (const LoopRange& loop : loops) out += (out.empty() ? "for all " : ", ") + loop.var.name();
  for (const Expr& e : when) out += (out.empty() ? "" : &e == &when[0] ? ": " : " and ") + print(e);
  return out + (out.empty() ? "" : " : ") + print(says);
}

}  // namespace hexproof
