#include "fuzz/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "fuzz/places.h"
#include "fuzz/proposal.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/passes/passes.h"
#include "verify/facts/facts.h"

namespace hexproof {
namespace {

/// One of the expression rules that match in a statement; its condition may well fail.
std::string random_applications(Proposal& p, const Path& at) {
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
  return all.empty() ? "" : print(std::vector<Application>{p.choices.pick(all)});
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

struct Proposer {
  const char* rule;
  Json (*args)(Proposal& p);
};

/// Every statement rule, with arguments that fit now and then.
const std::vector<Proposer>& proposers() {
  static const std::vector<Proposer> list = {
      {"split",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)},
                     {"factor", 2 + p.choices.below(4)},
                     {"outer", p.name()},
                     {"inner", p.name()}};
       }},
      {"fuse",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.nests, p.places.loops)}, {"name", p.name()}};
       }},
      {"reorder",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.nests, p.places.loops)}, {"order", p.order()}};
       }},
      {"eliminate-branch",
       [](Proposal& p) {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(70);
         return Json{{"at", of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks)},
                     {"takes", p.choices.below(2)}};
       }},
      {"merge-branches",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.adjacent_ifs, p.places.in_sequence)}, {"complementary", p.choices.below(2)}};
       }},
      {"join-conditions",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.nested_ifs, p.places.ifs)}, {"back", p.choices.below(2)}};
       }},
      {"inline-let",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.lets)}};
       }},
      {"unit-loop",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.unit_loops, p.places.loops)}};
       }},
      {"distribute-loop",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops_of_several, p.places.loops)}, {"count", 1 + p.choices.below(2)}};
       }},
      {"merge-loops",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.adjacent_loops, p.places.in_sequence)}};
       }},
      {"swap-statements",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.in_sequence)}};
       }},
      {"parallelize",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)}};
       }},
      {"vectorize",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.constant_loops, p.places.loops)}};
       }},
      {"unroll",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.constant_loops, p.places.loops)}};
       }},
      {"tensorize",
       [](Proposal& p) {
         std::vector<Json> fitting;
         if (p.choices.chance(70)) {
           for (const Path& at : p.places.constant_loops) {
             const For* loop = stmt_at(p.func, at).as<For>();
             for (const Intrinsic* row : all_intrinsics()) {
               if (!loop || !std::holds_alternative<NestMatch>(match_nest(*loop, description_of(*row)))) continue;
               fitting.push_back({{"at", at}, {"intrinsic", row->name}});
             }
           }
         }
         if (!fitting.empty()) return p.choices.pick(fitting);
         return Json{{"at", p.at(p.places.constant_loops, p.places.loops)},
                     {"intrinsic", p.choices.pick(all_intrinsics())->name}};
       }},
      {"remove-store",
       [](Proposal& p) {
         static const std::vector<std::string> kKinds = {"overwritten", "already-there", "dead"};
         Json args = {{"at", p.at(p.places.stores)}, {"kind", p.choices.pick(kKinds)}};
         if (args["kind"] == "overwritten") args["by"] = p.at(p.places.stores), args["witness"] = p.choices.below(2);
         return args;
       }},
      {"decompose-reduction",
       [](Proposal& p) {
         Json at = p.at(p.places.reductions, p.places.blocks);
         Json args = {{"at", at}, {"loop", p.around(at.get<Path>())}};
         if (p.choices.chance(20)) args["into"] = 1;
         return args;
       }},
      {"simplify",
       [](Proposal& p) {
         Path at = p.choices.pick(p.places.all);
         return Json{{"at", at}, {"applications", random_applications(p, at)}};
       }},
      {"lower-block",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.blocks)}};
       }},
      {"transform-layout",
       [](Proposal& p) {
         const Buffer& b = p.buffer();
         Json args = {{"buffer", b->name}, {"map", p.layout(b)}};
         if (std::optional<Json> pad = p.pad_value(b->dtype)) args["pad_value"] = *pad;
         if (!p.inverse.empty() && p.choices.chance(60)) args["inverse"] = p.inverse;
         return args;
       }},
      {"compute-at",
       [](Proposal& p) {
         Json args = {{"block", p.block()}, {"loop", p.at(p.places.loops)}};
         if (p.choices.chance(40)) args["clip"] = 1;
         return args;
       }},
      {"sink-alloc",
       [](Proposal& p) {
         Json args = {{"buffer", p.allocation()}};
         if (p.choices.chance(50)) args["loop"] = p.at(p.places.loops);
         return args;
       }},
      {"compact-buffer",
       [](Proposal& p) {
         Json args = {{"buffer", p.allocation()}};
         if (p.places.allocations.empty() || !p.choices.chance(60)) return args;
         const Buffer& b = p.choices.pick(p.places.allocations);
         args["buffer"] = b->name;
         p.region(b, &args);
         return args;
       }},
      {"set-scope",
       [](Proposal& p) {
         static const std::vector<std::string> kScopes = {"local", "global", "global.vtcm"};
         return Json{{"buffer", p.allocation()}, {"scope", p.choices.pick(kScopes)}};
       }},
      {"flatten",
       [](Proposal& p) {
         return p.choices.chance(50) ? Json{{"buffer", p.buffer()->name}} : Json::object();
       }},
      {"cache-read",
       [](Proposal& p) {
         Json args = {{"block", p.block()}, {"buffer", p.buffer()->name}};
         if (p.choices.chance(40)) args["block"] = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(30)) args["cover"] = "all";
         return args;
       }},
      {"reduce-extent",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.guarded_loops, p.places.loops)}};
         if (p.choices.chance(30)) args["min"] = p.choices.below(4), args["extent"] = p.choices.below(8);
         return args;
       }},
      {"hoist-condition",
       [](Proposal& p) {
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->dtype == kBool && !as_int(e); });
         return Json{
             {"at", p.around(statement)}, {"statement", statement}, {"expr", e}, {"block_vars", p.choices.below(2)}};
       }},
      {"hoist-index",
       [](Proposal& p) {
         auto [statement, e] = p.expr_that([](const Expr& e) {
           return e->dtype.is_integer() && e->dtype.is_scalar() && !e->args.empty() && !e->data;
         });
         return Json{{"at", p.around(statement)}, {"statement", statement}, {"expr", e}, {"name", p.name()}};
       }},
      {"hoist-let",
       [](Proposal& p) {
         if (!p.places.lets.empty() && p.choices.chance(60)) {
           Path statement = p.choices.pick(p.places.lets);
           return Json{{"at", p.around(statement)}, {"statement", statement}};
         }
         auto [statement, e] = p.expr_that([](const Expr& e) { return e->op == Op::Let; });
         return Json{{"at", p.around(statement)}, {"statement", statement}, {"expr", e}};
       }},
      {"same-branches",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.closed_ifs, p.places.ifs)}};
       }},
      {"remove-empty",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.empties, p.places.all)}};
         if (p.choices.chance(30)) args["kind"] = p.choices.chance(50) ? "no-iteration" : "unused";
         return args;
       }},
      {"clamp-index",
       [](Proposal& p) {
         bool back = p.choices.chance(30);
         auto [at, e] = p.expr_that([](const Expr& e) { return e->dtype.is_integer() && e->dtype.is_scalar(); });
         Json args = {{"at", at}, {"expr", e}};
         if (back) args["back"] = 1;
         if (p.choices.chance(50)) args["extent"] = 1 + p.choices.below(12);
         return args;
       }},
      {"overcompute",
       [](Proposal& p) {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(80);
         return Json{{"at", of_if ? p.at(p.places.ifs) : p.at(p.places.predicated, p.places.blocks)},
                     {"takes", p.choices.below(4) > 0 ? 1 : 0},
                     {"stores", p.traces()}};
       }},
      {"introduce-branch",
       [](Proposal& p) {
         return Json{{"at", p.choices.pick(p.places.all)}, {"by", p.at(p.places.stores)}, {"stores", p.traces()}};
       }},
      {"insert-store",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.open_ifs, p.places.ifs)},
                      {"like", p.at(p.places.stores)},
                      {"value", p.choices.below(3)}};
         if (p.choices.chance(50)) args["by"] = p.at(p.places.stores), args["witness"] = p.choices.below(2);
         return args;
       }},
      {"remove-assume", [](Proposal&) { return Json::object(); }},
      {"remove-undef-store",
       [](Proposal& p) {
         if (p.choices.chance(30)) return Json{{"kind", "choose"}};
         return Json{{"at", p.at(p.places.undef_stores, p.places.stores)}};
       }},
      {"forward-store",
       [](Proposal& p) {
         auto [at, where] = p.expr_that([](const Expr& e) { return e->op == Op::Load; });
         std::vector<Path> fitting;  // stores of the same buffer that stand in front
         const Json steps = where;
         std::optional<Buffer> buffer = loaded_at(p.func, at, steps.get<Path>());
         for (const Path& store : p.places.stores) {
           if (buffer && store < at && stmt_at(p.func, store).as<Store>()->buffer == *buffer) fitting.push_back(store);
         }
         return Json{
             {"at", at}, {"expr", where}, {"store", p.at(fitting, p.places.stores)}, {"witness", p.choices.below(3)}};
       }},
      {"reverse-compute-at",
       [](Proposal& p) {
         Json args = {{"block", p.block()}, {"loop", p.at(p.places.loops)}};
         if (p.choices.chance(40)) args["clip"] = 1;
         if (p.choices.chance(20)) args["witness"] = p.choices.below(3);
         return args;
       }},
      {"add-unit-loop",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops, p.places.blocks)}, {"name", p.name()}};
       }},
      {"annotate",
       [](Proposal& p) {
         static const std::vector<std::string> keys = {"pragma_auto_unroll_max_step", "note",
                                                       "software_pipeline_stage"};
         Json args = {{"at", p.at(p.places.loops, p.places.blocks)}, {"key", p.choices.pick(keys)}};
         if (p.choices.chance(70)) args["value"] = p.choices.below(9);
         return args;
       }},
      {"bind",
       [](Proposal& p) {
         static const std::vector<std::string> axes = {"threadIdx.x", "blockIdx.y", "vthread", "thread"};
         return Json{{"at", p.at(p.places.loops)}, {"thread", p.choices.pick(axes)}};
       }},
      {"reorder-block-vars",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.blocks)}, {"order", p.order()}};
       }},
      {"blockize",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.nests, p.places.all)}, {"name", p.name()}};
         if (p.choices.chance(30)) args["at"] = p.at(p.places.blocks), args["unit_iters"] = 0;
         if (p.choices.chance(20)) args["at"] = p.at(p.places.in_sequence), args["count"] = 2;
         return args;
       }},
      {"rebind-block",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.blocks)}, {"unit_iters", p.choices.below(2)}};
         if (p.choices.chance(60)) args["map"] = p.block_map(args["at"].get<Path>());
         return args;
       }},
      {"partition-loop",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.loops)}, {"count", p.choices.below(6)}, {"rest", p.name()}};
         if (p.choices.chance(40)) args["front"] = p.name();
         return args;
       }},
      {"reindex-read",
       [](Proposal& p) {
         Json args = {{"block", p.at(p.places.blocks)}, {"index", p.choices.below(2)}, {"name", p.name()}};
         if (p.choices.chance(40)) args["map"] = p.block_map(args["block"].get<Path>());
         return args;
       }},
      {"reindex-write",
       [](Proposal& p) {
         Json args = {{"block", p.at(p.places.blocks)}, {"index", 0}, {"name", p.name()}};
         if (p.choices.chance(40)) args["map"] = p.block_map(args["block"].get<Path>());
         return args;
       }},
      {"cache-index",
       [](Proposal& p) {
         return Json{{"block", p.at(p.places.blocks)}, {"number", p.choices.below(2)}, {"name", p.name()}};
       }},
      {"cache-inplace",
       [](Proposal& p) {
         Json args = {{"block", p.at(p.places.blocks, p.places.loops)}, {"index", 0}};
         if (p.choices.chance(40)) args["block"] = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(30)) args["cover"] = "all";
         return args;
       }},
      {"grow-buffer",
       [](Proposal& p) {
         const Buffer& b = p.places.allocations.empty() ? p.buffer() : p.choices.pick(p.places.allocations);
         std::vector<int64_t> extents;
         for (const Expr& e : b->shape) {
           extents.push_back((as_int(e) ? *as_int(e) : 4) + p.choices.below(4) - (p.choices.chance(10) ? 1 : 0));
         }
         return Json{{"buffer", b->name}, {"shape", {{"extents", extents}}}};
       }},
      {"rfactor",
       [](Proposal& p) {
         const std::vector<Path>& sums = p.places.reductions;
         Json loop = sums.empty() ? p.at(p.places.loops) : p.around(p.choices.pick(sums));
         return Json{{"loop", loop}, {"axis", p.choices.below(2)}};
       }},
      {"decompose-padding",
       [](Proposal& p) {
         const Json block = p.at(p.places.blocks, p.places.stores);
         return Json{{"at", block}, {"loop", p.around(block.get<Path>())}};
       }},
      {"elide-padding",
       [](Proposal& p) {
         const Buffer& b = p.places.allocations.empty() ? p.buffer() : p.choices.pick(p.places.allocations);
         int64_t cells = 1, width = 1;
         for (const Expr& e : b->shape) cells *= as_int(e) ? *as_int(e) : 1;
         if (b->ndim() > 0 && as_int(b->shape.back())) width = std::max<int64_t>(1, *as_int(b->shape.back()));
         bool flat = b->ndim() < 2;
         std::string map = flat ? "lambda i: [i]" : fmt::format("lambda i: [i // {0}, i % {0}]", width);
         return Json{{"buffer", b->name},
                     {"shape", {{"extents", {std::max<int64_t>(0, cells - p.choices.below(4))}}}},
                     {"map", map}};
       }},
      {"cache-write",
       [](Proposal& p) {
         Json args = {{"block", p.block()}, {"buffer", p.buffer()->name}};
         if (p.choices.chance(40)) args["block"] = p.at(p.places.loops, p.places.all);
         if (p.choices.chance(40)) args["cover"] = p.choices.chance(50) ? "all" : "guard";
         return args;
       }},
      {"reindex-loops",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.loops)}, {"count", 1 + p.choices.below(3)}, {"buffer", p.buffer()->name}};
         Path replaced;
         for (int loop = 0; loop < 3; ++loop) {
           if (p.choices.chance(50)) replaced.push_back(loop);
         }
         args["replaced"] = replaced;
         args["access"] = p.choices.below(3), args["image"] = p.choices.below(2);
         return args;
       }},
  };
  return list;
}

/// Passes, which find places and witnesses that single rules get by chance only now and then.
Json random_pass(Proposal& p) {
  const Pass& pass = p.choices.pick(all_passes());
  Json args = {{"name", pass.name}};
  if (p.choices.chance(40)) args["block"] = p.block();
  return args;
}
Json random_primitive(Proposal& p) {
  Json block = p.places.block_names.empty() || p.choices.chance(30) ? Json("root") : p.block();
  return Json{{"name", "sequential_buffer_access"}, {"block", block}, {"buffer", p.buffer()->name}};
}

}  // namespace

const std::vector<std::string>& step_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> out;
    for (const Rule* rule : all_rules()) out.push_back(rule->name);
    for (const Pass& pass : all_passes()) out.push_back(pass.name);
    out.push_back("sequential_buffer_access");
    return out;
  }();
  return names;
}

std::string step_name(const StepRequest& step) {
  return (step.rule == "pass" || step.rule == "primitive") && step.args.contains("name")
             ? step.args.at("name").get<std::string>()
             : step.rule;
}

std::optional<StepRequest> RandomSteps::operator()(const PrimFunc& current) {
  if (left_-- <= 0) return std::nullopt;
  Places places(current);
  Proposal proposal{choices_, places, current};
  // A pass tries much by itself, and costs much: once in the beginning, and perhaps again after other steps.
  bool costly = pass_by_name(wanted_) || wanted_ == "sequential_buffer_access";
  if (!wanted_.empty() && choices_.chance(costly ? (left_ == 7 ? 70 : 8) : 60)) {
    if (wanted_ == "sequential_buffer_access") return StepRequest{"primitive", random_primitive(proposal)};
    if (pass_by_name(wanted_)) {
      Json args = {{"name", wanted_}};
      if (choices_.chance(20)) args["block"] = proposal.block();
      return StepRequest{"pass", args};
    }
    for (const Proposer& proposer : proposers()) {
      if (proposer.rule == wanted_) return StepRequest{proposer.rule, proposer.args(proposal)};
    }
  }
  uint32_t kind = passes_ ? choices_.below(100) : 0;
  if (kind >= 92) return StepRequest{"primitive", random_primitive(proposal)};
  if (kind >= 72) return StepRequest{"pass", random_pass(proposal)};
  const Proposer& proposer = choices_.pick(proposers());
  return StepRequest{proposer.rule, proposer.args(proposal)};
}

}  // namespace hexproof
