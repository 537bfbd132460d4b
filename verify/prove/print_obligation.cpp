#include "ir/text/text.h"
#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof {

Obligation with_canonical_names(Obligation obligation) {
  std::map<std::string, std::string> names;
  auto renamed = [&](const Expr& formula) {
    return rewrite_expr(formula, [&](const Expr& e) {
      if (!is_uninterpreted(e->op)) return e;
      size_t mark = e->text().find('#');
      if (mark == std::string::npos) return e;
      auto [it, fresh] = names.try_emplace(e->text());
      if (fresh) it->second = e->text().substr(0, mark + 1) + std::to_string(names.size());
      return uninterpreted(e->op, e->dtype, it->second, e->args);
    });
  };
  for (Expr& e : obligation.given) e = renamed(e);
  obligation.goal = renamed(obligation.goal);
  return obligation;
}

std::string print(const Obligation& unnamed) {
  Obligation obligation = with_canonical_names(unnamed);
  std::string out = obligation.rule + ": " + obligation.why + "\n";
  const Place& where = obligation.where;
  if (!where.function.empty() || where.span) {
    out += "  in " + (where.function.empty() ? std::string("?") : where.function);
    if (where.span) out += " at " + where.span.str();
    out += "\n";
  }
  if (!where.statement.empty()) out += "  here: " + where.statement + "\n";
  for (const Expr& e : obligation.given) out += "  given " + print(e) + "\n";
  return out + "  show  " + print(obligation.goal) + "\n";
}

}  // namespace hexproof
