// What is known while the content of cells is worked out and compared, and the questions asked under it.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/base/early_exit.h"
#include "verify/access/footprint.h"
#include "verify/prove/open_rounding.h"
#include "verify/prove/prover.h"

namespace hexproof::parametric {

/// The method cannot go on: why, for the user.
struct Open : EarlyExit {
  using EarlyExit::EarlyExit;
};

/// A stack of facts: everything asked is asked under all of them. Expressions stand for values of evaluations that
/// meet no error, so whatever is pushed must be free of errors under what is known already.
class Scenario {
 public:
  Scenario();

  /// Settled by normal form and bounds, in microseconds.
  bool quick(const Expr& goal);
  /// quick, or by solvers with small limits.
  bool proves(const Expr& goal);
  /// proves, or by solvers with larger limits.
  bool surely(const Expr& goal);
  /// Can nothing satisfy all that is known? (quickly)
  bool impossible();

  /// The same index, simpler: divisions whose result follows from what is known are gone.
  Expr tidy(const Expr& e);
  /// By which constants variables were still divided after that: i % 32 // 4 by 4 and by 32.
  const std::map<Var, std::set<Wide>>& divided() const { return divided_; }

  /// How the programs may be rounded: nothing is concluded of one of the ways.
  void leave_open(const OpenRounding& open) { open_ = open; }
  const OpenRounding& left_open() const { return open_; }

  /// From here on only what is quick is asked (or everything again).
  void only_quick(bool yes) { only_quick_ = yes; }

  /// Counts one step of work; throws Open when there were too many.
  void spend(const char* on);

  const std::vector<Expr>& given() const { return given_; }
  /// Equal numbers, equal facts.
  uint64_t id() const { return id_; }

  /// Facts that hold as long as this lives.
  class Under {
   public:
    Under(Scenario& scenario, const Expr& fact) : Under(scenario, std::vector<Expr>{fact}) {}
    Under(Scenario& scenario, const std::vector<Expr>& facts);
    ~Under();
    Under(const Under&) = delete;

   private:
    Scenario& scenario_;
    size_t size_;
    uint64_t id_;
  };

 private:
  Expr tidied(const Expr& e);
  bool ask(const Expr& goal, int effort);
  bool ask_one(const Expr& asked, int effort);

  Prover explorer_, careful_;
  std::vector<Expr> given_;
  /// What is given has a number: that of what was given before, and the fact that was added.
  uint64_t id_ = 0;
  std::vector<std::unordered_map<Expr, uint64_t, ExprHash>> extended_{1};
  struct Tried {
    int tried = -1;  // the largest effort
    bool proved = false;
  };
  std::vector<std::unordered_map<Expr, Tried, ExprHash>> known_{1};  // by the number of what was given
  std::map<Var, std::set<Wide>> divided_;
  std::vector<Expr> open_given() const;
  bool only_quick_ = false;
  OpenRounding open_;
  size_t steps_ = 0, unanswered_ = 0, hard_unanswered_ = 0;
};

/// Puts the sizes of the parts into `steps` that divisions by constants cut a variable into: i % 32 // 4 has 4 and 32.
/// The size of one unit of `e` and the variable; nothing for another expression.
struct Unit {
  Var var;
  Wide size = 1;
};
std::optional<Unit> cuts(const Expr& e, std::map<Var, std::set<Wide>>* steps);

/// For all values of `loops`, this cell; written when there are loops.
Access cells(const Buffer& buffer, std::vector<Expr> indices, std::vector<LoopRange> loops = {});
/// a == b as integers of any two types.
Expr equal_integers(const Expr& a, const Expr& b);

}  // namespace hexproof::parametric
