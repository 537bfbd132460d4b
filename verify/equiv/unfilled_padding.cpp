#include "verify/equiv/unfilled_padding.h"

#include <algorithm>

#include "ir/visit.h"
#include "verify/access/footprint.h"
#include "verify/memory/argument_padding.h"

namespace hexproof {
namespace {

/// Are the cells of `after` that hold what is padding before among those that `after` says are padding?
bool goes_to_padding(const BufferPair& pair, const ArgumentPadding& before, const ArgumentPadding& after,
                     const VarMap& scalars, Prover& prover) {
  Obligation o{.rule = "equiv", .why = "padding goes to padding", .where = {}, .given = {}, .goal = {}};
  for (size_t d = 0; d < pair.map.inputs.size(); ++d) {
    const Var& index = pair.map.inputs[d];
    const Expr extent = substitute(pair.before->shape[d], scalars);
    const bool holds = as_int(extent) ? fits_type(index.dtype(), int_value(extent)) : extent->dtype == index.dtype();
    if (!holds) return false;
    o.given.push_back(ge(Expr(index), zero(index.dtype())));
    o.given.push_back(lt(as_type(kInt64, Expr(index)), as_type(kInt64, extent)));
  }
  std::vector<Expr> from, to = pair.map.outputs;
  for (size_t d = 0; d < before.indices.size(); ++d) {
    from.push_back(as_type(before.indices[d].dtype(), Expr(pair.map.inputs[d])));
  }
  for (size_t d = 0; d < after.indices.size(); ++d) to[d] = as_type(after.indices[d].dtype(), to[d]);
  o.given.push_back(substitute(before.at(from), scalars));
  o.goal = after.at(to);
  return prover.prove(o).verdict == Verdict::Proved;
}

}  // namespace

std::string reads_unfilled_padding(const ProgramPair& pair, Prover& prover) {
  VarMap scalars;
  for (const auto& [mine, theirs] : pair.scalars) scalars.emplace(mine, Expr(theirs));
  for (const auto& [theirs, value] : pair.after_scalars) {
    if (value->op == Op::Var) scalars.emplace(value->var(), Expr(theirs));
  }
  PrimFunc after = pair.after;
  bool any = false;
  size_t next = 0;
  for (size_t k = 0; k < pair.before.params.size(); ++k) {
    if (!pair.before.params[k].buffer) continue;
    const BufferPair& buffer = pair.buffers.at(next++);
    std::optional<ArgumentPadding> padding = argument_padding(pair.before, k);
    if (!padding) {
      any |= argument_padding(pair.after, k).has_value();  // filled, and not to be read all the same
      continue;
    }
    any = true;
    std::optional<ArgumentPadding> theirs = argument_padding(pair.after, k);
    bool said = false;
    if (buffer.identity) {
      Expr predicate = substitute(padding->predicate, scalars);
      if (theirs) {  // what is padding after alone is filled, and not to be read all the same
        predicate = lor(theirs->at({padding->indices.begin(), padding->indices.end()}), predicate);
      }
      auto named = with_argument_padding(after, k, padding->indices, predicate);
      said = named.has_value();
      if (named) after = std::move(*named);
    } else {
      said = theirs && goes_to_padding(buffer, *padding, *theirs, scalars, prover);
    }
    if (!said) {
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
