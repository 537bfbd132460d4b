#include "backend/grants.h"

#include <algorithm>
#include <set>

#include "backend/row_tables.h"
#include "ir/visit.h"
#include "rewrite/kernel/lowering.h"

namespace hexproof {

bool Grants::good_for(const PrimFunc& func) const { return !program_ || same_program(*program_, func); }

Grants grants_for(const Derivation& derivation, const CheckReport& report) {
  Grants grants;
  bool of_this =
      same_program(report.program, derivation.current()) || same_program(report.program, before_lowering(derivation));
  if (report.finding != Finding::Proved || !of_this) return grants;
  for (const CheckedObligation& o : report.obligations) {
    if (o.answer.verdict != Verdict::Proved) return grants;
  }
  // Obligations rest on each other (an index is in bounds where no index overflowed on the way there), so each grant
  // needs all of the report. Listed are those of its own kind, by the names that verify/check gives them.
  auto grant = [&](bool Grants::*field, Grants::Basis basis, const std::set<std::string>& rules) {
    for (size_t i = 0; i < report.obligations.size(); ++i) {
      const Obligation& o = report.obligations[i].obligation;
      if (!rules.count(o.rule)) continue;
      basis.obligations.push_back(i);
      basis.sentences.push_back(o.why);
    }
    if (basis.obligations.empty()) return;
    grants.*field = true;
    grants.basis_.push_back(std::move(basis));
  };
  grant(&Grants::no_index_overflow_,
        {"no_index_overflow", "nsw nuw", "index arithmetic was proved to stay inside its types", {}, {}},
        {"check-overflow"});
  grant(&Grants::in_bounds_,
        {"in_bounds",
         "inbounds nsw",
         "every index was proved to be inside the shape, and the shape fits the memory",
         {},
         {}},
        {"check-bounds", "check-view", "check-allocation"});
  grant(&Grants::parallel_loops_,
        {"parallel_loops",
         "!llvm.access.group llvm.loop.parallel_accesses llvm.loop.vectorize.enable",
         "no two iterations of a parallel or vectorized loop touch one cell with one of them writing",
         {},
         {}},
        {"check-race"});
  // Not an obligation: each buffer is an object of its own, and so is the workspace. The caller keeps it.
  grants.no_alias_params_ = true;
  grants.basis_.push_back(
      {"no_alias_params",
       "noalias",
       "parameters are objects of their own; a caller who passes overlapping memory breaks the contract",
       {},
       {}});
  const std::vector<Buffer> params = derivation.current().buffer_params();
  if (std::any_of(params.begin(), params.end(), &is_row_table)) {
    grants.row_tables_ = true;
    grants.basis_.push_back({"row_tables",
                             "inbounds noalias !invariant.load !alias.scope !noalias align",
                             "a parameter of two physical axes is a table that has a pointer for each row, and that "
                             "nobody writes while the kernel runs; table and rows are objects of their own; a caller "
                             "who passes others breaks the contract",
                             {},
                             {}});
  }
  grants.program_ = derivation.current();
  return grants;
}

Grants grants_for(const Derivation& derivation, const CheckReport& report, Prover& prover) {
  Grants grants = grants_for(derivation, report);
  if (!grants.program_) return grants;
  ProvedAlignment proved = prove_alignment(*grants.program_, prover);
  if (proved.sentences.empty()) return grants;
  grants.aligned_params_ = true;
  grants.basis_.push_back({"aligned_params",
                           "align",
                           "parameters (of tables, each row) and the workspace start at multiples of 128 bytes; a "
                           "caller who passes others breaks the contract",
                           {},
                           {}});
  grants.alignment_ = std::move(proved.accesses);
  grants.basis_.push_back({"aligned_accesses",
                           "align",
                           "the access was proved to stand at a multiple of these bytes from the start of its memory "
                           "(of its row)",
                           {},
                           std::move(proved.sentences)});
  return grants;
}

int64_t Grants::alignment(const Stmt& loop, size_t k) const {
  auto it = alignment_.find(loop.get());
  return it == alignment_.end() || k >= it->second.size() ? 1 : it->second[k].bytes;
}

const std::string* Grants::alignment_sentence(const Stmt& loop, size_t k) const {
  return alignment(loop, k) > 1 ? &alignment_.at(loop.get())[k].sentence : nullptr;
}

}  // namespace hexproof
