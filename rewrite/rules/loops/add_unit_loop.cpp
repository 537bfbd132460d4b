// add-unit-loop {at: statement, name: of the new variable}
//
//   S                             ->      for u in range(1): S
//
// Side conditions: none. (S does not mention the new variable, and an allocation around S stays around it.)
#include "ir/visit.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

Rewrite add_unit_loop(const PrimFunc& func, const AddUnitLoopArgs& args) {
  const Path& at = args.at;
  const std::string& name = args.name;
  const Stmt stmt = checked_at(func, at);
  if (!stmt.as<For>() && !stmt.as<Block>()) throw NotApplicable("a unit loop goes around a loop or a block");
  if (name.empty()) throw NotApplicable("the loop has no name");
  const Var var = Var::fresh(name, kInt32);
  For loop{.var = var, .min = i32(0), .extent = i32(1), .body = stmt};
  return {.after = replace_at(func, at, make_stmt(std::move(loop), stmt->span)), .needs = {}};
}

}  // namespace

extern const Rule k_add_unit_loop{rule<add_unit_loop>("S  ->  for u in range(1): S")};

}  // namespace hexproof
