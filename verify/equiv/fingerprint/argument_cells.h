// The arguments of both programs as cells of the field: what they start with, and which of them differ at the end.
#pragma once
#include <string>
#include <vector>

#include "verify/equiv/equiv.h"
#include "verify/equiv/fingerprint/bounds.h"
#include "verify/equiv/fingerprint/prepare.h"

namespace hexproof::fingerprint {

using Cells = std::vector<std::vector<uint64_t>>;

class ArgumentCells {
 public:
  ArgumentCells(const ProgramPair& pair, const Instance& at) : pair_(pair), at_(at) {}

  DType type_of(size_t buffer) const { return pair_.buffers[buffer].before->dtype; }
  Cells before_cells(const Algebra& algebra) const;
  Cells after_cells(const Algebra& algebra) const;
  /// Bounds of variables; padding that may not be read has an infinite degree.
  Cells start_bounds(const std::vector<std::vector<int64_t>>& shapes, const Algebra& algebra, bool after,
                     bool degrees_only, std::vector<bool>* watched) const;
  /// Is this element of after's argument looked at, at the end?
  bool observed(size_t buffer, int64_t element) const;
  /// The first cell (in the order of before's arguments, then padding) whose residues differ, as a sentence.
  std::string first_difference(const Algebra& algebra, const Cells& before, const Cells& after) const;

 private:
  const ProgramPair& pair_;
  const Instance& at_;
};

}  // namespace hexproof::fingerprint
