// A model of a failed obligation becomes an input, and the interpreter meets the error on it.
#pragma once
#include <map>
#include <set>

#include "ir/interpreter/past_errors.h"
#include "verify/check/check_item.h"
#include "verify/check/error_met.h"

namespace hexproof {

/// Does memory decide whether the place is reached, by a condition, bound or binding that is `open`? (Facts alone do
/// not tell: a condition on memory that changes on the way is none of them.)
bool memory_decides(const PrimFunc& func, const Path& path, const std::function<bool(const Expr&)>& open = is_data);

class ReplayInputs;

struct Replayed {
  /// An error that the interpreter has met; nothing: `why` there is none.
  std::shared_ptr<const ErrorMet> met = nullptr;
  /// Is it the one that the question asks about? Else another one comes first on every input that was tried.
  bool asked = false;
  std::string why = {};
};

/// One run of a program on one input.
struct ReplayAttempt {
  std::optional<RunError> error;
  std::string why;  // there is none
  uint64_t steps = 0;
  bool passed = false;  // the whole run, without an error
};

/// The error of a run is that of the question: of a kind that it asks about, and of its statement, or, of a loop whose
/// iterations race, of one in it.
bool is_error_of(const PrimFunc& func, const CheckItem& question, const RunError& error);

/// Replays the questions on one function. What runs have met is kept for those that follow.
class Replayer {
 public:
  explicit Replayer(const CheckContext& context) : context_(context) {}

  /// Runs, in this order, what shows the error most directly: the demonstration of a false claim; the statement alone,
  /// with the loops around it at the values of the model (when neither the way to it nor its indices depend on memory,
  /// so that the whole program gets there with the same values, if the assumes before it hold); the whole program on
  /// inputs built from the model, with a bound on its steps; the same, past the errors that come first.
  Replayed replay(const CheckItem& question, const Answer& answer);
  /// The assume is false wherever it stands: runs for other questions pass over it.
  void pass_over(const Stmt& assume) { false_assumes_.insert(assume.get()); }
  /// The error is known: no other question is answered by it, but where it is the one that it asks about.
  void tell(const RunError& error) { told_.push_back(error); }

 private:
  Replayed whole(const CheckItem& question, const ReplayInputs& inputs);
  bool is_passed_over(const RunError& error) const;
  bool is_told(const RunError& error) const;
  const ReplayAttempt& run_of(const ReplayInputs& inputs, int kind);
  const PastErrors& past_errors(const ReplayInputs& inputs, int kind);

  using Input = std::pair<decltype(ErrorMet::scalars), int>;  // the scalars, and the kind of tensors

  const CheckContext& context_;
  std::set<const StmtNode*> false_assumes_;
  std::vector<RunError> told_;
  std::map<Input, ReplayAttempt> runs_;  // many questions have one input
  std::map<Input, PastErrors> past_;
  uint64_t steps_past_ = 0;
};

}  // namespace hexproof
