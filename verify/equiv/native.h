// Native evaluation of programs over a field, as whole-program comparison needs it. backend/ implements it; it produces
// no kernel.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "ir/function.h"
#include "verify/equiv/fingerprint/algebra.h"

namespace hexproof {

/// What is computed of each data value.
enum class FieldView : uint8_t {
  Residues,  // its residues: Algebra::words per cell
  Degrees,   // its degree, a double: one word per cell. Only for programs that stay in the tree world
  Bounds,    // a fingerprint::CellBounds: five words per cell
};

/// What a run asks for besides.
struct FieldRunOptions {
  std::vector<bool> watched = {};  // per buffer parameter; empty: none
  /// Called with the cell of each assumed condition, as it is executed, and its number of words. Where the residues
  /// show that it is true, it is the constant `true`. Missing: assumes are skipped.
  std::function<void(const uint64_t*, size_t)> assumed = {};
  bool optimise = true;  // pays where a run takes longer than about ten milliseconds
};

/// Programs over GF(2^61 - 1): what depends on no buffer's content stays a number; every data value is a cell.
class NativeEvaluator {
 public:
  virtual ~NativeEvaluator() = default;

  /// Runs `func` on the cells of its buffer parameters (row-major, each cell's words side by side, doubles as their
  /// bits), which it changes in place. The function has no scalar parameters and constant shapes, and is free of
  /// errors: native code checks nothing. Throws Unsupported, with the place, where data steers
  /// control or an index, on undef, on what has no meaning over a field, and for memory beyond a few gigabytes.
  ///
  /// True is returned when a cell of a watched buffer whose degree is infinite was loaded. Not with residues.
  virtual bool run(const PrimFunc& func, const fingerprint::Algebra& algebra, FieldView view,
                   std::vector<std::vector<uint64_t>>& arguments, const FieldRunOptions& options = {}) = 0;
};

}  // namespace hexproof
