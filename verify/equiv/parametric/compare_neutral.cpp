// Two folds, one of which has iterations besides that leave the accumulator as it is, by what `before` assumes of the
// arguments: a sum over padding that is assumed to hold zeros.
#include <algorithm>
#include <cmath>

#include "verify/access/footprint_witness.h"
#include "verify/equiv/parametric/compare.h"
#include "verify/equiv/parametric/neutral.h"

namespace hexproof::parametric {

/// The constant that the assumes say is in the cell, under what is known in the scenario.
std::optional<Expr> Comparison::known_constant(const Expr& cell) {
  // (A number that is no constant of the program is regrouped with factors, as any other.)
  const OpenRounding& open = OpenRounding::here();
  if (cell->dtype.is_float() && open.reassoc && !open.products_of_numbers) return std::nullopt;
  for (const Assumed& a : known_) {
    std::vector<std::pair<Expr, Expr>> equations;  // a load, and what it equals
    visit_nodes(a.condition, [&](const Expr& e) {
      for (size_t k : {0, 1}) {
        if (e->op != Op::EQ) break;
        const Expr &side = e->args[k], &other = e->args[1 - k];
        bool number = other->op == Op::IntImm || other->op == Op::FloatImm;
        if (number && side->op == Op::Load && side->buffer() == cell->buffer()) equations.emplace_back(side, other);
      }
      return true;
    });
    for (const auto& [load, value] : equations) {
      Access said = cells(load->buffer(), load->args, a.loops), asked = cells(cell->buffer(), cell->args);
      said.guards = a.guards;
      for (const Witness& w : witnesses(said, asked, scenario_.given())) {
        bool there = true;
        TermMap map;
        for (const LoopRange& loop : a.loops) {
          map.emplace_back(Expr(loop.var), w.values.at(loop.var));
          there = there && scenario_.proves(fits(map.back().second));
        }
        for (const Expr& e : w.conditions) there = there && scenario_.proves(e);
        Expr condition = replace(a.condition, map), goal = replace(eq(load, value), map);
        if (!there || !scenario_.proves(fits(condition))) continue;
        Scenario::Under under(scenario_, condition);
        if (!scenario_.proves(goal)) continue;
        // Both zeros equal a zero.
        bool zero = value->op == Op::FloatImm && value->float_value() == 0.0;
        if (!zero) return value;
        if (std::find(granted_.begin(), granted_.end(), "nsz") == granted_.end()) continue;
        used_flags_.insert("nsz");
        return value;
      }
    }
  }
  return std::nullopt;
}

/// A sum that starts at a zero and to which each iteration adds a zero: a zero, however it is grouped.
bool Comparison::is_sum_of_zeros(const Expr& term) {
  const Expr sum = operation(term);
  if (sum->op == Op::FloatImm) return sum->float_value() == 0.0;
  if (!is_fold(sum) || std::find(granted_.begin(), granted_.end(), "nsz") == granted_.end()) return false;
  const Fold f = folds_.open(sum);
  if (!is_sum_of_zeros(f.init)) return false;
  Scenario::Under under(scenario_, domain(f));
  const Expr step = rewrite_expr(f.step, [&](const Expr& e) {
    std::optional<Expr> value = e->op == Op::Load ? known_constant(e) : std::nullopt;
    if (value) return *value;
    if (is_choice(e) && !is_data(e->args[0])) {
      if (scenario_.proves(lnot(e->args[0]))) return e->args[2];
      if (scenario_.proves(e->args[0])) return e->args[1];
    }
    return operation(e);
  });
  std::set<std::string> flags;
  if (!is_neutral(step, f.acc, granted_, &flags)) return false;
  used_flags_.insert(flags.begin(), flags.end());
  used_flags_.insert("nsz");
  return true;
}

/// `f` guarded by the domain of `other`, of which `at` is the iteration that corresponds to one of `f`, where
/// iterations outside of it do nothing. Nothing when that is not shown, and when there is no such iteration.
std::optional<Fold> Comparison::restricted(Fold f, const Fold& other, const std::vector<Expr>& at) {
  TermMap map = values(other, at);
  std::vector<Expr> missing;
  {
    Scenario::Under under(scenario_, domain(f));
    for (const Expr& e : at) {
      if (!scenario_.proves(fits(e))) return std::nullopt;
    }
    for (const Expr& e : domain(other)) {
      Expr here = replace(e, map);
      if (scenario_.proves(here)) continue;
      if (is_data(here) || !scenario_.proves(fits(here))) return std::nullopt;
      missing.push_back(here);
    }
  }
  for (const Expr& condition : missing) {
    Scenario::Under under(scenario_, domain(f)), outside(scenario_, lnot(condition));
    if (!scenario_.impossible()) {
      Expr step = rewrite_expr(f.step, [&](const Expr& e) {
        std::optional<Expr> value = e->op == Op::Load ? known_constant(e) : std::nullopt;
        return value ? *value : e;
      });
      std::set<std::string> flags;
      if (!is_neutral(step, f.acc, granted_, &flags)) return std::nullopt;
      used_flags_.insert(flags.begin(), flags.end());
    }
    f.guards.push_back(condition);
  }
  if (missing.empty()) return std::nullopt;
  return f;
}

bool Comparison::related_but_for_neutral(const Fold& a, const Fold& b, const std::vector<Expr>& at) {
  if (std::optional<Fold> longer = restricted(b, a, at); longer && related(a, *longer, at)) return true;
  for (const std::vector<Expr>& back : candidates(b, a)) {
    if (std::optional<Fold> longer = restricted(a, b, back); longer && related(*longer, b, at)) return true;
  }
  return false;
}

}  // namespace hexproof::parametric
