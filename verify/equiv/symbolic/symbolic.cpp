#include <fmt/format.h>

#include <chrono>
#include <new>

#include "verify/equiv/symbolic/terms/refine.h"

namespace hexproof {

Evidence equiv_symbolic(const ProgramPair& pair, const Instance& instance, Prover& prover, uint64_t max_terms,
                        EquivEffort effort) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  Evidence out;
  try {
    if (rounds_numbers(pair.before) || rounds_numbers(pair.after)) {
      out.method = "symbolic";
      out.says =
          "what the programs compute from constants, scalars and loop variables is left open by the granted flags";
      return out;
    }
    out = symbolic::Refinement(pair, instance, prover, max_terms, effort).run();
  } catch (const symbolic::TooManyTerms&) {
    out.says = fmt::format("the symbolic run needs more than {} terms", max_terms);
  } catch (const symbolic::TooMuch& limit) {
    out.says = "the symbolic run is bounded: " + limit.message;
  } catch (const std::bad_alloc&) {
    if (effort == EquivEffort::Bounded) throw;
    out.says = "the symbolic run needs more memory than there is";
  } catch (const Unsupported& refusal) {
    out.finding = Finding::Unsupported;
    out.says = refusal.what();
  } catch (const Error& error) {
    out.says = error.what();
  } catch (const Fault& fault) {
    out.says = fault.message;
  }
  out.method = "symbolic";
  out.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  return out;
}

}  // namespace hexproof
