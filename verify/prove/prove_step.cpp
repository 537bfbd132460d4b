#include "verify/prove/prove_step.h"

#include "verify/prove/effort.h"

namespace hexproof {

StepAnswers prove_step(Prover& prover, std::span<const Obligation> needs) {
  StepAnswers out;
  {
    DepthScope cheap(Depth::Cheap);
    out.answers = prover.prove_all(needs);
  }
  auto first = [&](Verdict verdict) -> std::optional<size_t> {
    for (size_t k = 0; k < needs.size(); ++k) {
      if (out.answers[k].verdict == verdict) return k;
    }
    return std::nullopt;
  };
  out.failed = first(Verdict::Refuted);
  if (out.failed || Effort::here().depth == Depth::Cheap) {
    if (!out.failed) out.failed = first(Verdict::Unknown);
    return out;
  }
  for (size_t k = 0; k < needs.size(); ++k) {
    if (out.answers[k].verdict != Verdict::Unknown) continue;
    out.answers[k] = prover.prove(needs[k]);
    if (out.answers[k].verdict == Verdict::Proved) continue;
    out.failed = k;
    break;
  }
  return out;
}

}  // namespace hexproof
