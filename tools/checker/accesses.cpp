#include "tools/checker/accesses.h"

#include <regex>

#include "ir/interpreter/fault.h"
#include "ir/visit.h"

namespace hexproof::checker {

std::string without_numbers(const std::string& statement) {
  static const std::regex kNumber("(_[0-9]+)+\\b");
  return std::regex_replace(statement, kNumber, "");
}

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
    if (found && s.as<Store>()) ++out[without_numbers(one_line(s))];
    return true;
  });
  return out;
}

}  // namespace hexproof::checker
