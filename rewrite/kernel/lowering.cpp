#include "rewrite/kernel/lowering.h"

#include <algorithm>

#include "ir/visit.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/data_vars.h"
#include "rewrite/site/places.h"

namespace hexproof {

bool is_lowered(const PrimFunc& func) { return func.attrs.count(kLoweredAttribute) > 0; }

PrimFunc lowered(PrimFunc func) {
  func.attrs[kLoweredAttribute] = boolean(true);
  return func;
}

const PrimFunc& before_lowering(const Derivation& derivation) {
  for (const Step& step : derivation.steps()) {
    if (!is_lowered(step.before) && is_lowered(step.after)) return step.before;
  }
  return derivation.current();
}

bool lower_assumes(Derivation& derivation, Prover& prover, const std::string& primitive, const Span& span) {
  if (find_all(derivation.current(), [](const Stmt& s) { return s.as<Assume>() != nullptr; }).empty()) return false;
  derivation.apply(RemoveAssumeArgs{}, prover, primitive, span);
  return true;
}

bool lower_undefs(Derivation& derivation, Prover& prover, const std::string& primitive, const Span& span) {
  auto stores_undef = [](const Stmt& s) { return s.as<Store>() && s.as<Store>()->value->op == Op::Undef; };
  bool any = false;
  // By number from the end: a removal may move the places of the others, but not their order.
  for (size_t k = find_all(derivation.current(), stores_undef).size(); k-- > 0;) {
    std::vector<Path> places = find_all(derivation.current(), stores_undef);
    if (k >= places.size()) continue;
    try {
      derivation.apply(RemoveUndefStoreArgs{.at = places[k]}, prover, primitive, span);
      any = true;
    } catch (const Refused&) {
      // A value is chosen below.
    } catch (const NotApplicable&) {
    }
  }
  try {
    derivation.apply(RemoveUndefStoreArgs{.kind = "choose"}, prover, primitive, span);
    return true;
  } catch (const NotApplicable&) {
    return any;
  }
}

Stmt without_empty(const Stmt& stmt) {
  return rewrite_stmt(stmt, {}, [](const Stmt& s) {
    if (const Seq* list = s.as<Seq>()) return seq(list->stmts);
    if (s.as<AsyncCommit>() || s.as<AsyncWait>()) return s;  // groups count, and a wait does something
    std::vector<Stmt> parts = children(s);
    bool empty = !parts.empty() && std::all_of(parts.begin(), parts.end(), [](const Stmt& part) {
      return part.as<Seq>() && part.as<Seq>()->stmts.empty();
    });
    return empty ? empty_stmt() : s;
  });
}

void lower_hints(Derivation& derivation, Prover& prover, const std::string& primitive, const Span& span) {
  lower_undefs(derivation, prover, primitive, span);
  lower_assumes(derivation, prover, primitive, span);
}

}  // namespace hexproof
