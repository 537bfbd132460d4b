#include "verify/check/items/region_claims.h"

#include "ir/visit.h"

namespace hexproof {
namespace {

Stmt undeclared(const Stmt& stmt) {
  std::vector<Stmt> parts = children(stmt);
  for (Stmt& part : parts) part = undeclared(part);
  const Stmt out = with_children(stmt, parts);
  const Block* block = out.as<Block>();
  if (!block || (!block->reads && !block->writes)) return out;
  Block plain = *block;
  plain.reads = plain.writes = std::nullopt;
  return make_stmt(plain, stmt->span);
}

}  // namespace

std::vector<const CheckedObligation*> open_region_claims(const CheckReport& report) {
  std::vector<const CheckedObligation*> out;
  for (const CheckedObligation& one : report.obligations) {
    const bool open = one.answer.verdict != Verdict::Proved;
    if (open && one.obligation.kind == ObligationKind::Region) out.push_back(&one);
  }
  return out;
}

PrimFunc without_regions(const PrimFunc& func) {
  PrimFunc out = func;
  out.body = undeclared(func.body);
  return out;
}

}  // namespace hexproof
