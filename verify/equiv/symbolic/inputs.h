// The cells of the arguments of both programs, as terms, and values for them.
#pragma once
#include "ir/interpreter/arguments.h"
#include "verify/equiv/pair.h"
#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {

/// One cell of an argument that may hold anything.
struct InputCell {
  DType type;
  bool of_after = false;  // padding, which `before` does not have
  uint32_t buffer = 0;
  int64_t at = 0;  // in the tensor, lanes counted
};

class Inputs {
 public:
  /// Makes tensors (their content does not matter) for both programs. Throws TooMuch.
  Inputs(const ProgramPair& pair, const Instance& instance, Terms& terms, uint64_t max_cells);

  /// What each cell of the argument tensors holds on entry; kNoTerm: uninitialised.
  std::vector<std::vector<Term>> before, after;
  /// The tensors' shapes and types, without content.
  std::vector<Tensor> before_tensors, after_tensors;

  const std::vector<InputCell>& cells() const { return cells_; }
  /// The cell of before's tensor that a cell of after's stands for, lanes counted; negative: padding.
  int64_t origin(size_t buffer, int64_t at) const;
  /// "A[3, 4]"
  std::string name(uint32_t input) const;
  /// As arguments of both programs; what holds nothing is not initialised.
  PairInput arguments(const std::vector<Scalar>& values) const;

 private:
  Term fresh(DType type, bool of_after, size_t buffer, int64_t at);

  const ProgramPair& pair_;
  const Instance& instance_;
  Terms& terms_;
  std::vector<InputCell> cells_;
};

/// The memory of the arguments filled with these terms.
void fill(Memory& memory, const BoundBuffer& bound, const std::vector<Term>& cells);
/// What a cell of a tensor holds in the end, and where it holds anything.
struct Held {
  Term value, filled;
};
std::vector<Held> read_back(const Memory& memory, const BoundBuffer& bound);

}  // namespace hexproof::symbolic
