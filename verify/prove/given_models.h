// What is given in obligations, with values under which it holds: from a contradiction everything follows, so a proof
// says something only where there are such values.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "verify/prove/prover.h"
#include "verify/prove/solvers/cache/question_key.h"

namespace hexproof {

/// One list of what is given.
struct GivenModel {
  std::vector<Expr> given;        // as it is evaluated: let-bound variables put in, opaque values with canonical names
  std::vector<Expr> inputs;       // its variables, loads and calls, in the order in which they first occur
  std::vector<Wide> values = {};  // of the inputs (a float as its IEEE bits), where they were found
  std::string none = {};          // why there are none; empty where they were found
  bool contradiction = false;     // no values satisfy it: no execution gets to where it is known
};

/// Does all of it hold at the values, one for each input? Said by evaluation (solvers/evaluate.h) alone; where not,
/// `why` says what does not hold.
bool holds_at(const GivenModel& model, std::span<const Wide> values, std::string* why);

/// The lists of what is given in a number of obligations, each once: lists that are one but for names are one.
class GivenModels {
 public:
  void add(const Obligation& obligation);
  /// Looks for values of each list: a few tries by evaluation, then the cheap stages of the prover. What is found was
  /// evaluated.
  void find(Prover& prover);

  /// The number of an obligation's list, from 0. Nothing where nothing is given, or where it was not added.
  std::optional<size_t> number_of(const Obligation& obligation) const;
  const std::vector<GivenModel>& all() const { return all_; }
  /// Lists with values, those that are contradictions, and all others.
  struct Count {
    size_t held = 0, contradictions = 0, open = 0;
  };
  Count count() const;

 private:
  std::vector<GivenModel> all_;
  std::unordered_map<QuestionKey, size_t, QuestionKeyHash> numbers_;
};

}  // namespace hexproof
