#include <algorithm>
#include <utility>

#include "verify/access/iteration_solver.h"

namespace hexproof {

std::pair<Expr, Wide> IterationSolver::digit_of(const Expr& atom) {
  Expr x = atom;
  Wide scale = 1;
  while ((x->op == Op::FloorDiv || x->op == Op::FloorMod) && as_int(x->args[1]) && int_value(x->args[1]) > 0) {
    if (x->op == Op::FloorDiv) scale *= int_value(x->args[1]);
    x = x->args[0];
  }
  return {x, scale};
}

void IterationSolver::assemble_digits() {
  for (int round = 0; round < 8 && !digits_.empty(); ++round) {
    auto now = std::exchange(digits_, {});
    for (const auto& [base, sum] : now) {
      if (Expr e = sum.expr(digit_type_)) equation(base, e);
    }
  }
}

void IterationSolver::undo_flips() {
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds && !flips_.empty(); ++round) {
    const auto now = std::exchange(flips_, {});
    for (const auto& [flipped, value] : now) {
      const Expr a = substitute(flipped->args[0], values_), b = substitute(flipped->args[1], values_);
      if (!has_unknown(b)) {
        equation(a, binary(Op::BitXor, value, b));
      } else if (!has_unknown(a)) {
        equation(b, binary(Op::BitXor, value, a));
      } else {
        flips_.emplace_back(flipped, value);
      }
    }
    undo_flips_of_digits();
    assemble_digits();
  }
}

void IterationSolver::undo_flips_of_digits() {
  const auto now = std::exchange(flips_, {});
  for (const auto& [flipped, value] : now) {
    bool undone = false;
    for (const int side : {0, 1}) {
      const Expr x = substitute(flipped->args[side], values_);
      const auto digit = digit_of(x);
      const auto is_digit = [&](const auto& known) {
        return known.first == digit.first && known.second == digit.second;
      };
      if (std::any_of(taken_.begin(), taken_.end(), is_digit)) continue;  // another output says what it is
      VarMap partly = values_;
      if (x->op == Op::Var) partly.emplace(x->var(), value);
      for (const auto& [base, sum] : digits_) {
        if (Expr e = base->op == Op::Var ? sum.expr(digit_type_) : Expr()) partly.emplace(base->var(), e);
      }
      const Expr mask = substitute(flipped->args[1 - side], partly);
      undone = has_unknown(x) && has_unknown(substitute(flipped->args[1 - side], values_)) && !has_unknown(mask);
      if (!undone) continue;
      equation(x, binary(Op::BitXor, value, mask));
      break;
    }
    if (!undone) flips_.emplace_back(flipped, value);
  }
}

}  // namespace hexproof
