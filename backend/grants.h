// What the code generator may assume, and the obligations behind it. Nothing is assumed by default.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel.h"
#include "verify/check.h"

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
  bool no_index_overflow_ = false, in_bounds_ = false, no_alias_params_ = false, parallel_loops_ = false;
  std::vector<Basis> basis_;
  std::optional<PrimFunc> program_;
};

/// The grants that a report of `derivation.current()` carries, or one of the program before it was lowered: none unless
/// it says Proved, is of that very program, and each of its obligations is proved. A grant needs obligations of its own
/// kind besides: a program without a race to exclude is granted no parallel loops.
Grants grants_for(const Derivation& derivation, const CheckReport& report);

}  // namespace hexproof
