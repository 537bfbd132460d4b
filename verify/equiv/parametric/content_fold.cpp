// A loop that goes over one cell again and again, brought into a form that can be compared.
#include <functional>

#include "verify/equiv/parametric/content.h"
#include "verify/equiv/parametric/evaluation.h"

namespace hexproof::parametric {

namespace {

constexpr const char* kOfEach = "an undef, or another value of which nothing is known, in each iteration of a loop";

/// The loops that are left when those that run once are put in, and what is put in.
void drop_single(Fold* f, Scenario& scenario) {
  std::vector<LoopRange> kept;
  TermMap map;
  for (const LoopRange& loop : f->loops) {
    LoopRange now = replace(loop, map);
    if (is_int(now.extent, 1) || scenario.quick(eq(now.extent, imm(now.extent->dtype, 1)))) {
      map.emplace_back(Expr(now.var), now.min);
    } else {
      kept.push_back(std::move(now));
    }
  }
  if (map.empty()) return;
  f->loops = std::move(kept);
  f->guards = replace(f->guards, map);
  f->step = replace(f->step, map);
}

/// Does no bound depend on another loop?
bool rectangular(const Fold& f) {
  for (const LoopRange& loop : f.loops) {
    for (const LoopRange& other : f.loops) {
      if (mentions(loop.min, Expr(other.var)) || mentions(loop.extent, Expr(other.var))) return false;
    }
  }
  return true;
}

Expr has_iteration(const LoopRange& loop) { return ge(loop.extent, imm(loop.extent->dtype, 1)); }

/// Is the accumulator an operand that is regrouped with the operations around it, wherever it stands, or what a loop
/// inside starts with that is? Elsewhere (in a call, a condition, a choice, a minimum) it is the value that one
/// evaluation gave.
bool is_regrouped(const Expr& e, const Expr& acc, const OpenRounding& open) {
  if (e == acc || !mentions(e, acc)) return true;
  const Expr made = regrouped_operand(e, open);
  const bool quotient = made->op == Op::Div && !open.nsz;
  const bool sum = made->op == Op::Add || made->op == Op::Sub || made->op == Op::Mul || quotient;
  const bool loop = is_evaluation(e) && is_fold(made);
  if (!sum && !loop) return false;
  for (size_t k = 0; k < made->args.size(); ++k) {
    if (sum || k == 0 ? !is_regrouped(made->args[k], acc, open) : mentions(made->args[k], acc)) return false;
  }
  return true;
}

/// Given by no operation that may be regrouped or fused: a number, or what a cell holds on entry.
bool is_given(const Expr& e) { return e->op == Op::FloatImm || e->op == Op::Load; }

/// Does an iteration leave the accumulator, a sum that it is regrouped in, or what is given, and nothing else?
bool sums_up(const Expr& step, const Expr& acc, const OpenRounding& open) {
  if (is_choice(step)) {
    return !mentions(step->args[0], acc) && sums_up(step->args[1], acc, open) && sums_up(step->args[2], acc, open);
  }
  return mentions(step, acc) ? is_regrouped(step, acc, open) : is_given(step);
}

}  // namespace

/// Takes guards and inner folds into the domain. Where the flags free the order of a sum, what the iterations before
/// gave does not bind the last one: it is the evaluation of all of them (in `last`).
static void flatten(Fold* f, Folds& folds, const OpenRounding& open, Expr* last) {
  for (;;) {
    if (open.reassoc && is_evaluation(f->step) && mentions(operation(f->step), f->acc)) {
      if (!is_regrouped(f->step, f->acc, open))
        throw Open{"a sum that is regrouped, and whose value is used in between"};
      *last = f->step;
      f->step = operation(f->step);
    }
    const Expr step = f->step;
    if (is_choice(step) && !mentions(step->args[0], f->acc) && (step->args[1] == f->acc || step->args[2] == f->acc)) {
      bool kept = step->args[2] == f->acc;
      f->guards.push_back(kept ? step->args[0] : lnot(step->args[0]));
      f->step = step->args[kept ? 1 : 2];
      continue;
    }
    if (!is_fold(step) || !(step->args[0] == f->acc)) return;
    for (size_t i = 1; i < step->args.size(); ++i) {
      if (mentions(step->args[i], f->acc)) return;
    }
    Fold inner = folds.open(step);
    f->loops.insert(f->loops.end(), inner.loops.begin(), inner.loops.end());
    f->guards.insert(f->guards.end(), inner.guards.begin(), inner.guards.end());
    f->step = replace(inner.step, {{inner.acc, f->acc}});
  }
}

Expr Content::fold(const LoopRange& loop, const Expr& acc, Expr step, const Cell& cell, const Thunk& init) {
  Fold f{{loop}, {}, acc, chosen(step), {}};
  Expr last;
  flatten(&f, folds_, scenario_.left_open(), &last);
  if (relied_on_.erase(acc) > 0) {
    // What a sum inside starts with where none of its iterations runs is seen by nothing else.
    bool sums = sums_up(f.step, acc, scenario_.left_open());
    for (const Expr& guard : f.guards) sums &= !mentions(guard, acc);
    if (!sums) throw Open{"a sum that is regrouped, and whose value is used in between"};
    demand_given_start(init);
  }
  if (f.step == acc) return init();
  const std::vector<LoopRange> loops = f.loops;
  // (What comes in front of it in the same sum is not bound either.)
  auto whole = [&](const Expr& folded) {
    if (!last) return folded;
    const bool stored = is_stored(last, cell);
    const Expr out = evaluation_of_fold(last, folded, loops, cell.buffer, cell.indices, stored);
    if (stored) stored_.insert_or_assign(out, cell);
    return out;
  };
  drop_single(&f, scenario_);
  if (f.loops.empty()) {
    // Each guard is evaluated where those around it hold, and nowhere else.
    std::function<Expr(size_t)> under = [&](size_t k) {
      if (k < f.guards.size()) {
        return choose(
            f.guards[k], [&] { return under(k + 1); }, init);
      }
      const Expr start = chosen(init());  // once, however often the step uses it
      return whole(replace(f.step, {{acc, last ? regrouped_operand(start, scenario_.left_open()) : start}}));
    };
    if (last && !f.guards.empty()) demand_given_start(init);
    return under(0);
  }
  if (last) return regrouped(std::move(f), init, whole);
  const bool accumulates = mentions(f.step, acc);
  // Each iteration has a value of its own. (Of what the last one leaves, it is one value.)
  if ((accumulates && folds_.holds_moment(f.step)) || folds_.goes_by_moment(f)) throw Open{kOfEach};
  if (!accumulates) {
    if (std::optional<Expr> last = last_value(f, init)) return *last;
  } else if (std::optional<Expr> started = without_first(f, init)) {
    return *started;
  }
  f.init = init();
  return folds_.close(f);
}

/// The whole loop starts at what is given, by no operation that may be regrouped or fused with the sum: numbers and
/// what cells hold on entry; or at what the iteration of the loop around it starts with, of which the same is asked
/// then.
void Content::demand_given_start(const Thunk& init) {
  bool given = !in_part_;
  const Expr start = init();
  if (given && start->op == Op::Accumulator) {
    relied_on_.insert(start);
    return;
  }
  visit_nodes(start, [&](const Expr& e) {
    if (!e->dtype.is_float()) return given;
    given &= is_given(e) || is_choice(e);
    return given && is_choice(e);
  });
  if (!given) throw Open{"a sum that is regrouped, and does not run in each iteration"};
}

/// A sum whose order is free is the evaluation of its last iteration that runs, and is named by its loops. Where none
/// runs the value is what was there before, and its evaluation; and two parts of one loop may end with one iteration.
/// So each iteration is seen to run, or the whole loop starts at what no evaluation gave.
Expr Content::regrouped(Fold f, const Thunk& init, const std::function<Expr(const Expr&)>& whole) {
  std::vector<Expr> runs, ranges;
  for (const LoopRange& loop : f.loops) {
    runs.push_back(has_iteration(loop));
    for (Expr& e : range_of(loop)) ranges.push_back(std::move(e));
  }
  if (!rectangular(f)) throw Open{"a sum that is regrouped, in loops whose bounds hang on each other"};
  bool each = f.guards.empty();
  if (!each) {
    Scenario::Under inside(scenario_, ranges);
    each = scenario_.proves(all(f.guards));
  }
  if (!each) demand_given_start(init);
  if (folds_.holds_moment(f.step) || folds_.goes_by_moment(f)) throw Open{kOfEach};
  owe_fits(all(runs));
  return choose(
      all(runs),
      [&] {
        if (std::optional<Expr> started = without_first(f, init)) return whole(*started);
        f.init = regrouped_operand(init(), scenario_.left_open());
        return whole(folds_.close(f));
      },
      init);
}

/// Each iteration overwrites what the ones before left: only the last one counts.
std::optional<Expr> Content::last_value(const Fold& f, const Thunk& init) {
  TermMap last;
  std::vector<Expr> runs;
  for (const LoopRange& loop : f.loops) {
    // Where an inner loop may be empty for the last value of an outer one, another iteration is the last.
    if (!rectangular(f)) return std::nullopt;
    LoopRange now = replace(loop, last);
    runs.push_back(has_iteration(now));
    Expr end = hexproof::fold(now.extent - imm(now.extent->dtype, 1));
    if (end->dtype != now.min->dtype) return std::nullopt;
    last.emplace_back(Expr(now.var), hexproof::fold(now.min + end));
  }
  owe_fits(all(runs));
  {
    Scenario::Under under(scenario_, runs);
    for (const auto& [var, value] : last) {
      if (!scenario_.proves(fits(value))) return std::nullopt;
    }
    for (const Expr& guard : replace(f.guards, last)) {
      if (!scenario_.proves(guard)) return std::nullopt;
    }
  }
  return choose(
      all(runs), [&] { return replace(f.step, last); }, init);
}

/// acc is put to a value in the first iteration: that is what the fold starts with.
std::optional<Expr> Content::without_first(const Fold& f, const Thunk& init) {
  Expr first;  // the choice in which acc is replaced
  visit_nodes(f.step, [&](const Expr& e) {
    if (!first && is_choice(e) && !mentions(e->args[0], f.acc) &&
        ((e->args[2] == f.acc && !mentions(e->args[1], f.acc)) ||
         (e->args[1] == f.acc && !mentions(e->args[2], f.acc)))) {
      first = e;
    }
    return !first;
  });
  if (!first) return std::nullopt;
  bool sets = first->args[2] == f.acc;
  Expr acc = fresh_acc(f.acc->dtype);
  Expr step = rewrite_expr(f.step, [&](const Expr& e) { return e == first ? acc : e; });
  if (mentions(step, f.acc)) return std::nullopt;
  Expr condition = sets ? first->args[0] : lnot(first->args[0]);
  TermMap start;
  std::vector<Expr> runs, ranges, at_start;
  for (const LoopRange& loop : f.loops) {
    if (!rectangular(f)) return std::nullopt;
    start.emplace_back(Expr(loop.var), loop.min);
    runs.push_back(has_iteration(loop));
    at_start.push_back(eq(Expr(loop.var), loop.min));
    for (Expr& e : range_of(loop)) ranges.push_back(std::move(e));
  }
  owe_fits(all(runs));
  {
    Scenario::Under under(scenario_, ranges);
    {
      Scenario::Under inside(scenario_, f.guards), also(scenario_, condition);
      if (!scenario_.quick(all(at_start))) return std::nullopt;
    }
    // The first iteration of all is one of those that run.
    Scenario::Under also(scenario_, at_start);
    if (!scenario_.quick(all(f.guards)) || !scenario_.quick(condition)) return std::nullopt;
  }
  return choose(
      all(runs),
      [&] {
        Fold out{f.loops, f.guards, acc, step, replace(first->args[sets ? 1 : 2], start)};
        return folds_.close(out);
      },
      init);
}

}  // namespace hexproof::parametric
