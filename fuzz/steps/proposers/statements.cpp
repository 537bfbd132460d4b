#include "rewrite/rules/args/statements.h"

#include <functional>

#include "fuzz/steps/proposers/tables.h"
#include "ir/visit.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

/// One of the expression rules that match in a statement; its condition may well fail.
std::vector<Application> random_applications(Proposal& p, const Path& at) {
  std::vector<Application> all;
  ExprSite site(p.func, at);
  std::function<void(const Path&)> look = [&](const Path& where) {
    for (const Candidate& c : site.candidates(where)) all.push_back({c.match.rule, c.ordinal, at, where});
    for (const Candidate& c : site.candidates(where, kSeparateDigits)) {
      all.push_back({kSeparateDigits, c.ordinal, at, where});
    }
    size_t operands = site.expr(where)->args.size();
    for (size_t i = 0; i < operands; ++i) {
      Path below = where;
      below.push_back(static_cast<int>(i));
      look(below);
    }
  };
  for (size_t root = 0; root < site.roots().size(); ++root) {
    if (site.may_rewrite(root)) look({static_cast<int>(root)});
  }
  return all.empty() ? all : std::vector<Application>{p.choices.pick(all)};
}

/// The buffer of the load that stands there, if one does.
std::optional<Buffer> loaded_at(const PrimFunc& func, const Path& at, const Path& where) {
  std::vector<Expr> args = expressions(stmt_at(func, at));
  Expr e;
  for (int step : where) {
    if (step < 0 || static_cast<size_t>(step) >= args.size()) return std::nullopt;
    e = args[static_cast<size_t>(step)];
    if (!e) return std::nullopt;
    args = e->args;
  }
  return e && e->op == Op::Load ? std::optional<Buffer>(e->buffer()) : std::nullopt;
}

}  // namespace

std::vector<Proposer> statement_proposers() {
  return {
      {EliminateBranchArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(70);
         return EliminateBranchArgs{.at = of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks),
                                    .takes = p.choices.below(2)};
       }},
      {MergeBranchesArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return MergeBranchesArgs{.at = p.at(p.places.adjacent_ifs, p.places.in_sequence),
                                  .complementary = p.choices.below(2)};
       }},
      {JoinConditionsArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return JoinConditionsArgs{.at = p.at(p.places.nested_ifs, p.places.ifs), .back = p.choices.below(2)};
       }},
      {InlineLetArgs::kRule, [](Proposal& p) -> RuleCall { return InlineLetArgs{.at = p.at(p.places.lets)}; }},
      {SwapStatementsArgs::kRule,
       [](Proposal& p) -> RuleCall { return SwapStatementsArgs{.at = p.at(p.places.in_sequence)}; }},
      {RemoveStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         static const std::vector<std::string> kKinds = {"overwritten", "already-there", "dead"};
         RemoveStoreArgs args{.at = p.at(p.places.stores), .kind = p.choices.pick(kKinds)};
         if (args.kind == "overwritten") args.by = p.at(p.places.stores), args.witness = p.choices.below(2);
         return args;
       }},
      {SimplifyArgs::kRule,
       [](Proposal& p) -> RuleCall {
         Path at = p.choices.pick(p.places.all);
         return SimplifyArgs{.at = at, .applications = random_applications(p, at)};
       }},
      {HoistConditionArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->dtype == kBool && !as_int(e); });
         return HoistConditionArgs{
             .at = p.around(statement), .statement = statement, .expr = e, .block_vars = p.choices.below(2)};
       }},
      {HoistIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [statement, e] = p.expr_that([](const Expr& e) {
           return e->dtype.is_integer() && e->dtype.is_scalar() && !e->args.empty() && !e->data;
         });
         return HoistIndexArgs{.at = p.around(statement), .statement = statement, .expr = e, .name = p.name()};
       }},
      {HoistLetArgs::kRule,
       [](Proposal& p) -> RuleCall {
         if (!p.places.lets.empty() && p.choices.chance(60)) {
           Path statement = p.choices.pick(p.places.lets);
           return HoistLetArgs{.at = p.around(statement), .statement = statement};
         }
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->op == Op::Let; });
         return HoistLetArgs{.at = p.around(statement), .statement = statement, .expr = e};
       }},
      {SameBranchesArgs::kRule,
       [](Proposal& p) -> RuleCall { return SameBranchesArgs{.at = p.at(p.places.closed_ifs, p.places.ifs)}; }},
      {RemoveEmptyArgs::kRule,
       [](Proposal& p) -> RuleCall {
         RemoveEmptyArgs args{.at = p.at(p.places.empties, p.places.all)};
         if (p.choices.chance(30)) args.kind = p.choices.chance(50) ? "no-iteration" : "unused";
         return args;
       }},
      {ClampIndexArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool back = p.choices.chance(30);
         auto [at, e] = p.expr_that([](const Expr& e) { return e->dtype.is_integer() && e->dtype.is_scalar(); });
         ClampIndexArgs args{.at = at, .expr = e};
         if (back) args.back = true;
         if (p.choices.chance(50)) args.extent = 1 + p.choices.below(12);
         return args;
       }},
      {OvercomputeArgs::kRule,
       [](Proposal& p) -> RuleCall {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(80);
         return OvercomputeArgs{.at = of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks),
                                .takes = p.choices.below(4) > 0,
                                .stores = p.traces()};
       }},
      {IntroduceBranchArgs::kRule,
       [](Proposal& p) -> RuleCall {
         return IntroduceBranchArgs{
             .at = p.choices.pick(p.places.all), .by = p.at(p.places.stores), .stores = p.traces()};
       }},
      {InsertStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         InsertStoreArgs args{
             .at = p.at(p.places.open_ifs, p.places.ifs), .like = p.at(p.places.stores), .value = p.choices.below(3)};
         if (p.choices.chance(50)) args.by = p.at(p.places.stores), args.witness = p.choices.below(2);
         return args;
       }},
      {RemoveAssumeArgs::kRule, [](Proposal&) -> RuleCall { return RemoveAssumeArgs{}; }},
      {RemoveUndefStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         if (p.choices.chance(30)) return RemoveUndefStoreArgs{.kind = "choose"};
         return RemoveUndefStoreArgs{.at = p.at(p.places.undef_stores, p.places.stores)};
       }},
      {ForwardStoreArgs::kRule,
       [](Proposal& p) -> RuleCall {
         auto [at, where] = p.expr_that([](const Expr& e) { return e->op == Op::Load; });
         std::vector<Path> fitting;  // stores of the same buffer that stand in front
         std::optional<Buffer> buffer = loaded_at(p.func, at, where);
         for (const Path& store : p.places.stores) {
           if (buffer && store < at && stmt_at(p.func, store).as<Store>()->buffer == *buffer) fitting.push_back(store);
         }
         return ForwardStoreArgs{
             .at = at, .expr = where, .store = p.at(fitting, p.places.stores), .witness = p.choices.below(3)};
       }},
      {MakeAsyncArgs::kRule,
       [](Proposal& p) -> RuleCall {
         // Statements that follow one another, and some that stand elsewhere.
         MakeAsyncArgs args{.copies = {p.at(p.places.in_sequence, p.places.all)}, .waits = {}, .inflight = {}};
         Path behind = args.copies[0];
         if (!behind.empty()) ++behind.back();
         if (p.choices.chance(30)) args.copies.push_back(p.at(p.places.all));
         for (uint32_t k = p.choices.below(3); k-- > 0;) {
           args.waits.push_back(p.choices.chance(70) ? behind : p.at(p.places.all));
           args.inflight.push_back(i32(p.choices.chance(60) ? 0 : p.choices.below(3)));
         }
         return args;
       }},
  };
}

}  // namespace hexproof
