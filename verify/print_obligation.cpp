#include "ir/text.h"
#include "verify/obligation.h"

namespace hexproof {

std::string print(const Obligation& obligation) {
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
