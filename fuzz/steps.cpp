#include "fuzz/steps.h"

#include <functional>

#include "ir/visit.h"
#include "rewrite/expr_rules/site.h"
#include "rewrite/passes/passes.h"
#include "verify/facts.h"

namespace hexproof {
namespace {

using Json = nlohmann::ordered_json;

/// Where the statements of each kind stand, and what can be named.
struct Places {
  std::vector<Path> all, loops, ifs, blocks, lets, stores;
  std::vector<Path> in_sequence;  // statements with a following one in the same Seq
  std::vector<std::string> block_names;
  std::vector<Buffer> buffers;  // parameters and allocations

  explicit Places(const PrimFunc& func) : buffers(func.buffer_params()) { visit(func.body, {}); }

 private:
  void visit(const Stmt& s, const Path& path) {
    all.push_back(path);
    if (s.as<For>()) loops.push_back(path);
    if (s.as<If>()) ifs.push_back(path);
    if (s.as<LetStmt>()) lets.push_back(path);
    if (s.as<Store>()) stores.push_back(path);
    if (const AllocBuffer* a = s.as<AllocBuffer>()) buffers.push_back(a->buffer);
    if (const Block* b = s.as<Block>()) blocks.push_back(path), block_names.push_back(b->name);
    std::vector<Stmt> parts = children(s);
    for (size_t i = 0; i < parts.size(); ++i) {
      Path below = path;
      below.push_back(static_cast<int>(i));
      if (s.as<Seq>() && i + 1 < parts.size()) in_sequence.push_back(below);
      visit(parts[i], below);
    }
  }
};

struct Proposal {
  Choices& choices;
  const Places& places;
  const PrimFunc& func;
  size_t dims = 0;  // of the layout that was proposed last

  /// One of the paths; nothing fits when there is none, and the rule will say so.
  Json at(const std::vector<Path>& paths) { return paths.empty() ? Json(Path{}) : Json(choices.pick(paths)); }
  Json block() { return places.block_names.empty() ? Json("none") : Json(choices.pick(places.block_names)); }
  const Buffer& buffer() { return choices.pick(places.buffers); }
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
          std::string wide = std::to_string(*as_int(b->shape[d]) + choices.below(3));
          out[d - 1] = "(" + names[d - 1] + " * " + wide + " + " + v + ") // " + k;
          out[d] = "(" + names[d - 1] + " * " + wide + " + " + v + ") % " + k;
        }
        break;
      default:
        if (n > 1 && d > 0) {
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
         return Json{{"at", p.at(p.places.loops)}, {"name", p.name()}};
       }},
      {"reorder",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)}, {"order", p.order()}};
       }},
      {"eliminate-branch",
       [](Proposal& p) {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(70);
         return Json{{"at", p.at(of_if ? p.places.ifs : p.places.blocks)}, {"takes", p.choices.below(2)}};
       }},
      {"merge-branches",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.in_sequence)}, {"complementary", p.choices.below(2)}};
       }},
      {"join-conditions",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.ifs)}, {"back", p.choices.below(2)}};
       }},
      {"inline-let",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.lets)}};
       }},
      {"unit-loop",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)}};
       }},
      {"distribute-loop",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)}, {"count", 1 + p.choices.below(2)}};
       }},
      {"merge-loops",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.in_sequence)}};
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
         return Json{{"at", p.at(p.places.loops)}};
       }},
      {"unroll",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.loops)}};
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
         return Json{{"at", p.at(p.places.blocks)}, {"loop", p.at(p.places.loops)}};
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
         Json args = {{"buffer", p.buffer()->name}};
         if (p.choices.chance(50)) args["loop"] = p.at(p.places.loops);
         return args;
       }},
      {"compact-buffer",
       [](Proposal& p) {
         return Json{{"buffer", p.buffer()->name}};
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
         Json args = {{"at", p.at(p.places.loops)}};
         if (p.choices.chance(30)) args["min"] = p.choices.below(4), args["extent"] = p.choices.below(8);
         return args;
       }},
      {"hoist-condition",
       [](Proposal& p) {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(70);
         Path statement = p.choices.pick(of_if ? p.places.ifs : p.places.all);
         return Json{{"at", p.around(statement)},
                     {"statement", statement},
                     {"expr", p.expr(statement)},
                     {"block_vars", p.choices.below(2)}};
       }},
      {"hoist-let",
       [](Proposal& p) {
         Path statement = p.choices.pick(p.places.lets.empty() ? p.places.all : p.places.lets);
         return Json{{"at", p.around(statement)}, {"statement", statement}};
       }},
      {"same-branches",
       [](Proposal& p) {
         return Json{{"at", p.at(p.places.ifs)}};
       }},
      {"remove-empty",
       [](Proposal& p) {
         Json args = {{"at", p.choices.pick(p.places.all)}};
         if (p.choices.chance(30)) args["kind"] = p.choices.chance(50) ? "no-iteration" : "unused";
         return args;
       }},
      {"clamp-index",
       [](Proposal& p) {
         Path at = p.choices.pick(p.places.all);
         Json args = {{"at", at}, {"expr", p.expr(at)}};
         if (p.choices.chance(30)) args["back"] = 1;
         if (p.choices.chance(50)) args["extent"] = 1 + p.choices.below(12);
         return args;
       }},
      {"overcompute",
       [](Proposal& p) {
         bool of_if = !p.places.ifs.empty() && p.choices.chance(80);
         return Json{{"at", p.at(of_if ? p.places.ifs : p.places.blocks)},
                     {"takes", p.choices.below(4) > 0 ? 1 : 0},
                     {"stores", p.traces()}};
       }},
      {"introduce-branch",
       [](Proposal& p) {
         return Json{{"at", p.choices.pick(p.places.all)}, {"by", p.at(p.places.stores)}, {"stores", p.traces()}};
       }},
      {"insert-store",
       [](Proposal& p) {
         Json args = {{"at", p.at(p.places.ifs)}, {"like", p.at(p.places.stores)}, {"value", p.choices.below(3)}};
         if (p.choices.chance(50)) args["by"] = p.at(p.places.stores), args["witness"] = p.choices.below(2);
         return args;
       }},
      {"remove-assume", [](Proposal&) { return Json::object(); }},
      {"remove-undef-store",
       [](Proposal& p) {
         if (p.choices.chance(30)) return Json{{"kind", "choose"}};
         return Json{{"at", p.at(p.places.stores)}};
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
  return Json{{"name", "sequential_buffer_access"}, {"block", p.block()}, {"buffer", p.buffer()->name}};
}

}  // namespace

std::optional<StepRequest> RandomSteps::operator()(const PrimFunc& current) {
  if (left_-- <= 0) return std::nullopt;
  Places places(current);
  Proposal proposal{choices_, places, current};
  uint32_t kind = passes_ ? choices_.below(100) : 0;
  if (kind >= 92) return StepRequest{"primitive", random_primitive(proposal)};
  if (kind >= 72) return StepRequest{"pass", random_pass(proposal)};
  const Proposer& proposer = choices_.pick(proposers());
  return StepRequest{proposer.rule, proposer.args(proposal)};
}

}  // namespace hexproof
