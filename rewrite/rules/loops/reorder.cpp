// reorder {at: outermost loop, order: [positions of the old loops, outermost first]}
//
//   for i in ...:                         for j in ...:
//     for j in ...:               ->        for i in ...:
//       S(i, j)                               S(i, j)
//
// over n = len(order) perfectly nested loops. `if`s between the loops that depend on no buffer's content move
// inside, around S: `if c: for j: S` is `for j: if c: S`.
//
// Side conditions. p and q are two iterations of the nest, p before q in the old order.
//  1. The bounds of each loop depend on no other loop of the nest and on no buffer's content (checked here), and are
//     no error where they now stand: in front of the loops and guards that used to be around them.
//  2. For every pair (p, q) that the new order flips: no access of S(p) and access of S(q) touch one cell with one
//     of them writing. The flipped pairs are, for every two loops a, b that change their order: p and q agree in the
//     loops outside of a (old order) and outside of b (new order), p_a < q_a, and p_b > q_b. A block's init is one of
//     the writes, so it still comes first in each cell.
//  3. Accumulations T[c] = T[c] op e on one buffer may be flipped in a ring of integers (the law is owed), or on
//     floats when `reassoc` is granted; all other pairs of 2 stay owed.
//  4. A parallel loop that comes to stand outside of a loop that was around it must not make a race: its iterations do
//     not conflict for any iterations of the loops now inside. Vectorized loops are not reordered.
//  5. Where S holds an assume, S is free of errors without those of the iterations that come behind it now.
#include "ir/visit.h"
#include "rewrite/memory/assumed.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/nest.h"

namespace hexproof {
namespace {

bool is_permutation(const Path& order) {
  std::vector<bool> seen(order.size());
  for (int k : order) {
    if (k < 0 || static_cast<size_t>(k) >= order.size() || seen[static_cast<size_t>(k)]) return false;
    seen[static_cast<size_t>(k)] = true;
  }
  return true;
}

Rewrite reorder(const PrimFunc& func, const ReorderArgs& args) {
  const Path& at = args.at;
  const Path& order = args.order;
  if (!is_permutation(order)) throw NotApplicable("the order must name each of the loops once");
  if (std::is_sorted(order.begin(), order.end())) throw NotApplicable("the loops stand in this order already");
  Nest nest = nest_at(func, at, order.size());
  require_independent_bounds(func, nest);
  for (const For& loop : nest.loops) {
    if (loop.kind == ForKind::Vectorized) throw NotApplicable("a vectorized loop stays where it is");
  }
  const Stmt stmt = checked_at(func, at);
  size_t n = order.size();
  std::vector<size_t> new_position(n);
  for (size_t k = 0; k < n; ++k) new_position[static_cast<size_t>(order[k])] = k;

  Stmt body = guarded(nest.guards, nest.body, stmt->span);
  for (size_t k = n; k-- > 0;) {
    For loop = nest.loops[static_cast<size_t>(order[k])];
    loop.body = body;
    body = make_stmt(std::move(loop), stmt->span);
  }
  Rewrite result{.after = replace_at(func, at, body), .needs = {}};

  Facts facts = facts_at(func, at);
  owe_bounds("reorder", func, stmt, facts, nest.loops, &result.needs);
  VarMap second = fresh_copies(nest.loops);
  std::vector<Access> p = Period(func, at).accesses(nest.body_path);
  std::vector<Access> q = renamed(p, second);
  std::vector<Expr> domain = ranges_of(facts, nest.loops);
  for (const Expr& guard : nest.guards) domain.push_back(facts.resolve(guard));
  std::vector<Expr> given = join(facts.given(), domain);
  for (const Expr& e : domain) given.push_back(substitute(e, second));
  auto first_of = [&](size_t k) { return Expr(nest.loops[k].var); };
  auto second_of = [&](size_t k) { return second.at(nest.loops[k].var); };

  OwedLaws laws;
  for (size_t a = 0; a < n; ++a) {
    for (size_t b = a + 1; b < n; ++b) {
      if (new_position[a] < new_position[b]) continue;
      std::vector<Expr> flipped = given;
      for (size_t k = 0; k < n; ++k) {
        if (k < a || new_position[k] < new_position[b]) flipped.push_back(eq(first_of(k), second_of(k)));
      }
      flipped.push_back(lt(first_of(a), second_of(a)));
      flipped.push_back(gt(first_of(b), second_of(b)));
      owe_no_conflict("reorder",
                      "iterations whose order flips between '" + nest.loops[a].var.name() + "' and '" +
                          nest.loops[b].var.name() + "' do not touch one cell",
                      func, stmt, flipped, p, q, Sums::Exchange, &result.needs, &laws);
    }
  }
  for (size_t k = 0; k < n; ++k) {
    if (nest.loops[k].kind != ForKind::Parallel && nest.loops[k].kind != ForKind::ThreadBinding) continue;
    std::vector<Expr> race = given;
    bool moved_out = false;
    for (size_t other = 0; other < n; ++other) {
      if (new_position[other] < new_position[k]) race.push_back(eq(first_of(other), second_of(other)));
      moved_out |= other < k && new_position[other] > new_position[k];
    }
    if (!moved_out) continue;
    race.push_back(lt(first_of(k), second_of(k)));
    std::string why = "iterations of the parallel loop '" + nest.loops[k].var.name() + "' do not touch one cell";
    owe_no_conflict("reorder", why, func, stmt, race, p, q, Sums::Fixed, &result.needs);
  }
  owe_no_error_before_assumes(stmt, result.after, at, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_reorder{rule<reorder>("for i: for j: S  ->  for j: for i: S")};

}  // namespace hexproof
