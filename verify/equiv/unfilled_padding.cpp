#include "verify/equiv/unfilled_padding.h"

#include <algorithm>

#include "ir/visit.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {

std::string reads_unfilled_padding(const ProgramPair& pair, Prover& prover) {
  VarMap scalars;
  for (const auto& [mine, theirs] : pair.scalars) scalars.emplace(mine, Expr(theirs));
  for (const auto& [theirs, value] : pair.after_scalars) {
    if (value->op == Op::Var) scalars.emplace(value->var(), Expr(theirs));
  }
  PrimFunc after = pair.after;
  bool any = false;
  size_t buffer = 0;
  for (size_t k = 0; k < pair.before.params.size(); ++k) {
    if (!pair.before.params[k].buffer) continue;
    if (!pair.buffers.at(buffer++).identity) continue;
    std::optional<ArgumentPadding> padding = argument_padding(pair.before, k);
    if (!padding) continue;
    any = true;
    if (!set_argument_padding(&after, k, padding->indices, substitute(padding->predicate, scalars))) {
      return "which cells of argument " + std::to_string(k + 1) + " are padding could not be said of the program after";
    }
  }
  if (!any) return "";
  CheckReport report = check(after, prover);
  bool read = report.finding != Finding::Proved && report.finding != Finding::Undecided;
  for (const CheckedObligation& o : report.obligations) {
    read = read || (o.obligation.rule == "check-initialised" && o.answer.verdict != Verdict::Proved);
  }
  return read ? "the program after may read padding of an argument that nobody filled" : "";
}

}  // namespace hexproof
