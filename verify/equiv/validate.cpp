#include "verify/equiv/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "ir/visit.h"
#include "verify/equiv/satisfiable.h"
#include "verify/equiv/sizes.h"

namespace hexproof {
namespace {

/// Statements and cells of all runs.
constexpr uint64_t kRunWork = 4'000'000;

/// Of one proof of a check that is not thorough (no second solver), and how many open ones are asked with all means.
constexpr uint64_t kCheckLimit = 900'000;
constexpr size_t kWorthAsking = 2;

constexpr int64_t kLayoutCells = 1 << 24;

class Validator {
 public:
  Validator(Prover& prover, const ValidationOptions& options) : prover_(prover), options_(options) {}

  Validation run(const PrimFunc& before, const PrimFunc& after, const RelationRequest& relation) {
    out_.unchanged = same_program(before, after) && relation.layers.empty() && relation.layouts.empty();
    std::optional<ProgramPair> pair;
    if (options_.compare && !out_.unchanged) {
      guarded([&] {
        demand_small_layouts(before, relation);
        pair = pair_programs(before, after, relation);
        run_both(*pair);
      });
    }
    if (out_.disagrees.empty()) checked(after);
    if (out_.disagrees.empty() && pair) guarded([&] { compare(*pair); });
    return std::move(out_);
  }

 private:
  /// What cannot be compared is left open. (Not what there was no memory for: a certificate says what comes out on any
  /// machine.)
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
    }
  }

  /// A changed layout is followed cell by cell.
  static void demand_small_layouts(const PrimFunc& func, const RelationRequest& relation) {
    for (const Buffer& buffer : func.buffer_params()) {
      if (!relation.layers.count(buffer->name) && !relation.layouts.count(buffer->name)) continue;
      Wide cells = 1;
      for (const Expr& e : buffer->shape)
        cells = std::min(cells * (as_int(e) ? int_value(e) : 1), Wide{kLayoutCells} + 1);
      if (cells > kLayoutCells) {
        throw Unsupported(func.span, fmt::format("to follow the changed layout of {}: more than {} cells", buffer->name,
                                                 kLayoutCells));
      }
    }
  }

  void run_both(const ProgramPair& pair) {
    auto [all, at] = equiv_runs(pair, {.seed = options_.seed, .max_work = kRunWork, .satisfy = options_.satisfy});
    out_.runs_at = at;
    if (all.input) {
      if (std::optional<Counterexample> shown = confirmed(pair, all)) disagree("runs", shown->table);
    }
    out_.runs = std::move(all);
  }

  void checked(const PrimFunc& after) {
    if (options_.thorough) {
      out_.check = check_program(after, prover_);
    } else {
      Prover quick({.cache_path = {}, .rlimit = kCheckLimit});
      out_.check = check_program(after, quick);
      if (out_.check->finding == Finding::Undecided && open(*out_.check) <= kWorthAsking) {
        out_.check = check_program(after, prover_);
      }
    }
    if (out_.check->finding == Finding::Refuted) disagree("check", out_.check->counterexample);
  }

  static size_t open(const CheckReport& report) {
    return static_cast<size_t>(
        std::count_if(report.obligations.begin(), report.obligations.end(),
                      [](const CheckedObligation& o) { return o.answer.verdict != Verdict::Proved; }));
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
