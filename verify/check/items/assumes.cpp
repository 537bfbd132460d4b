// Assumes that contradict each other make every proof empty; one that is false wherever it runs is an error.
#include "verify/check/check_item.h"
#include "verify/check/items/clashing.h"
#include "verify/memory/kept.h"

namespace hexproof {
namespace {

/// Of the assumes of the function, a least set that makes the one at `path` false.
Clash clashing_assumes(CheckContext& context, const Path& path, const Stmt& contradicted) {
  std::vector<Stmt> others = assumes_of(context.func);
  std::erase_if(others, [&](const Stmt& s) { return s.get() == contradicted.get(); });
  const Place where = place_of(context.func, contradicted);
  return least_clash(context.func, others, contradicted, [&](const PrimFunc& less) {
    Facts facts = facts_at(less, path);
    std::vector<Expr> says = conjuncts(inline_lets(facts.resolve(contradicted.as<Assume>()->condition), facts.loops));
    std::vector<Expr> given = with_content(Content(less).at(path), facts.given(), says);
    given.insert(given.end(), says.begin(), says.end());
    return context.prover.contradictory(given, where).verdict == Verdict::Proved;
  });
}

/// Does each execution that ends without an error get to the place?
bool is_always_reached(const PrimFunc& func, const Path& path) {
  for (size_t depth = 0; depth < path.size(); ++depth) {
    const Stmt around = stmt_at(func, {path.begin(), path.begin() + static_cast<long>(depth)});
    const For* loop = around.as<For>();
    const Block* block = around.as<Block>();
    if (around.as<If>() || (block && (block->predicate || block->init))) return false;
    if (loop && !(as_int(loop->extent) && int_value(loop->extent) > 0)) return false;
  }
  return true;
}

}  // namespace

AssumeFinding check_assumes(CheckContext& context) {
  AssumeFinding out;
  bool any = false;
  visit_stmt(context.func.body, [&](const Stmt& s) {
    any |= s.as<Assume>() != nullptr;
    return true;
  });
  if (!any) return out;

  // The same function with nothing assumed: its places are the same.
  PrimFunc bare = context.func;
  bare.body = rewrite_stmt(
      bare.body, {}, [](const Stmt& s) { return s.as<Assume>() ? make_stmt(Assume{boolean(true)}, s->span) : s; });
  struct Site {
    Stmt stmt;
    std::vector<Expr> with;            // what is known there
    std::vector<Expr> alone, without;  // the same without the other assumes; of memory only what branches say, and all
    std::vector<Expr> says;
  };
  std::map<Path, Site> sites;
  walk_with_facts(context.func, [&](const Stmt& s, const Path& path, const Facts& facts) {
    if (const Assume* assume = s.as<Assume>()) {
      Expr c = inline_lets(facts.resolve(assume->condition), facts.loops);
      sites[path] = {.stmt = s, .with = facts.given(), .alone = {}, .without = {}, .says = conjuncts(c)};
    }
    return true;
  });
  walk_with_facts(bare, [&](const Stmt& s, const Path& path, const Facts& facts) {
    if (s.as<Assume>()) sites.at(path).alone = facts.given();
    return true;
  });
  // What the stores before it left in the cells counts, and what the other assumes say of them.
  if (!context.content) context.content = content_of(context.func);
  Content stores(bare);
  for (auto& [path, site] : sites) {
    site.with = with_content(context.content->at(path), std::move(site.with), site.says);
    site.without = with_content(stores.at(path), site.alone, site.says);
  }

  auto contradictory = [&](std::vector<Expr> given, const std::vector<Expr>& more, const Place& where) {
    given.insert(given.end(), more.begin(), more.end());
    Answer answer = context.prover.contradictory(given, where);
    return answer;
  };
  for (auto& [path, site] : sites) {
    if (site.says.empty()) continue;
    Place where = place_of(context.func, site.stmt);
    Obligation satisfiable{"check-assume", "the assume does not contradict what is known where it stands", where,
                           site.with, lnot(all(site.says))};
    Answer both = contradictory(site.with, site.says, where);
    if (both.verdict != Verdict::Proved) {
      // A model is what is wanted here: the assume can hold. An unknown leaves the question of emptiness open only.
      Answer shown = both;
      shown.verdict = both.verdict == Verdict::Refuted ? Verdict::Proved : Verdict::Unknown;
      if (shown.verdict == Verdict::Unknown) shown.reason = "whether the assumes contradict each other is not known";
      Obligation asked = satisfiable;
      asked.kind = ObligationKind::AssumeCanHold;
      asked.goal = all(site.says);
      asked.why = "the assume can hold together with what is known where it stands";
      out.answered.push_back({std::move(asked), std::move(shown)});
      continue;
    }
    Answer alone = contradictory(site.without, site.says, where);
    if (alone.verdict == Verdict::Proved) {
      Answer reached = contradictory(site.without, {}, where);
      if (reached.verdict == Verdict::Proved) continue;  // the place is never reached
      CheckItem q{.obligation = {"check-assume", "the assume is not false wherever it stands", where, site.without,
                                 boolean(false)},
                  .path = path};
      // By itself it is false only when no store is needed to see that.
      if (contradictory(site.alone, site.says, where).verdict == Verdict::Proved) q.probe = site.stmt;
      out.refuted.emplace_back(std::move(q), std::move(reached));
      continue;
    }
    if (contradictory(site.with, {}, where).verdict == Verdict::Proved)
      continue;  // told at an earlier assume, or never reached
    const bool always = is_always_reached(context.func, path);
    if (out.vacuous.empty() || (always && !out.always)) {
      const Clash clash = clashing_assumes(context, path, site.stmt);
      out.always = always;
      out.clashing = clash.assumes;
      out.vacuous = always ? render(where.span, "vacuous",
                                    "this assume contradicts what is known where it stands: " + where.statement)
                           : render(where.span, "warning",
                                    "no execution gets past this assume, which contradicts what is known where it "
                                    "stands: " +
                                        where.statement);
      out.vacuous += clash.str();
    }
    satisfiable.rule = "check-unreachable";
    satisfiable.why = "no execution gets past the assume, which contradicts what is known where it stands";
    out.answered.push_back({std::move(satisfiable), std::move(both)});
  }
  return out;
}

}  // namespace hexproof
