// Loops that visit the iterations of other loops: split, fused, in another order, of another kind, run once.
#include "tools/checker/step_walk.h"

namespace hexproof::checker {
namespace {

Wide constant_or(const Expr& e, Wide other) { return e->op == Op::IntImm ? int_value(e) : other; }

/// -1: not known.
Wide iterations_of(const LoopNest& nest) {
  std::vector<Expr> extents;
  for (const For& loop : nest.loops) extents.push_back(loop.extent);
  return nest.guards.empty() ? product(extents) : -1;
}

std::string is(const std::string& a, const std::string& b) { return "(= " + a + " " + b + ")"; }

}  // namespace

Wide product(const std::vector<Expr>& factors) {
  Wide out = 1;
  for (const Expr& e : factors) {
    const Wide factor = constant_or(e, -1);
    if (factor < 0 || out > kMaxCount) return -1;
    out *= factor;
  }
  return out > kMaxCount ? -1 : out;
}

LoopNest peel(Stmts stmts) {
  LoopNest out;
  while (stmts.size() == 1) {
    const For* loop = stmts[0].as<For>();
    const If* branch = stmts[0].as<If>();
    if (loop) {
      out.of_data |= is_data(loop->min) || is_data(loop->extent);
      out.loops.push_back(*loop);
    } else if (branch && parts_of(branch->else_case).empty()) {
      out.of_data |= is_data(branch->condition);
      out.guards.push_back(branch->condition);
    } else {
      break;
    }
    stmts = parts_of(loop ? loop->body : branch->then_case);
  }
  out.body = std::move(stmts);
  return out;
}

/// a stands before b in the order of nested loops.
std::string lexless(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::string out = "false";
  for (size_t k = a.size(); k-- > 0;) {
    out = "(or (< " + a[k] + " " + b[k] + ") (and " + is(a[k], b[k]) + " " + out + "))";
  }
  return out;
}

/// What each variable of the loops before is, in those after; and the other way round, as far as that is seen.
struct StepWalk::Map {
  LoopNest before, after;
  std::vector<Expr> image;  // of each loop before
  bool ordered = false;     // the loops after run through it in the old order
  bool counted = false;     // both have as many iterations, as numbers

  /// Finds the image; false: the bodies do not fit.
  bool find(const Names& names) {
    Names tried = names;
    for (const For& loop : before.loops) tried.open.insert(loop.var);
    if (!tried.same(before.body, after.body)) return false;
    std::set<Var> mine, used;
    for (const For& loop : after.loops) mine.insert(loop.var);
    for (const For& loop : before.loops) {
      auto hole = tried.holes.find(loop.var);
      if (hole == tried.holes.end()) continue;
      for (const Var& var : free_vars(hole->second)) {
        if (!mine.count(var) && !names.vars().count(var)) return false;
        used.insert(var);
      }
    }
    std::vector<Var> order;
    for (const For& loop : before.loops) {
      auto hole = tried.holes.find(loop.var);
      Expr found = hole == tried.holes.end() ? Expr() : hole->second;
      // What the body does not use: a loop of the same range, or one that runs once.
      for (const For& other : after.loops) {
        if (found || used.count(other.var) || !(other.var.dtype() == loop.var.dtype())) continue;
        if (Names(names).same({loop.min, loop.extent}, {other.min, other.extent})) found = Expr(other.var);
      }
      if (!found && constant_or(loop.extent, 0) == 1) {
        image.push_back(loop.min);
        continue;
      }
      if (!found || is_data(found)) return false;
      visit_expr(found, [&](const Expr& e) {
        if (e->op != Op::Var || !mine.count(e->var())) return true;
        used.insert(e->var());
        if (std::find(order.begin(), order.end(), e->var()) == order.end()) order.push_back(e->var());
        return true;
      });
      image.push_back(names.mine(found));
    }
    std::vector<Var> loops;
    for (const For& loop : after.loops) {
      if (constant_or(loop.extent, 0) != 1) loops.push_back(loop.var);
    }
    std::erase_if(order, [&](const Var& v) { return std::find(loops.begin(), loops.end(), v) == loops.end(); });
    ordered = order == loops;
    counted = iterations_of(before) > 0 && iterations_of(before) == iterations_of(after);
    return true;
  }

  /// The loops after at the iteration `at` of those before; empty: not seen.
  std::vector<std::string> preimage(const std::vector<std::string>& at, const std::vector<std::string>& mins,
                                    Terms& terms) const {
    std::vector<std::string> out;
    for (size_t k = 0; k < after.loops.size(); ++k) {
      const Var& var = after.loops[k].var;
      std::vector<size_t> in;
      for (size_t j = 0; j < image.size(); ++j) {
        if (uses_var(image[j], var)) in.push_back(j);
      }
      if (in.empty()) {
        if (constant_or(after.loops[k].extent, 0) != 1) return {};
        out.push_back(terms.term(after.loops[k].min));
        continue;
      }
      if (in.size() > 1) {  // fused: mixed radix
        std::string value = "0";
        for (size_t j : in) {
          const Wide extent = constant_or(before.loops[j].extent, -1);
          if (extent < 1 && j != in[0]) return {};
          value = "(+ (* " + value + " " + numeral(std::max<Wide>(extent, 1)) + ") (- " + at[j] + " " + mins[j] + "))";
        }
        out.push_back(value);
        continue;
      }
      const Expr& e = image[in[0]];
      if (e->op == Op::Var) {
        out.push_back(at[in[0]]);
        continue;
      }
      // split: the outer loops count by the product of the extents of the inner ones
      std::vector<Expr> inner;
      bool outer = false;
      for (size_t j = 0; j < after.loops.size(); ++j) {
        if (j == k || !uses_var(e, after.loops[j].var)) continue;
        outer |= j < k;
        if (j > k) inner.push_back(after.loops[j].extent);
      }
      const Wide step = product(inner), extent = constant_or(after.loops[k].extent, -1);
      if (step < 1 || (outer && extent < 1)) return {};
      std::string value = "(div (- " + at[in[0]] + " " + mins[in[0]] + ") " + numeral(step) + ")";
      if (outer) value = "(mod " + value + " " + numeral(extent) + ")";
      out.push_back(value);
    }
    return out;
  }
};

/// Binds the loops to the values (empty: to fresh ones, which are returned). What holds in an iteration is said by
/// `facts`, or where that is missing, known.
std::vector<std::string> StepWalk::enter(const std::vector<For>& loops, const std::vector<Expr>& guards,
                                         const std::vector<std::string>& values, std::vector<std::string>* facts) {
  std::vector<std::string> out, known;
  std::vector<std::string>* const say = facts ? facts : &known;
  for (size_t k = 0; k < loops.size(); ++k) {
    const std::string min = terms_.term(names_.mine(loops[k].min)), extent = terms_.term(names_.mine(loops[k].extent));
    out.push_back(values.empty() ? terms_.any(loops[k].var.dtype()) : values[k]);
    terms_.bind(loops[k].var, out[k]);
    say->push_back(is_below("(- " + out[k] + " " + min + ")", extent));
  }
  for (const Expr& guard : guards) say->push_back(terms_.term(names_.mine(guard)));
  for (const std::string& fact : known) terms_.know(fact);
  return out;
}

/// The iterations after are those before, each once; and none that share a cell which one of them writes changed
/// places.
StepWalk::Ask StepWalk::nest(const Stmts& b, const Stmts& a) {
  Map map{peel(b), peel(a), {}};
  if (map.before.loops.empty() && map.after.loops.empty()) return {};
  if (map.before.of_data || map.after.of_data || !map.find(names_)) return {};
  if (!map.ordered && holds<Assume>(map.before.body)) return {};
  // Is every iteration reached? Some value for the old loops tells whether that can be seen.
  const std::vector<std::string> some(map.before.loops.size(), "0");
  if (!map.counted && !map.after.loops.empty()) {
    if (map.preimage(some, some, terms_).empty()) return {};
  }
  return [=, this] {
    auto images = [&] { return terms_.terms(map.image); };
    const Terms::Mark mark = terms_.mark();
    std::vector<std::string> inside, at[2], to[2];
    auto next = [&](int k) { at[k] = enter(map.after.loops, map.after.guards, {}), to[k] = images(); };
    next(0);
    enter(map.before.loops, map.before.guards, to[0], &inside);
    claim_here(conjunction(inside), "each iteration is one of the old loops");
    next(1);
    if (map.ordered) {
      claim_here("(=> " + lexless(at[0], at[1]) + " " + lexless(to[0], to[1]) + ")", "the iterations keep their order");
    } else {
      claim_here("(=> " + all_equal(to[0], to[1]) + " " + all_equal(at[0], at[1]) + ")",
                 "no iteration of the old loops runs twice");
    }
    terms_.back_to(mark);
    if (!map.counted) {
      std::vector<std::string> reached, mins;
      const std::vector<std::string> old = enter(map.before.loops, map.before.guards, {});
      for (const For& loop : map.before.loops) mins.push_back(terms_.term(loop.min));
      enter(map.after.loops, map.after.guards, map.preimage(old, mins, terms_), &reached);
      reached.push_back(all_equal(images(), old));
      claim_here(conjunction(reached), "each iteration of the old loops is reached");
      terms_.back_to(mark);
    }
    if (map.ordered) return;
    auto iteration = [&](int k) {
      return touched(k + 1, map.before.body, [&] {
        next(k);
        loops_ = at[k];
        for (size_t j = 0; j < to[k].size(); ++j) terms_.bind(map.before.loops[j].var, to[k][j]);
      });
    };
    cross(
        iteration,
        [&](const Touch&, const Touch&) { return "(and " + lexless(at[0], at[1]) + " " + lexless(to[1], to[0]) + ")"; },
        true, "iterations that change places");
  };
}

}  // namespace hexproof::checker
