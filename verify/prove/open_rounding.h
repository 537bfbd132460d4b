// Evaluations whose result the granted fast-math flags leave open: `contract`, `reassoc` and `nsz` give one operation
// on floats several results, and each *evaluation* of it takes one of them anew (docs/semantics.md).
#pragma once
#include <set>
#include <span>
#include <string>

#include "ir/function.h"
#include "verify/prove/obligation.h"

namespace hexproof {

/// Which of a program's fast-math flags leave results open.
struct OpenRounding {
  bool contract = false;  // a product may lose its rounding in the sum that uses it
  bool reassoc = false;   // sums, products and quotients may be regrouped
  bool nsz = false;       // a zero may have either sign: nobody knows which infinity a quotient by it is
  /// Floats of one format alone: no cast to a wider or narrower one stands between a product and the sum that uses it.
  bool one_format = false;
  /// Products and quotients are of numbers that no arithmetic made (multiplies_numbers_alone): under `reassoc` nothing
  /// is regrouped with a factor. Then one more zero in a sum, or a zero times a number, gives no other values.
  bool products_of_numbers = false;
  /// Memory and scalars that hold what the caller put there, throughout: numbers, and no products of this program.
  std::set<Var> numbers = {};
  bool any() const { return contract || reassoc || nsz; }
  /// What holds on this thread (Prover::prove_all hands it to its threads): every formula that the prover, or its first
  /// stage alone, is asked is read so. As long as nobody has said of which program one speaks, everything is open:
  /// who forgets the scope proves less, and nothing that is wrong.
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

/// May the operation itself, over operands as they come, have several results? How an operand was computed is seen
/// through lets, cells and choices, so that a sum is open unless its operands are known to be numbers: constants, what
/// comes from integers, cells of arguments that are only read.
bool is_left_open(const Expr& operation, const OpenRounding& open);
/// May the value of this function on operands of these types, and not only the sign of a zero, depend on the sign of a
/// zero: what nsz leaves open? Of a function that is not modelled on such operands nothing is known, whatever its name.
/// `nonzero_last`: the last operand is a constant that is no zero (the sign of a copysign).
bool sees_sign_of_zero(const std::string& function, DType type, std::span<const DType> operands, bool nonzero_last);
/// Does evaluating `e` make a choice, so that a second evaluation may have another value: T.undef() or an operation
/// that is left open. Whoever evaluates an expression more often than the program did asks this.
bool chooses(const Expr& e, const OpenRounding& open);
/// Is a sum with a zero its other operand, but for the sign of a zero, as far as `contract` and `reassoc` go? A product
/// that is cast to another format may be fused with the zero, and is rounded once then; a sum that is a factor may be
/// multiplied out.
bool zeros_are_neutral(const PrimFunc& func);
/// Which shape, stride or offset of a buffer that a function declares is not one value: it is evaluated where the
/// buffer is declared, and stands wherever the buffer is used. "": none.
std::string open_layout(const PrimFunc& func);
/// "T.undef()", or which operation is left open by which flags; for messages about what `chooses`.
std::string what_chooses(const Expr& e, const OpenRounding& open);

/// Does the function compute floats that come from no memory (constants, scalars, loop variables) with operations that
/// the granted flags may leave open, there or where the result is used? Who takes such numbers as the interpreter
/// rounds them knows one outcome of several.
bool rounds_numbers(const PrimFunc& func);

/// The formula with each operation that is left open as a value of which nothing is known. Each occurrence stands for
/// an evaluation of its own (`next` numbers them), but what a T.Let binds is evaluated once. What holds for any values,
/// holds whatever the machine chose. (Under `contract` alone x + 0 for a number 0 is x, or some zero where x is one.)
Expr with_open_rounding(const Expr& e, const OpenRounding& open, int* next);
Obligation with_open_rounding(Obligation obligation, const OpenRounding& open);

}  // namespace hexproof
