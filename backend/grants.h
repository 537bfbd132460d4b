// What the code generator may assume, and the obligations behind it. Nothing is assumed by default.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/alignment.h"
#include "rewrite/kernel/kernel.h"
#include "verify/check/check.h"

namespace hexproof {

/// Each grant turns into LLVM flags whose violation would be undefined behaviour. Only grants_for makes one that grants
/// anything, and it is good for the program that it was made for alone.
class Grants {
 public:
  /// Grants nothing.
  Grants() = default;

  bool no_index_overflow() const { return no_index_overflow_; }  // nsw, nuw on index arithmetic
  bool in_bounds() const { return in_bounds_; }                  // inbounds on addresses in parameters and allocations
  bool no_alias_params() const { return no_alias_params_; }      // noalias on the pointers of parameters and workspace
  bool parallel_loops() const { return parallel_loops_; }  // iterations of parallel loops touch no cell in conflict
  bool aligned_params() const {
    return aligned_params_;
  }                                                // parameters, rows, workspace start at multiples of 128 bytes
  bool row_tables() const { return row_tables_; }  // tables of rows stay as they are, rows are their own objects
  /// The bytes of which the k-th wide access of a loop (backend/alignment.h) is a multiple, from the start of its
  /// memory; 1 where nothing is proved. The loop is one of the very program that the grants were made for.
  int64_t alignment(const Stmt& loop, size_t k) const;
  /// The sentence that was proved of it; null where nothing is.
  const std::string* alignment_sentence(const Stmt& loop, size_t k) const;

  /// Why a flag was granted.
  struct Basis {
    std::string grant;                   // name of the grant
    std::string flags;                   // as LLVM writes them
    std::string reason;                  // in words
    std::vector<size_t> obligations;     // that speak of it, by position in the check report
    std::vector<std::string> sentences;  // of these
  };
  const std::vector<Basis>& basis() const { return basis_; }
  /// Nothing is granted, or it is granted for this program.
  bool good_for(const PrimFunc& func) const;

 private:
  friend Grants grants_for(const Derivation& derivation, const CheckReport& report);
  friend Grants grants_for(const Derivation& derivation, const CheckReport& report, Prover& prover);
  bool no_index_overflow_ = false, in_bounds_ = false, no_alias_params_ = false, parallel_loops_ = false;
  bool aligned_params_ = false, row_tables_ = false;
  std::map<const StmtNode*, std::vector<ProvedAlignment::Access>> alignment_;  // of loops of program_
  std::vector<Basis> basis_;
  std::optional<PrimFunc> program_;
};

/// The grants that a report of `derivation.current()` carries, or one of the program before it was lowered: none unless
/// it says Proved, is of that very program, and each of its obligations is proved. A grant needs obligations of its own
/// kind besides: a program without a race to exclude is granted no parallel loops.
Grants grants_for(const Derivation& derivation, const CheckReport& report);

/// The same, and alignment: each wide access of the program is asked of the prover. What is not proved is not granted.
Grants grants_for(const Derivation& derivation, const CheckReport& report, Prover& prover);

}  // namespace hexproof
