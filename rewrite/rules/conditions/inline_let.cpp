// inline-let {at: LetStmt}
//
//   x = e                         ->      S[x := e]
//   S(x)
//
// Side conditions
//  1. S writes no cell that e reads: each use of e then has the value that x had. (Index values read nothing.)
//  2. e holds no undef unless x is never used (checked here): each use would choose anew. Nor does e hold an operation
//     on floats whose rounding the granted flags leave open, unless x is used at most once (checked here): x was
//     evaluated once, and what used it twice saw one value.
//  3. What the blocks in S claim holds, now that they read what e reads themselves (claims.h).
#include "ir/visit.h"
#include "rewrite/memory/dependence.h"
#include "rewrite/rules/args/values.h"
#include "rewrite/site/data_vars.h"
#include "verify/prove/open_rounding.h"

namespace hexproof {
namespace {

bool describes_a_buffer(const Stmt& body, const Var& var) {
  bool found = false;
  visit_stmt(body, [&](const Stmt& s) {
    const Buffer* b = s.as<AllocBuffer>()  ? &s.as<AllocBuffer>()->buffer
                      : s.as<DeclBuffer>() ? &s.as<DeclBuffer>()->buffer
                                           : nullptr;
    if (!b) return true;
    for (const std::vector<Expr>* list : {&(*b)->shape, &(*b)->strides}) {
      for (const Expr& e : *list) found |= uses_var(e, var);
    }
    found |= (*b)->elem_offset && uses_var((*b)->elem_offset, var);
    return true;
  });
  return found;
}

Rewrite inline_let(const PrimFunc& func, const InlineLetArgs& args) {
  const Path& at = args.at;
  const LetStmt& binding = record_at<LetStmt>(func, at, "a let");
  const Stmt stmt = checked_at(func, at);
  bool data = is_data(binding.value);
  bool in_buffer = describes_a_buffer(binding.body, binding.var);
  if (data && in_buffer) throw NotApplicable("the value is data and describes a buffer");
  bool used = in_buffer || uses_var(binding.body, binding.var);
  if (used && holds_undef(binding.value)) throw NotApplicable("the value holds an undef");
  const OpenRounding open = open_rounding_of(func);
  if (used && chooses(binding.value, open) && evaluates_often(binding.body, binding.var)) {
    throw NotApplicable("the value of '" + binding.var.name() + "' holds " + what_chooses(binding.value, open) +
                        ", and the variable is used more than once: each use would be a value of its own");
  }

  Rewrite result{.after = replace_at(func, at, substitute(binding.body, VarMap{{binding.var, binding.value}})),
                 .needs = {}};
  if (!used || !data) return result;
  const Period period(func, at);
  std::vector<Access> read = period.accesses(make_stmt(Evaluate{binding.value}), at);
  std::vector<Access> written = writes_of(period.accesses(below(at, 0)));
  owe_no_conflict("inline-let", "the body changes nothing that the value reads", func, stmt, period.given(), read,
                  written, Sums::Fixed, &result.needs);
  return result;
}

}  // namespace

extern const Rule k_inline_let{rule<inline_let>("x = e; S(x)  ->  S(e)")};

}  // namespace hexproof
