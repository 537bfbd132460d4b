// The one door to the solvers.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

struct ProverOptions {
  std::string cache_path = {};  // SQLite file; empty: no cache on disk
  /// Bound of one attempt in Z3's resource units; below 1 M the second solver, a process of its own, is not asked.
  uint64_t rlimit = 20'000'000;
  int jobs = 0;             // threads of prove_all; 0: one per core
  bool normal_form = true;  // false: straight to the solvers (to audit, and to test them on their own)
};

struct ProverStats {
  size_t asked = 0, cached = 0, proved = 0, refuted = 0, unknown = 0, by_interval = 0;
};

/// Answers obligations: normal form and intervals first, then the memory cache, the cache on disk, and the
/// solvers with resource limits. The same obligation gives the same answer on every run and thread.
/// Thread-safe. Wall-clock backstops are never cached.
class Prover {
 public:
  explicit Prover(ProverOptions options = {});
  ~Prover();
  Prover(const Prover&) = delete;

  Answer prove(const Obligation& obligation);
  /// In parallel; answers in the order of the questions.
  std::vector<Answer> prove_all(std::span<const Obligation> obligations);
  /// Is the conjunction satisfiable? Proved means: no (contradictory); Refuted: yes, with a model.
  Answer contradictory(const std::vector<Expr>& given, const Place& where);
  ProverStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hexproof
