// Formulas in the state of a run.
#pragma once
#include <functional>
#include <string>

#include "ir/interpreter/observer.h"
#include "verify/solve/evaluate.h"

namespace hexproof {

/// NoValue: an operation in it is an error, or a cell that it reads is not there or holds nothing. Unknown: it holds an
/// opaque value, an undef or a variable without a value.
enum class Truth : uint8_t { False, True, NoValue, Unknown };

/// What a modelled call means in this run (`may_hold_anything`); nothing when it is not known.
using CallMeaning = std::function<std::optional<bool>(const Expr& call, const std::vector<int64_t>& arguments)>;

/// The values of formulas at one moment of a run; make another one when something was stored.
class StateFormulas {
 public:
  explicit StateFormulas(const RunState& state, CallMeaning meaning = {})
      : state_(state), meaning_(std::move(meaning)) {}

  /// Gives a variable a value of its own from here on.
  void bind(const Var& var, Wide value);
  void unbind(const Var& var);
  bool has_value(const Var& var) const { return own_.count(var) > 0 || state_.value(var).has_value(); }

  Truth truth(const Expr& formula);
  /// Integers and bools; floats as their IEEE bits.
  std::optional<Wide> number(const Expr& e);
  /// "i = 3, A[i] = 0": what the formula mentions.
  std::string values(const Expr& formula);

 private:
  Expr prepared(const Expr& e);
  void gather(const Expr& e);
  std::optional<std::vector<int64_t>> integers(const std::vector<Expr>& list, size_t first);
  void gather_load(const Expr& e);
  void gather_call(const Expr& e);

  const RunState& state_;
  CallMeaning meaning_;
  std::map<Var, Wide> own_;
  Valuation valuation_;
  std::unordered_map<Expr, bool, ExprHash> gathered_;  // load or call: has a value
  bool unknown_ = false;                               // something that was gathered is not known
};

}  // namespace hexproof
