#include "tools/api/certificate/lower_vectorized.h"

#include "ir/visit.h"
#include "rewrite/kernel/lowering.h"
#include "rewrite/schedule/schedule.h"

namespace hexproof::api {
namespace {

bool has_block_in_vectorized(const Stmt& body) {
  bool found = false;
  visit_stmt(body, [&](const Stmt& s) {
    const For* loop = s.as<For>();
    if (loop && loop->kind == ForKind::Vectorized) {
      visit_stmt(loop->body, [&](const Stmt& inner) { return found |= inner.as<Block>() != nullptr, !found; });
    }
    return !found;
  });
  return found;
}

}  // namespace

void lower_vectorized(Derivation& derivation, Prover& prover) {
  if (is_lowered(derivation.current()) || !has_block_in_vectorized(derivation.current().body)) return;
  Schedule schedule(derivation, prover);
  schedule.at("lowering of vectorized loops", {});
  auto as_far_as_proved = [](const auto& work) {
    try {
      work();
    } catch (const Error&) {
    } catch (const Unsupported&) {
    } catch (const Refused&) {
    }
  };
  as_far_as_proved([&] { schedule.lower_blocks(); });
  as_far_as_proved([&] { schedule.simplify(); });
}

}  // namespace hexproof::api
