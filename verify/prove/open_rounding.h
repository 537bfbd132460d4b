// Formulas over floats whose rounding is open: `contract` and `reassoc` give one expression several results.
#pragma once
#include "ir/function.h"
#include "verify/prove/obligation.h"

namespace hexproof {

/// Which of a program's fast-math flags leave the rounding of sums and products open.
struct OpenRounding {
  bool contract = false;  // a product may lose its rounding in the sum that uses it
  bool reassoc = false;   // sums and products may be regrouped
  bool nsz = false;       // a zero may have either sign: nobody knows which infinity a quotient by it is
  bool any() const { return contract || reassoc || nsz; }
  /// What holds on this thread (Prover::prove_all hands it to its threads): every formula that the prover is asked is
  /// read so.
  static OpenRounding& here();
};
/// As the program's flags say.
OpenRounding open_rounding_of(const PrimFunc& func);

class OpenRoundingScope {
 public:
  explicit OpenRoundingScope(const OpenRounding& open) : before_(OpenRounding::here()) { OpenRounding::here() = open; }
  ~OpenRoundingScope() { OpenRounding::here() = before_; }
  OpenRoundingScope(const OpenRoundingScope&) = delete;

 private:
  OpenRounding before_;
};

/// The formula with each sum or product that may be rounded in several ways as a function of its operands of which
/// nothing else is known: equal expressions have equal values, and no solver concludes more from how IEEE rounds one of
/// the ways.
Expr with_open_rounding(const Expr& e, const OpenRounding& open);
Obligation with_open_rounding(Obligation obligation, const OpenRounding& open);

}  // namespace hexproof
