#include "backend/grants.h"

namespace hexproof {

Grants grants_for(const Derivation& derivation, const CheckReport& report) {
  Grants grants;
  if (report.finding != Finding::Proved) return grants;
  const std::string& name = derivation.current().name;
  for (const CheckedObligation& o : report.obligations) {
    // A report of another function, or one whose answers do not carry its finding, grants nothing.
    if (o.answer.verdict != Verdict::Proved) return grants;
    if (!o.obligation.where.function.empty() && o.obligation.where.function != name) return grants;
  }
  // A report says Proved only when every obligation is proved, and the obligations rest on each other (an index
  // is in bounds where no index overflowed on the way there), so each grant rests on all of them; those that speak of
  // it come with their sentences.
  auto grant = [&](bool Grants::*field, Grants::Basis basis, const std::vector<std::string>& rules) {
    for (size_t i = 0; i < report.obligations.size(); ++i) {
      const Obligation& o = report.obligations[i].obligation;
      basis.obligations.push_back(i);
      for (const std::string& rule : rules) {
        if (o.rule.find(rule) != std::string::npos) {
          basis.sentences.push_back(o.why);
          break;
        }
      }
    }
    grants.*field = true;
    grants.basis.push_back(std::move(basis));
  };
  grant(&Grants::no_index_overflow,
        {"no_index_overflow", "nsw nuw", "index arithmetic was proved to stay inside its types", {}, {}},
        {"overflow", "fits"});
  grant(&Grants::in_bounds,
        {"in_bounds", "inbounds nsw", "every index was proved to be inside the shape, and the shape fits the memory", {}, {}},
        {"bounds"});
  grant(&Grants::parallel_loops,
        {"parallel_loops", "!llvm.access.group llvm.loop.parallel_accesses llvm.loop.vectorize.enable",
         "no two iterations of a parallel or vectorized loop touch one cell with one of them writing", {}, {}},
        {"race", "disjoint", "conflict"});
  // Not an obligation: each buffer is an object of its own, and so is the workspace. The caller keeps it.
  grants.no_alias_params = true;
  grants.basis.push_back({"no_alias_params", "noalias",
                          "parameters are objects of their own; a caller who passes overlapping memory breaks the contract",
                          {}, {}});
  return grants;
}

}  // namespace hexproof
