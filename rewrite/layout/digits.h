// Index maps as digits: each output a sum of digits of the logical indices, or of sums of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/layout/index_map.h"

namespace hexproof {

/// scale * (value of the atom // lower % extent). An extent of 0: all that is above `lower`, where that has no
/// constant bound; it is then ceil(end of the atom / lower).
struct Digit {
  size_t atom;
  int64_t lower, extent, scale;
  friend bool operator==(const Digit&, const Digit&) = default;
};

/// A sum of digits, the largest scale first, and a constant. No digits below one another carry into it.
struct DigitSum {
  std::vector<Digit> digits;
  int64_t offset = 0;
  friend bool operator==(const DigitSum&, const DigitSum&) = default;
};

/// `base + add`, or just `add` when there is no symbolic part.
struct Bound {
  Expr base;
  int64_t add = 0;
  bool constant() const { return !base; }
  Expr expr() const;
  /// ceil(bound / by)
  Bound ceil_div(int64_t by) const;
};

/// What digits are taken of: a logical index, or `sum` of digits of earlier atoms, reversed or not, or with some of its
/// low bits flipped. Its values are in [begin, end).
struct Atom {
  std::optional<size_t> input = {};  // a logical index
  DigitSum sum = {};                 // else: value = offset + digits, or offset - digits when reversed
  bool reversed = false;
  int64_t begin = 0;
  Bound end = {};
  Expr mask = {};       // over the logical indices: value = (offset + digits) ^ mask
  Bound unmasked = {};  // the end of offset + digits, with a mask
};

/// Which operand of an exclusive or is the one whose bits the others flip: `j` in `j ^ (i % 8)`.
struct Carrier {
  Expr of;
  size_t operands, chosen;
};

/// The digits of every output of a map over a logical box (`shape` int32; a symbolic extent may be cut, scaled and
/// shifted by constants). An output that is something else has none. `carriers` says what is chosen; else the first
/// operand is.
struct MapDigits {
  std::vector<Atom> atoms;  // the first ones are the logical indices
  std::vector<std::optional<DigitSum>> outputs;
  std::vector<Carrier> carriers;  // of each exclusive or that was read

  /// The end of the values of a sum, when no logical index were cut off.
  std::optional<Bound> end_of(const DigitSum& sum) const;
};
MapDigits digits_of(const IndexMap& map, const std::vector<Expr>& shape, const std::vector<Carrier>& carriers = {});

}  // namespace hexproof
