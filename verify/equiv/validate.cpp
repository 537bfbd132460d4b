#include "verify/equiv/validate.h"

#include <chrono>
#include <new>

#include "ir/visit.h"
#include "verify/equiv/sizes.h"

namespace hexproof {
namespace {

/// Statements and cells of all runs.
constexpr uint64_t kRunWork = 4'000'000;

class Validator {
 public:
  Validator(Prover& prover, const ValidationOptions& options) : prover_(prover), options_(options) {}

  Validation run(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation) {
    out_.unchanged = same_program(before, after) && relation.layers.empty() && relation.layouts.empty();
    std::optional<ProgramPair> pair;
    if (options_.compare && !out_.unchanged) {
      guarded([&] {
        pair = pair_programs(before, after, relation);
        run_both(*pair);
      });
    }
    if (out_.disagrees.empty()) checked(after);
    if (out_.disagrees.empty() && pair) guarded([&] { compare(*pair); });
    return std::move(out_);
  }

 private:
  /// What cannot be compared is left open.
  template <class F>
  void guarded(const F& work) {
    try {
      work();
    } catch (const Unsupported& e) {
      out_.not_compared = e.what();
    } catch (const Error& e) {
      out_.not_compared = e.what();
    } catch (const InternalError& e) {
      out_.not_compared = std::string("the comparison met an error of its own: ") + e.what();
    } catch (const std::bad_alloc&) {
      out_.not_compared = "the comparison needs more memory than there is";
    }
  }

  void run_both(const ProgramPair& pair) {
    Evidence all =
        equiv_runs(pair, {.seed = options_.seed, .max_work = kRunWork, .satisfy = options_.satisfy}, &out_.runs_at);
    if (all.input) {
      if (std::optional<Counterexample> shown = confirmed(pair, all)) disagree("runs", shown->table);
    }
    out_.runs = std::move(all);
  }

  void checked(const PrimFunc& after) {
    out_.check = check(after, prover_);
    if (out_.check->finding == Finding::Refuted) disagree("check", out_.check->counterexample);
  }

  void compare(const ProgramPair& pair) {
    out_.equiv = equiv(pair, prover_,
                       {.seed = options_.seed,
                        .native = options_.native,
                        .effort = EquivEffort::Bounded,
                        .satisfy = options_.satisfy,
                        .free_of_errors = out_.check->finding == Finding::Proved});
    if (out_.equiv->counterexample) disagree("equiv", out_.equiv->counterexample->table);
  }

  void disagree(const std::string& part, const std::string& witness) {
    out_.disagrees = part;
    out_.witness = witness;
  }

  Prover& prover_;
  const ValidationOptions& options_;
  Validation out_;
};

}  // namespace

Validation validate(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation, Prover& prover,
                    const ValidationOptions& options) {
  auto start = std::chrono::steady_clock::now();
  Validation out = Validator(prover, options).run(before, after, relation);
  out.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace hexproof
