// remove-assume {}
//
//   T.assume(c)                   ->      (nothing)               all of them, and the loops that are left empty
//
// An assume that is false is an error, and a condition does nothing else. With it goes what it said: the function is
// marked as lowered, and from then on the kernel applies lowering rules only, so that no later step is asked to do
// without what earlier ones relied on.
//
// Side conditions, where there is a permission to read (A[i] == T.undef())
//  1. Every read finds a cell that was written, or that holds a value on entry: the permission was a write, and goes.
// Padding of an argument that nobody promised to fill (verify/memory/argument_padding.h) is the caller's memory: it
// holds some value on entry, which is all that the permission said. The attribute that names it goes as well: a lowered
// function knows memory as machines do.
#include "ir/evaluation.h"
#include "ir/visit.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/rules/args/statements.h"
#include "verify/check/check.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

/// Does an assume give cells a value?
bool has_permission(const PrimFunc& func) {
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Assume* assume = s.as<Assume>()) {
      visit_expr(assume->condition, [&](const Expr& e) {
        found |= static_cast<bool>(permitted_cell(e));
        return !found;
      });
    }
    return !found;
  });
  return found;
}

Rewrite remove_assume(const PrimFunc& func, const RemoveAssumeArgs&) {
  bool any = false;
  Rewrite result{.after = lowered(func), .needs = {}};
  result.after.body = rewrite_stmt(func.body, {}, [&](const Stmt& s) {
    any |= s.as<Assume>() != nullptr;
    return s.as<Assume>() ? empty_stmt() : s;
  });
  result.after.body = without_empty(result.after.body);
  if (!any) throw NotApplicable("the function assumes nothing");
  if (!has_permission(func)) return result;
  for (size_t k = 0; k < func.params.size(); ++k)
    result.after = *with_argument_padding(std::move(result.after), k, {}, {});
  for (Obligation& o : reads_find_values(result.after)) {
    o.rule = "remove-assume";
    result.needs.push_back(std::move(o));
  }
  return result;
}

}  // namespace

extern const Rule k_remove_assume{rule<remove_assume>("T.assume(c)  ->  nothing (lowering)", true)};

}  // namespace hexproof
