// overcompute {at: if, or block with a predicate; takes: 1 (S stays, the default) or 0 (T stays);
//              stores: why each store of S leaves no trace (traces.h), where there is no T}
//
//   if c: S                       ->      S
//   if c: S  else: T              ->      S      (or T)
//
// Side conditions, under Γ and not c (under c, when T stays)
//  1. No error in S: every index in bounds, every cell that is read was written, no division by zero, no overflow, no
//     assume that is false; and S conflicts with no iteration of a parallel or vectorized loop.
//  2. Without T, every store of S
//      - leaves the bits that its cell holds (a float is more than equal: -0.0 + 0.0 is 0.0), or
//      - is overwritten, by a store outside of the if, before anybody else reads the cell; the later store may be one
//        of an undef, which is how a cell is given free; or
//      - goes to memory of the function's own, to a cell that nobody else ever reads, or
//      - goes to a cell that an earlier store of an undef gave free, and that nobody else looked at since.
//     Several later stores may share the overwriting, and one of the other reasons hold where none of them does it.
//     What S reads itself of such cells ends in such cells. A condition or index that depends on it is condition 1's.
//  3. With T: S and T are of one shape, and store the same bits to the same cells; what S has besides leaves the bits
//     that its cells hold.
//  4. S assumes nothing, and stores no undef (checked here): these speak of the iterations that ran.
//  5. What blocks in S, and around it, claim holds of what runs now (claims.h). Domains grow as far as their bindings
//     need it, those of reduction variables at their end alone: the init runs at the start. So nothing that is computed
//     changes.
// The conditions are those of the program `if c: S else: S'`, in which both run.
#include "ir/visit.h"
#include "rewrite/memory/unobservable_stores.h"
#include "rewrite/rules/args/branches.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"
#include "rewrite/site/region.h"
#include "verify/check/check.h"
#include "verify/memory/quick.h"

namespace hexproof {
namespace {

/// The domain with all values of the binding in it; the domain itself where they are seen to be, or are not constant.
Range grown(const IterVar& iter, const Facts& facts) {
  const int64_t *min = as_int(iter.dom.min), *extent = as_int(iter.dom.extent);
  Expr binding = inline_lets(facts.resolve(iter.binding), facts.loops);
  std::optional<IndexRange> values = range_over(binding, facts.loops);
  if (!min || !extent || !values || !values->base.terms.empty()) return iter.dom;
  Wide low = values->base.constant, end = low + values->extent, old_end = Wide(*min) + *extent;
  DType type = binding->dtype;
  if (iter.dom.min->dtype != type || iter.dom.extent->dtype != type || !fits_type(type, old_end)) return iter.dom;
  Quick quick(facts.given());
  bool inside = quick.implies(le(imm(type, *min), binding)) &&
                quick.implies(lt(binding, imm(type, static_cast<int64_t>(old_end))));
  low = std::min<Wide>(low, *min), end = std::max(end, old_end);
  if (inside || !fits_type(type, low) || !fits_type(type, end) || !fits_type(type, end - low)) return iter.dom;
  return {imm(type, static_cast<int64_t>(low)), imm(type, static_cast<int64_t>(end - low))};
}

/// The blocks at and below `at` with domains that hold what their bindings are without the condition.
PrimFunc with_domains(PrimFunc func, const Path& at) {
  for (const Path& path : find_all(func, [](const Stmt& s) { return s.as<Block>() != nullptr; })) {
    if (!is_within(path, at)) continue;
    const Stmt stmt = stmt_at(func, path);
    Block block = *stmt.as<Block>();
    Facts facts = facts_at(func, path);
    for (IterVar& iter : block.iters) {
      const Range domain = grown(iter, facts);
      if (iter.kind != IterKind::Reduce || domain.min == iter.dom.min) iter.dom = domain;
    }
    func = replace_at(func, path, make_stmt(std::move(block), stmt->span));
  }
  return func;
}

Rewrite overcompute(const PrimFunc& func, const OvercomputeArgs& args) {
  const Path& at = args.at;
  bool takes = args.takes.value_or(true);
  const std::vector<Trace> traces = args.stores.value_or(std::vector<Trace>{});
  BothSides both = both_sides(func, at, takes);
  visit_stmt(both.kept, [&](const Stmt& s) {
    if (s.as<Assume>()) throw NotApplicable("the branch assumes something");
    return true;
  });
  visit_all_exprs(both.kept, [&](const Expr& e) {
    if (e->op == Op::Undef) throw NotApplicable("the branch holds an undef");
  });
  Rewrite result{.after = with_domains(replace_at(func, at, both.kept), at), .needs = {}};
  if (both.other) {
    result.needs = does_the_same("overcompute", both.func, both.copy, both.other);
  } else {
    result.needs = leaves_no_trace("overcompute", both.func, both.copy, traces);
  }
  try {
    for (Obligation& o : free_of_errors(both.func, both.copy)) {
      o.rule = "overcompute";
      o.why = "without the condition, " + o.why;
      result.needs.push_back(std::move(o));
    }
  } catch (const Unsupported& error) {
    throw NotApplicable(error.what());
  }
  return result;
}

}  // namespace

extern const Rule k_overcompute{rule<overcompute>("if c: S  ->  S, where S leaves no trace when c does not hold")};

}  // namespace hexproof
