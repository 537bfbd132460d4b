// Theorems about rules on expressions: for all values of a dtype, in exact machine semantics.
//
// Which entry to call:
// - A rule `lhs -> rhs when ...` on expressions: prove_rule, once per dtype and for each reading under which the rule
// may
//   be applied. It asks everything that refinement needs, errors included.
// - Any other claim about machine values: prove_theorem.
#pragma once
#include <string>
#include <vector>

#include "verify/prove/obligation.h"

namespace hexproof {

/// Holds `given` imply `goal` for all values? Here every free variable is a machine value of its dtype and every
/// integer operation is *data* arithmetic: it wraps. `Fits(e)` says that no operation in `e` overflows (signed or
/// unsigned, as its dtype), divides by zero, or shifts out of range, so `given` may restrict a claim to what does not
/// overflow. Where an operation is an error (division by zero, a shift by the width) its value is arbitrary but fixed,
/// so a theorem needs Fits of what divides. Floats are IEEE, and `==` on them is IEEE equality: say `same_bits` for
/// equality of values.
///
/// Integers of 8 and 16 bits are decided in bit-vectors. At 32 and 64 bits products and quotients of variables are too
/// hard there; when everything that is given fits (says so by Fits, or has no arithmetic), the claim is also tried over
/// unbounded integers, where the arithmetic of the goal must be shown to fit as well: there machine and mathematics
/// agree. Refuted: with values (floats as their bits) that evaluation confirms. `solver` says which method answered.
Answer prove_theorem(const Obligation& theorem);

/// How a rule is used.
enum class RuleUse : uint8_t {
  /// On index arithmetic only (no load, call or undef below the place): overflow of lhs is an error that `before` does
  /// not have,
  /// so it is known that lhs fits; rhs must be shown to fit, and to be equal. `when` is read in mathematical integers,
  /// as the Prover
  /// reads it when the rule is applied.
  Index,
  /// On data: integers wrap; lhs is known free of division by zero, of shifts out of range and of casts that do not
  /// fit, and so must rhs
  /// be. `Fits` in `when` means just that, *not* that nothing overflows: the Prover, which discharges `when` where the
  /// rule is
  /// applied, reads it so on data. A rule that needs "does not overflow" is a theorem for Index only, and its match
  /// must
  /// refuse data. (To say that a data sum does not overflow, write it in a wider type.)
  Data,
};

/// The rule is right: for all values of the free variables, when each of `when` holds and lhs is free of errors, rhs is
/// free of errors and is the same value (bit for bit; NaNs are one value; see same_bits). A use that mixes index and
/// data operands in one match is not covered when rhs has an index operation that lhs has not: owe `fits(rhs)` there.
Answer prove_rule(const std::string& name, const Expr& lhs, const Expr& rhs, const std::vector<Expr>& when,
                  RuleUse use);

}  // namespace hexproof
