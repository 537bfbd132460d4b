// What must be known of a value so that equality of its residues says something.
#pragma once
#include <algorithm>

namespace hexproof::fingerprint {

/// Upper bounds for one cell as a polynomial. Doubles are exact up to 2^53; beyond, each step rounds up by a factor.
struct CellBounds {
  double degree = 1;        // in the variables (inputs, constants of the tree world, results of random functions)
  double norm = 1;          // sum of the magnitudes of the coefficients, in the ring
  double applications = 0;  // of random functions, below it
  double most_degree = 0;   // of what random functions were applied to
  double most_norm = 0;     // of the same

  double max_degree() const { return std::max(degree, most_degree); }
  double max_norm() const { return std::max(norm, most_norm); }
};
inline constexpr int kBoundWords = 5;
/// Makes up for one rounding to nearest.
inline constexpr double kRoundUp = 1.0 + 0x1p-51;

}  // namespace hexproof::fingerprint
