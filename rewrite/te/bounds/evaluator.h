// Index expressions over variables with values, made ready for many evaluations.
#pragma once
#include <optional>
#include <vector>

#include "ir/expr.h"

namespace hexproof::te {

class Evaluator {
 public:
  /// Over these variables, in this order.
  Evaluator(const Expr& e, const std::vector<Var>& vars);

  /// Is there a value at all: is it made of integers and variables that were named?
  bool known() const { return known_; }
  /// Truth is 1. Nothing for a division by zero and what is too large.
  std::optional<int64_t> operator()(const std::vector<int64_t>& values);

 private:
  struct Instruction {
    Op op;  // Var: push values[k]; IntImm: push k
    int64_t k = 0;
    DType type = {};  // of a cast
  };
  void compile(const Expr& e, const std::vector<Var>& vars);
  std::vector<Instruction> code_;
  std::vector<int64_t> stack_;
  bool known_ = true;
};

}  // namespace hexproof::te
