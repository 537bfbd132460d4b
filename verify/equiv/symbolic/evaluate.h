// Terms on concrete inputs.
#pragma once
#include "verify/equiv/symbolic/terms/terms.h"

namespace hexproof::symbolic {

/// The terms that some roots are made of, operands first; evaluated on one input after the other.
class Evaluation {
 public:
  Evaluation(const Terms& terms, const std::vector<Term>& roots);

  /// Computes everything; inputs by their number, undef values from a seed. An operation that has no value (its error
  /// is a condition of its own) gives zero.
  void run(const std::vector<Scalar>& inputs, uint64_t undef_seed);
  Scalar value(Term t) const { return {terms_.type(t), values_[place_[t]]}; }
  bool truth(Term t) const { return values_[place_[t]] != 0; }
  /// Was a function evaluated that the interpreter does not know? Its value is made up.
  bool made_up() const { return made_up_; }
  /// Is all float arithmetic of the last run exact (small whole numbers), so that its order does not matter?
  bool exact_floats() const { return exact_; }

 private:
  Scalar at(Term t) const { return value(t); }
  uint64_t compute(Term t);

  const Terms& terms_;
  std::vector<Term> order_;
  std::vector<uint32_t> place_;  // by term
  std::vector<uint64_t> values_;
  bool made_up_ = false, exact_ = true;
};

/// The terms below `roots`, operands first.
std::vector<Term> reachable(const Terms& terms, const std::vector<Term>& roots);

}  // namespace hexproof::symbolic
