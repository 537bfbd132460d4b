// Integer terms as sums of products, in which a fold that adds is linear.
//
// Integers that wrap are a ring. Write S_D g for a fold over the domain D (loops and guards) that starts at 0 and adds
// g to its accumulator, where neither g nor D speaks of the accumulator. The laws that are used, each for any D, g, h:
//  1. fold over D from i, adding g   ==  i + S_D g
//  2. S_D (g + h)   ==  S_D g + S_D h,  and of differences
//  3. S_D (c * g)   ==  c * S_D g       where c speaks of no loop of D
//  4. S_D (g * S_E h)   ==  S_DE (g * h)
//  5. S_D g         ==  n * S_D' g      where D' is D, without guards, but for a loop of n iterations (none where its
//  extent is
//                                       negative) that neither g nor another loop speaks of
// Each follows by induction over the iterations from laws_of_sums.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "verify/equiv/parametric/fold.h"
#include "verify/equiv/parametric/scenario.h"

namespace hexproof::parametric {

/// What the inductions rest on, of the arithmetic of an integer type as data, which wraps: goals over values of which
/// nothing is known. (Floats have no such laws, and arithmetic that must not overflow has them on the way only.)
std::vector<Expr> laws_of_sums(DType type);

/// coefficient * product of factors, modulo the width of the type. A factor is no sum, difference, product or constant;
/// a fold among them is S_D of a product, or one that the laws do not take apart.
struct Product {
  uint64_t coefficient = 1;
  std::vector<Expr> factors = {};
};

/// Is the goal proved of all values, whatever is known in a scenario? Answers are kept.
class Laws {
 public:
  bool hold(const Expr& goal);

 private:
  Prover prover_{{.rlimit = 900'000, .jobs = 1}};
  std::unordered_map<Expr, bool, ExprHash> known_;
};

class Sums {
 public:
  Sums(Scenario& scenario, Laws& laws, Folds& folds, DType type)
      : scenario_(scenario), laws_(laws), folds_(folds), type_(type) {}

  /// The term, of this type, as a sum of products; no two of them have the same factors in the same order. Nothing when
  /// there are too many.
  std::optional<std::vector<Product>> of(const Expr& term);
  /// Has a fold been taken apart?
  bool took_apart() const { return took_apart_; }

 private:
  std::optional<std::vector<Product>> of_fold(const Expr& call);
  std::optional<std::vector<Product>> summed(const Fold& f, Product each);
  bool take_in(Fold* f, std::vector<Expr>* factors);
  std::vector<Product> leave_out_loops(Fold* f, const std::vector<Expr>& factors);
  Expr flipped_sign(const Expr& e);

  Scenario& scenario_;
  Laws& laws_;
  Folds& folds_;
  const DType type_;
  bool took_apart_ = false;
  size_t visited_ = 0;  // nodes, as often as they stand in a tree
};

/// Modulo the width: what is left of a coefficient.
uint64_t reduced(uint64_t coefficient, DType type);

}  // namespace hexproof::parametric
