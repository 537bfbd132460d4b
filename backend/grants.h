// What the code generator may assume, and the obligations behind it. Nothing is assumed by default.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel.h"
#include "verify/check.h"

namespace hexproof {

/// Each grant turns into LLVM flags whose violation would be undefined behaviour.
struct Grants {
  bool no_index_overflow = false;  // nsw, nuw on index arithmetic
  bool in_bounds = false;          // inbounds on addresses in parameters and allocations
  bool no_alias_params = false;    // noalias on the pointers of parameters and on the workspace
  bool parallel_loops = false;     // iterations of parallel and vectorized loops touch no cell in conflict

  /// Why a flag was granted: the obligations by position in the check report, with their sentences.
  struct Basis {
    std::string grant;   // name of the field
    std::string flags;   // as LLVM writes them
    std::string reason;  // in words
    std::vector<size_t> obligations;
    std::vector<std::string> sentences;
  };
  std::vector<Basis> basis;
};

/// The grants that a report of `derivation.current()` carries: none unless it says Proved for every obligation.
Grants grants_for(const Derivation& derivation, const CheckReport& report);

}  // namespace hexproof
