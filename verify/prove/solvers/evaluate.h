// The value of a formula under given values: every model of a solver is confirmed here before it is believed.
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/visit.h"
#include "verify/prove/obligation.h"

namespace hexproof {

/// The formula has no value here: division by zero, a shift out of range, a cast that does not fit, an operation that
/// is not modelled, a value that is missing, a number beyond 128 bits.
class Undefined : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Values for the free parts of a formula. Floats are their IEEE bits.
struct Valuation {
  std::map<Var, Wide> vars;
  std::unordered_map<Expr, Wide, ExprHash> terms;  // loads and calls
  bool machine = false;                            // read all integer arithmetic as data: it wraps
  bool overflow_is_error = true;                   // machine: does fits() count every overflow?
};

/// What a load was given, to catch two values for one cell.
using LoadedCells = std::map<std::pair<Buffer, std::vector<Wide>>, Wide>;

class Evaluator;

/// Values that are looked up when they are needed, in place of a Valuation.
class Inputs {
 public:
  virtual ~Inputs() = default;
  /// Of a variable, a load or a call (a float as its IEEE bits), whose operands `evaluator` evaluates. Throws Undefined
  /// when there is none.
  virtual Wide value_of(const Expr& e, Evaluator& evaluator) = 0;
};

class Evaluator {
 public:
  explicit Evaluator(const Valuation& valuation) : in_(valuation) {}
  explicit Evaluator(Inputs& inputs);
  /// The value of a bool formula. Operators `and`, `or` are plain logic: true or-ed with undefined is true.
  bool holds(const Expr& formula);
  /// The value of a scalar; of a float its IEEE bits.
  Wide bits(const Expr& e);
  /// Is there no error in the expression? (as ops.def says of `fits`)
  bool fits(const Expr& e);
  const LoadedCells& cells() const { return cells_; }

 private:
  struct Value {
    Wide i = 0;
    double f = 0;
  };
  Value eval(const Expr& e);
  Value eval_float(Op op, DType type, double a, double b);
  Value eval_comparison(const Expr& e);
  Value eval_cast(const Expr& e);
  Value input(const Expr& e);
  bool wraps(const Expr& e) const { return in_.machine || e->wraps; }

  const Valuation& in_;
  Inputs* inputs_ = nullptr;
  LoadedCells cells_;
};

/// IEEE bits of a float type to its value, and back (one NaN).
double float_from_bits(DType type, Wide bits);
Wide float_to_bits(DType type, double value);

/// The formula that all stages work on: let-bound variables replaced by their values, and each occurrence of undef by a
/// call of its own without operands (so that two occurrences differ, and the two uses of one let do not).
Expr prepare(const Expr& formula, int* undefs);

}  // namespace hexproof
