// remove-empty {at: statement}
// remove-empty {at: loop, kind: "no-iteration"}
// remove-empty {at: allocation or view, kind: "unused"}
// remove-empty {at: if, kind: "then"}
//
//   for i in [m, m + n): { }      ->      (nothing)       and so for if, let, allocation, view, note, block
//   T.evaluate(e)                 ->      (nothing)
//   for i in [m, m + n): S(i)     ->      (nothing)       where n <= 0
//   A = T.alloc_buffer(...); S    ->      S               where S does not mention A
//   if c: { } else: S             ->      if not c: S
//
// What is left out is only evaluated: no store, no assume and no other evaluate stands in it (checked here). An error
// that goes with it is no loss; an evaluate, which somebody put there for the sake of its error, waits for a proof.
//
// Side conditions
//  1. T.evaluate(e): e is no error.
//  2. no-iteration: n <= 0.
//  3. unused: neither the buffer nor its memory is mentioned (checked here).
#include "ir/visit.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/site/buffers.h"
#include "rewrite/site/places.h"
#include "verify/check/check.h"

namespace hexproof {
namespace {

bool does_nothing(const Stmt& stmt) {
  bool found = false;
  visit_stmt(stmt, [&](const Stmt& s) {
    found |= s.as<Store>() || s.as<Assume>() || s.as<Evaluate>() || s.as<AsyncCommit>() || s.as<AsyncWait>();
    return !found;
  });
  return !found;
}

bool mentions(const Stmt& stmt, const Buffer& buffer, const Var& data, bool memory) {
  bool found = false;
  auto same = [&](const Buffer& b) { return b == buffer || (memory && b->data == data); };
  visit_stmt(stmt, [&](const Stmt& s) {
    found = found || names_buffer(s, same);
    return !found;
  });
  visit_all_exprs(stmt, [&](const Expr& e) { found |= memory && e->op == Op::Var && e->var() == data; });
  return found;
}

Rewrite unused(const PrimFunc& func, const Path& at) {
  const Stmt stmt = checked_at(func, at);
  Stmt body;
  bool used = true;
  if (const AllocBuffer* a = stmt.as<AllocBuffer>()) {
    body = a->body, used = mentions(a->body, a->buffer, a->buffer->data, true);
  } else if (const DeclBuffer* a = stmt.as<DeclBuffer>()) {
    body = a->body, used = mentions(a->body, a->buffer, a->buffer->data, false);
  } else if (const Allocate* a = stmt.as<Allocate>()) {
    body = a->body, used = mentions(a->body, {}, a->data, true);
  } else {
    throw NotApplicable("neither an allocation nor a view");
  }
  if (used) throw NotApplicable("the buffer is used");
  return {.after = replace_at(func, at, body), .needs = {}};
}

Rewrite empty_then(const PrimFunc& func, const Path& at) {
  const If& branch = record_at<If>(func, at, "an if");
  if (!branch.else_case || (branch.then_case && !does_nothing(branch.then_case)))
    throw NotApplicable("the then does something");
  Stmt other = make_stmt(If{negated(branch.condition), branch.else_case, {}}, checked_at(func, at)->span);
  return {.after = replace_at(func, at, other), .needs = {}};
}

Rewrite remove_empty(const PrimFunc& func, const RemoveEmptyArgs& args) {
  const Path& at = args.at;
  const Stmt stmt = checked_at(func, at);
  Rewrite result{.after = without(func, at), .needs = {}};
  if (args.kind) {
    const std::string& kind = *args.kind;
    if (kind == "unused") return unused(func, at);
    if (kind == "then") return empty_then(func, at);
    if (kind != "no-iteration") throw NotApplicable("the kind is none of no-iteration, unused, then");
    const For& loop = record_at<For>(func, at, "a loop");
    Facts facts = facts_at(func, at);
    Expr none = le(facts.resolve(loop.extent), zero(loop.extent->dtype));
    result.needs.push_back(need("remove-empty", "the loop never runs", func, stmt, facts.given(), none));
    return result;
  }
  if (stmt.as<Evaluate>()) {
    try {
      result.needs = free_of_errors(func, at);
    } catch (const Unsupported& error) {
      throw NotApplicable(error.what());
    }
    for (Obligation& o : result.needs) o.rule = "remove-empty";
    return result;
  }
  if (stmt.as<Seq>()) throw NotApplicable("a sequence is taken away part by part");
  if (!does_nothing(stmt)) throw NotApplicable("the statement does something");
  return result;
}

}  // namespace

extern const Rule k_remove_empty{rule<remove_empty>("a statement without effect  ->  nothing")};

}  // namespace hexproof
