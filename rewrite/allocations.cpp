#include "rewrite/allocations.h"

#include "rewrite/find.h"

namespace hexproof {

int plan_allocations(Derivation& derivation, Prover& prover, const std::string& primitive, const Span& span) {
  auto attempt = [&](const char* rule, const Buffer& buffer) {
    try {
      derivation.apply(rule, {{"buffer", buffer}}, prover, primitive, span);
      return true;
    } catch (const NotApplicable&) {
      return false;
    } catch (const Refused&) {
      return false;
    }
  };
  std::vector<Buffer> buffers;
  for (const Path& at : find_all(derivation.current(), [](const Stmt& s) { return s.as<AllocBuffer>() != nullptr; })) {
    buffers.push_back(stmt_at(derivation.current(), at).as<AllocBuffer>()->buffer);
  }
  int steps = 0;
  for (const Buffer& buffer : buffers) {
    steps += attempt("sink-alloc", buffer);
    steps += attempt("compact-buffer", buffer);
  }
  return steps;
}

}  // namespace hexproof
