#include "fuzz/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "fuzz/places.h"
#include "ir/visit.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/passes/passes.h"
#include "verify/facts/facts.h"

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

struct Proposal {
  Choices& choices;
  const Places& places;
  const PrimFunc& func;
  size_t dims = 0;  // of the layout that was proposed last

  /// One of the paths; nothing fits when there is none, and the rule will say so.
  Json at(const std::vector<Path>& paths) { return paths.empty() ? Json(Path{}) : Json(choices.pick(paths)); }
  /// Mostly one of those with the shape that the rule looks for.
  Json at(const std::vector<Path>& fitting, const std::vector<Path>& others) {
    return at(!fitting.empty() && choices.chance(75) ? fitting : others);
  }
  Json allocation() {
    return Json(!places.allocations.empty() && choices.chance(80) ? choices.pick(places.allocations)->name
                                                                  : buffer()->name);
  }
  /// A statement with an expression that fits, and where that stands; anywhere when there is none.
  std::pair<Path, Json> expr_that(bool (*fits)(const Expr&)) {
    std::vector<std::pair<Path, Path>> found;
    for (const Path& statement : places.all) {
      for (Path& e : expr_places(func, statement, fits)) found.emplace_back(statement, std::move(e));
    }
    if (found.empty() || choices.chance(10)) {
      const Path& statement = choices.pick(places.all);
      return {statement, expr(statement)};
    }
    const auto& [statement, e] = choices.pick(found);
    return {statement, Json(e)};
  }
  Json block() { return places.block_names.empty() ? Json("none") : Json(choices.pick(places.block_names)); }
  const Buffer& buffer() {
    static const Buffer none = make_buffer("none", kInt32, {i32(1)});
    return places.buffers.empty() ? none : choices.pick(places.buffers);
  }
  Json name() { return Json(std::string(1, static_cast<char>('p' + choices.below(8)))); }

  /// Somewhere inside of the statement at `statement`: positions that exist now and then.
  Json expr(const Path& statement) {
    Path path;
    std::vector<Expr> roots = expressions(stmt_at(func, statement));
    if (roots.empty()) return Json(Path{0});
    path.push_back(static_cast<int>(choices.below(static_cast<uint32_t>(roots.size()))));
    Expr e = roots[static_cast<size_t>(path[0])];
    while (e && !e->args.empty() && choices.chance(60)) {
      path.push_back(static_cast<int>(choices.below(static_cast<uint32_t>(e->args.size()))));
      e = Expr(e->args[static_cast<size_t>(path.back())]);
    }
    return Json(path);
  }
  /// A statement around the one at `inner`, mostly a loop.
  Json around(const Path& inner) {
    std::vector<Path> loops;
    for (const Path& at : places.loops) {
      if (at.size() <= inner.size() && std::equal(at.begin(), at.end(), inner.begin())) loops.push_back(at);
    }
    if (!loops.empty() && choices.chance(80)) return Json(choices.pick(loops));
    return Json(Path(inner.begin(), inner.begin() + choices.below(static_cast<uint32_t>(inner.size()) + 1)));
  }
  /// Why each of a few stores leaves no trace.
  Json traces() {
    std::string out;
    for (uint32_t k = choices.below(3); k-- > 0;) {
      std::string one = choices.chance(30) ? "same" : choices.chance(30) ? "unread" : "by";
      if (one == "by") {
        const Path& by = places.stores.empty() ? Path{0} : choices.pick(places.stores);
        for (size_t i = 0; i < by.size(); ++i) one += (i ? "." : " ") + std::to_string(by[i]);
        if (by.empty()) one += " 0";
      }
      out += (out.empty() ? "" : "; ") + one;
    }
    return Json(out);
  }

  Json order() {
    std::vector<Path> orders = {{1, 0}, {1, 0}, {2, 1, 0}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {3, 1, 2, 0}};
    return Json(choices.pick(orders));
  }

  /// Splits, permutations, shifts, reversals, holes, digits that collide: layouts that are right, with padding at
  /// either end or between, and layouts that are not.
  Json layout(const Buffer& b) {
    size_t n = b->ndim();
    if (n == 0) return dims = 0, Json("lambda i: [i]");
    std::vector<std::string> names, out;
    for (size_t i = 0; i < n; ++i) names.push_back("i" + std::to_string(i));
    out = names;
    size_t d = choices.below(static_cast<uint32_t>(n));
    std::string k = std::to_string(2 + choices.below(3)), v = names[d];
    std::string o = std::to_string(choices.below(4));
    switch (choices.below(11)) {
      case 0:
        out[d] = v + " // " + k, out.push_back(v + " % " + k);
        break;
      case 1:
        std::swap(out[d], out[0]);
        break;
      case 2:
        out[d] = v + " // " + k, out.insert(out.begin(), v + " % " + k);
        break;
      case 3:
        out[d] = v + " // " + k;
        break;  // not injective
      case 4:
        out[d] = v + " + " + k;
        break;  // not minimal
      case 5:
        out[d] = as_int(b->shape[d]) ? std::to_string(*as_int(b->shape[d]) - 1) + " - " + v : v;
        break;
      case 6:
        out[d] = "(" + v + " + " + o + ") // " + k, out.push_back("(" + v + " + " + o + ") % " + k);
        break;
      case 7:
        out[d] = "(" + v + " + " + o + ") // " + k, out.insert(out.begin(), "(" + v + " + " + o + ") % " + k);
        break;
      case 8:
        out[d] = choices.chance(50) ? v + " * " + k : v + " // 2 * " + k + " + " + v + " % 2";
        break;
      case 9:
        if (n > 1 && d > 0) {
          std::string wide = std::to_string((as_int(b->shape[d]) ? *as_int(b->shape[d]) : 4) + choices.below(3));
          out[d - 1] = "(" + names[d - 1] + " * " + wide + " + " + v + ") // " + k;
          out[d] = "(" + names[d - 1] + " * " + wide + " + " + v + ") % " + k;
        }
        break;
      default:
        if (n > 1 && d > 0 && as_int(b->shape[d])) {
          out[d - 1] = names[d - 1] + " * " + std::to_string(*as_int(b->shape[d])) + " + " + v;
          out.erase(out.begin() + static_cast<std::ptrdiff_t>(d));
        }
    }
    std::string text = "lambda ";
    for (size_t i = 0; i < n; ++i) text += (i ? ", " : "") + names[i];
    text += ": [";
    for (size_t i = 0; i < out.size(); ++i) text += (i ? ", " : "") + out[i];
    dims = out.size();
    return Json(text + "]");
  }

  /// What padding may hold, for the layout that was proposed last; nothing for none.
  std::optional<Json> pad_value(DType type) {
    static const std::vector<int> kNumbers = {0, 1, -1, 5, -128, 127};
    switch (choices.below(7)) {
      case 0:
      case 1:
        return std::nullopt;
      case 2:
        return Json("undef");
      case 3: {
        std::string names, sum = std::to_string(choices.below(5));
        for (size_t d = 0; d < dims; ++d) {
          std::string p = "p" + std::to_string(d);
          names += (d ? ", " : "") + p;
          sum += " + " + p + " * " + std::to_string(1 + choices.below(4));
        }
        return Json("lambda " + names + ": [" + sum + "]");
      }
      case 4: {  // a cell of the buffer itself, now and then one that is no padding
        std::string names, cell;
        for (size_t d = 0; d < dims; ++d) {
          std::string p = "p" + std::to_string(d), k = std::to_string(1 + choices.below(3));
          names += (d ? ", " : "") + p;
          cell += ", " + (choices.chance(50) ? k : choices.chance(50) ? p + " % " + k : p + " // " + k);
        }
        return Json("lambda " + names + ": [T.call_pure_extern(\"" + type.str() + "\", \"transformed\"" + cell + ")]");
      }
      default:
        return Json(choices.pick(kNumbers));
    }
  }
};

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
         return Json{{"at", at}, {"loop", p.around(at.get<Path>())}};
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
         return args;
       }},
      {"compute-at",
       [](Proposal& p) {
         return Json{{"block", p.block()}, {"loop", p.at(p.places.loops)}};
       }},
      {"sink-alloc",
       [](Proposal& p) {
         Json args = {{"buffer", p.allocation()}};
         if (p.choices.chance(50)) args["loop"] = p.at(p.places.loops);
         return args;
       }},
      {"compact-buffer",
       [](Proposal& p) {
         return Json{{"buffer", p.allocation()}};
       }},
      {"flatten",
       [](Proposal& p) {
         return p.choices.chance(50) ? Json{{"buffer", p.buffer()->name}} : Json::object();
       }},
      {"cache-read",
       [](Proposal& p) {
         return Json{{"block", p.block()}, {"buffer", p.buffer()->name}};
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
         return Json{{"block", p.block()}, {"buffer", p.buffer()->name}};
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
