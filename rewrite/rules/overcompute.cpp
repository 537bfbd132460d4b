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
// The conditions are those of the program `if c: S else: S'`, in which both run.
#include "ir/visit.h"
#include "rewrite/data.h"
#include "rewrite/find.h"
#include "rewrite/traces.h"
#include "verify/check.h"

namespace hexproof {
namespace {

Rewrite overcompute(const PrimFunc& func, const Args& args) {
  const Path& at = arg<Path>(args, "at");
  bool takes = !args.count("takes") || arg<int64_t>(args, "takes") != 0;
  std::vector<Trace> traces;
  if (args.count("stores")) traces = parse_traces(arg<std::string>(args, "stores"));
  BothSides both = both_sides(func, at, takes);
  visit_stmt(both.kept, [&](const Stmt& s) {
    if (s.as<Assume>()) throw NotApplicable("the branch assumes something");
    return true;
  });
  visit_all_exprs(both.kept, [&](const Expr& e) {
    if (e->op == Op::Undef) throw NotApplicable("the branch holds an undef");
  });
  Rewrite result{.after = replace_at(func, at, both.kept), .needs = {}};
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
  hide_data_vars(data_vars(both.func), &result.needs);  // the copy has variables of its own
  return result;
}

}  // namespace

extern const Rule k_overcompute{"overcompute", "if c: S  ->  S, where S leaves no trace when c does not hold",
                                &overcompute};

}  // namespace hexproof
