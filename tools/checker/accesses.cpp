#include "tools/checker/accesses.h"

#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof::checker {

std::map<std::string, size_t> statements_with_accesses(const PrimFunc& func) {
  std::map<std::string, size_t> out;
  visit_stmt(func.body, [&](const Stmt& s) {
    bool found = false;
    if (const Store* store = s.as<Store>()) found = !store->indices.empty();
    for (const Expr& e : expressions(s)) {
      visit_expr(e, [&](const Expr& part) {
        found |= part->op == Op::Load && !part->args.empty();
        return true;
      });
    }
    if (found && s.as<Store>()) ++out[one_line(s)];
    return true;
  });
  return out;
}

}  // namespace hexproof::checker
