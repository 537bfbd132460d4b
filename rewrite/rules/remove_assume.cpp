// remove-assume {}
//
//   T.assume(c)                   ->      (nothing)               all of them, and the loops that are left empty
//
// An assume that is false is an error, and a condition does nothing else. With it goes what it said: the function is
// marked as lowered, and from then on the kernel applies lowering rules only, so that no later step is asked to do
// without what earlier ones relied on.
//
// Side condition, where a permission to read (A[i] == T.undef()) speaks of memory that the function allocates:
//   1  every read of such memory finds a cell that was written: the permission was a write, and goes
// The padding of an argument is the caller's memory: it holds some value on entry, which is all that the permission said.
#include "ir/evaluation.h"
#include "ir/visit.h"
#include "rewrite/lowering.h"
#include "verify/check.h"

namespace hexproof {
namespace {

/// Does an assume give cells of memory a value that is no argument's?
bool fills_allocations(const PrimFunc& func) {
  std::set<Var> arguments;
  for (const Buffer& b : func.buffer_params()) arguments.insert(b->data);
  bool found = false;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Assume* assume = s.as<Assume>()) {
      visit_expr(assume->condition, [&](const Expr& e) {
        const Expr cell = permitted_cell(e);
        found |= cell && !arguments.count(cell->buffer()->data);
        return !found;
      });
    }
    return !found;
  });
  return found;
}

Rewrite remove_assume(const PrimFunc& func, const Args&) {
  bool any = false;
  Rewrite result{.after = lowered(func), .needs = {}};
  result.after.body = rewrite_stmt(func.body, {}, [&](const Stmt& s) {
    any |= s.as<Assume>() != nullptr;
    return s.as<Assume>() ? empty_stmt() : s;
  });
  result.after.body = without_empty(result.after.body);
  if (!any) throw NotApplicable("the function assumes nothing");
  if (!fills_allocations(func)) return result;
  for (Obligation& o : reads_find_values(result.after)) {
    o.rule = "remove-assume";
    result.needs.push_back(std::move(o));
  }
  return result;
}

}  // namespace

extern const Rule k_remove_assume{"remove-assume", "T.assume(c)  ->  nothing (lowering)", &remove_assume, true};

}  // namespace hexproof
