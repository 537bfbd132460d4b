#include "backend/alignment.h"

#include <algorithm>

#include "backend/codegen/vector_form.h"
#include "backend/row_tables.h"
#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/intrinsics/intrinsic.h"
#include "verify/access/footprint.h"

namespace hexproof {
std::vector<WideAccess> wide_accesses(const For& loop) {
  std::vector<WideAccess> out;
  const std::string* mark = mark_of(loop);
  if (const Intrinsic* intrinsic = mark ? intrinsic_by_name(*mark) : nullptr) {
    std::variant<NestMatch, std::string> matched = match_nest(loop, description_of(*intrinsic));
    if (const NestMatch* match = std::get_if<NestMatch>(&matched)) {
      for (const NestOperand& o : match->operands) out.push_back({o.buffer, o.first, o.bytes});
    }
    return out;
  }
  std::optional<Stmt> form = codegen::on_vectors(loop);
  if (!form) return out;
  for (codegen::VectorAccess& access : codegen::vector_accesses(*form)) {
    Expr ramp = access.indices.back();
    access.indices.back() = ramp->args[0];
    out.push_back({access.buffer, access.indices, int64_t{ramp->dtype.lanes} * access.buffer->dtype.bytes()});
  }
  return out;
}

Obligation alignment_obligation(const PrimFunc& func, const Stmt& loop, const Facts& facts, const WideAccess& access,
                                int64_t bytes) {
  std::vector<Expr> indices;
  std::string cell = access.buffer->name + "[";
  for (const Expr& index : access.first) {
    cell += (cell.back() == '[' ? "" : ", ") + print(index);
    indices.push_back(facts.resolve(index));
  }
  BufferLayout layout = facts.layout(access.buffer);
  const bool in_row = in_rows(func, access.buffer);
  if (in_row) {  // where the row starts, the contract says
    auto first = static_cast<std::ptrdiff_t>(axes_of_table(access.buffer));
    layout.shape.erase(layout.shape.begin(), layout.shape.begin() + first);
    indices.erase(indices.begin(), indices.begin() + first);
  }
  Expr offset = byte_address(layout, indices, access.buffer->dtype.bytes(), address_type(layout, indices));
  Expr goal = eq(floormod(offset, imm(offset->dtype, bytes)), zero(offset->dtype));
  return {"access-alignment",
          cell + "] stands at a multiple of " + std::to_string(bytes) + " bytes" + (in_row ? " of its row" : ""),
          place_of(func, loop), facts.given(), goal};
}

ProvedAlignment prove_alignment(const PrimFunc& func, Prover& prover) {
  ProvedAlignment out;
  if (!func.body) return out;
  walk_with_facts(func, [&](const Stmt& s, const Path&, const Facts& facts) {
    const For* loop = s.as<For>();
    if (!loop) return true;
    std::vector<WideAccess> accesses = wide_accesses(*loop);
    if (accesses.empty()) return true;
    std::vector<ProvedAlignment::Access> proved;
    for (const WideAccess& access : accesses) {
      proved.emplace_back();
      if (std::any_of(access.first.begin(), access.first.end(), [](const Expr& e) { return is_data(e); })) continue;
      for (int64_t bytes : {kParameterAlignment, int64_t{4}}) {
        if (bytes <= access.buffer->dtype.bytes() || access.bytes % bytes != 0) continue;
        Obligation owed = alignment_obligation(func, s, facts, access, bytes);
        if (prover.prove(owed).verdict != Verdict::Proved) continue;
        proved.back() = {bytes, owed.why};
        out.sentences.push_back(owed.why);
        break;
      }
    }
    // One statement may stand in two places: then it is as aligned as it is in both.
    auto [known, fresh] = out.accesses.try_emplace(s.get(), proved);
    for (size_t k = 0; k < proved.size() && !fresh; ++k) {
      if (proved[k].bytes < known->second[k].bytes) known->second[k] = proved[k];
    }
    return true;
  });
  return out;
}

}  // namespace hexproof
