// Which accesses of whole vectors, and of several cells as one word, stand at multiples of 128 or 4 bytes: proved.
#pragma once
#include <map>
#include <vector>

#include "ir/function.h"
#include "verify/prove/obligation.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// Every parameter (of a table, each of its rows) and the workspace start at a multiple of so many bytes: the caller's
/// part of the contract.
inline constexpr int64_t kParameterAlignment = 128;

/// An access that the code generator makes of all iterations of a nest at once: where its first cell is.
struct WideAccess {
  Buffer buffer;
  std::vector<Expr> first;  // indices, over what is bound around the nest
  int64_t bytes = 0;        // that it touches
};

/// Those of the loop: a vectorized one (its loads and its stores, in the order of codegen::on_vectors), or one that is
/// marked as an intrinsic (its operands). None for any other loop.
std::vector<WideAccess> wide_accesses(const For& loop);

/// For each loop with wide accesses: the bytes of which each is a proved multiple from the start of its memory, or of
/// its row (1: nothing is proved).
struct ProvedAlignment {
  struct Access {
    int64_t bytes = 1;
    std::string sentence = {};  // of the obligation behind it
  };
  std::map<const StmtNode*, std::vector<Access>> accesses;
  std::vector<std::string> sentences;  // of all obligations
};
ProvedAlignment prove_alignment(const PrimFunc& func, Prover& prover);

/// That the access stands at a multiple of `bytes` from the start of its memory, or of its row, under the facts at its
/// loop.
Obligation alignment_obligation(const PrimFunc& func, const Stmt& loop, const struct Facts& facts,
                                const WideAccess& access, int64_t bytes);

}  // namespace hexproof
