// The oracle that looks inside: programs of a case run with everything static asserted on the way.
#pragma once
#include <string>

#include "ir/interpreter/interpreter.h"
#include "rewrite/kernel/kernel.h"

namespace hexproof {

class Inside {
 public:
  /// Checks the program and runs it: what `check` proved is asserted, and that it reaches no error when it was proved
  /// free of them.
  Inside(const PrimFunc& program, const std::vector<Tensor>& inputs, const std::vector<int64_t>& scalars,
         const RunOptions& options, Prover& prover, uint64_t evaluations);
  /// Runs each program of the derivation that starts there: facts, footprints, contents, the obligations of the step
  /// from it and, when those of the first program were proved, the claims of blocks.
  void look_at(const Derivation& derivation);

  std::string finding = {};  // what is false; empty: nothing

 private:
  void run_one(const PrimFunc& program, const Step* step);

  RunOptions options_;
  uint64_t evaluations_;  // of formulas, in one run
  std::vector<int64_t> scalars_;
  std::vector<Tensor> inputs_;  // of the program that runs next
  bool block_claims_ = false;
};

}  // namespace hexproof
