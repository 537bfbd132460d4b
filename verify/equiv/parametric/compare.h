// Are two terms the same value, whatever the arguments hold?
#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "verify/equiv/parametric/content.h"
#include "verify/equiv/parametric/evaluation.h"
#include "verify/equiv/parametric/fold.h"
#include "verify/equiv/parametric/scenario.h"
#include "verify/equiv/parametric/sums.h"

namespace hexproof::parametric {

class Comparison {
 public:
  /// `granted`: fast-math flags (LLVM's names). With reassoc, float sums and products may change their order; with
  /// others, more values are neutral (neutral.h).
  Comparison(Scenario& scenario, Folds& folds, std::vector<std::string> granted)
      : scenario_(scenario), folds_(folds), granted_(std::move(granted)) {}

  /// Does every value that `after` may have satisfy what `before` asks for? True is a proof. An Undef on the side of
  /// `before` accepts anything.
  bool equal(const Expr& before, const Expr& after);
  /// What `before` assumes of the arguments on entry.
  void know(std::vector<Assumed> assumes) { known_ = std::move(assumes); }
  const std::vector<Assumed>& known() const { return known_; }
  /// Does what `known` says, of one iteration of its loops, imply `goal`, whose loops and guards are known already?
  bool implies(const Assumed& known, const Assumed& goal);
  /// Where the first comparison that failed got stuck.
  std::string take_mismatch() { return std::exchange(mismatch_, {}); }
  /// The flags that were needed for what was found equal.
  const std::set<std::string>& used_flags() const { return used_flags_; }
  /// Which evaluations of `before` stood for which of `after` in what was found equal.
  const std::vector<Stood>& stood() const { return stood_; }

 private:
  bool equal_terms(const Expr& a, const Expr& b);
  bool equal_evaluations(const Expr& a, const Expr& b);
  bool equal_integers_or_bools(const Expr& a, const Expr& b);
  bool equal_operands(const Expr& a, const Expr& b);
  bool equal_cases(const Expr& choice, const Expr& other, bool choice_is_before);
  bool equal_polynomials(const Expr& a, const Expr& b);
  bool equal_sums(const Expr& a, const Expr& b);
  bool equal_folds(const Expr& a, const Expr& b);
  bool related(const Fold& a, const Fold& b, const std::vector<Expr>& at);
  /// As related, where one of the two also goes over iterations that leave the accumulator as it is.
  bool related_but_for_neutral(const Fold& a, const Fold& b, const std::vector<Expr>& at);
  bool is_sum_of_zeros(const Expr& term);
  std::optional<Fold> restricted(Fold f, const Fold& other, const std::vector<Expr>& at);
  std::optional<Expr> known_constant(const Expr& load);
  enum class Order { NotOneToOne, Another, Same };
  Order order_of(const Fold& a, const Fold& b, const std::vector<Expr>& at);
  bool stuck(const Expr& a, const Expr& b);
  /// Candidates for the iteration of `a` that does what an iteration of `b` does: a value per loop of `a`, over the
  /// variables of `b`.
  std::vector<std::vector<Expr>> candidates(const Fold& a, const Fold& b);
  Expr unrolled(const Fold& f);

  Scenario& scenario_;
  Folds& folds_;
  Laws laws_;
  std::vector<std::string> granted_;
  std::set<std::string> used_flags_;
  std::vector<Assumed> known_;
  std::vector<Stood> stood_;
  std::string mismatch_;
  int depth_ = 0;
  int in_open_ = 0;  // operands of operations that are left open are compared: how they are computed is seen
};

}  // namespace hexproof::parametric
