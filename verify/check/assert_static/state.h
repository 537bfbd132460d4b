// Formulas in the state of a run.
#pragma once
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/interpreter/observer.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

/// NoValue: an operation in it is an error, or a cell that it reads is not there or holds nothing. Unknown: it holds an
/// opaque value, an undef or a variable without a value.
enum class Truth : uint8_t { False, True, NoValue, Unknown };

/// What a modelled call means in this run (`may_hold_anything`); nothing when it is not known.
using CallMeaning = std::function<std::optional<bool>(const Expr& call, const std::vector<int64_t>& arguments)>;

/// Formulas as the evaluator takes them (`prepare`), made once for all moments of a run.
class PreparedFormulas {
 public:
  struct Formula {
    Expr as_written, prepared;
    bool undef = false;  // it holds one
  };
  /// The reference holds as long as this does.
  const Formula& of(const Expr& e);

 private:
  std::unordered_map<const ExprNode*, Formula> formulas_;
};

/// The values of formulas at one moment of a run; make another one when something was stored.
class StateFormulas : private Inputs {
 public:
  StateFormulas(const RunState& state, PreparedFormulas& prepared, CallMeaning meaning = {})
      : state_(state), prepared_(prepared), meaning_(std::move(meaning)) {}

  /// Gives a variable a value of its own from here on.
  void bind(const Var& var, Wide value);
  void unbind(const Var& var);
  bool has_value(const Var& var) const { return number_of(var).has_value(); }

  Truth truth(const Expr& formula);
  /// Integers and bools; floats as their IEEE bits.
  std::optional<Wide> number(const Expr& e);
  std::optional<Wide> number_of(const Var& var) const;
  /// "i = 3, A[i] = 0": what the formula mentions.
  std::string values(const Expr& formula);

 private:
  Wide value_of(const Expr& e, Evaluator& evaluator) override;
  std::optional<Wide> load(const Expr& e, Evaluator& evaluator);
  /// The buffer of the program that lies where this one does; nothing: no view of this moment does.
  std::optional<Buffer> in_sight(const Buffer& buffer);
  std::optional<Wide> call(const Expr& e, Evaluator& evaluator);
  bool mentions_unknown(const Expr& e);

  const RunState& state_;
  PreparedFormulas& prepared_;
  CallMeaning meaning_;
  std::vector<std::pair<Var, Wide>> own_;
};

}  // namespace hexproof
