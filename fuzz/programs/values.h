// Random expressions for random programs.
#pragma once
#include <vector>

#include "fuzz/choices.h"
#include "ir/visit.h"

namespace hexproof {

/// A variable in [0, extent).
struct LoopVar {
  Var var;
  int64_t extent;
};

class ValueBuilder {
 public:
  explicit ValueBuilder(Choices& choices) : choices_(choices) {}

  DType index_type = kInt32;
  std::vector<Buffer> readable;  // constant shapes
  std::vector<LoopVar> loops;    // in scope

  /// A new loop variable, in scope from now on.
  LoopVar loop(const std::string& name, int64_t extent);
  /// An index in [0, extent): a loop variable where one fits, sums, quotients, remainders, clamps.
  Expr index(int64_t extent);
  /// A constant, half of them edges.
  Expr constant(DType type);
  /// An expression of a type that is free of errors whatever the buffers hold.
  Expr value(DType type, int depth);
  /// Over loop variables mostly, over data sometimes.
  Expr condition();

 private:
  Expr leaf(DType type);
  Expr operation(DType type, int depth);
  const LoopVar* any_loop();

  Choices& choices_;
};

}  // namespace hexproof
