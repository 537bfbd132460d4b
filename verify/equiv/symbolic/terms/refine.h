// Compares the runs of two programs on the same symbolic inputs, as refinement demands.
#pragma once
#include "verify/equiv/equiv.h"
#include "verify/equiv/symbolic/evaluate.h"
#include "verify/equiv/symbolic/inputs.h"
#include "verify/equiv/symbolic/terms/equality.h"

namespace hexproof::symbolic {

class Refinement {
 public:
  Refinement(const ProgramPair& pair, const Instance& instance, Prover& prover, uint64_t max_terms,
             EquivEffort effort = EquivEffort::Full);
  /// Throws what the executor throws.
  Evidence run();

 private:
  /// A cell that is observed, and what it must hold.
  struct Cell {
    size_t buffer;
    int64_t at;  // in after's tensor
    Term before, after;
    Term matched;  // `before` with its undef values chosen as `after` has them
  };

  struct Executed {
    std::vector<std::vector<Held>> cells;  // of each argument
    std::vector<ErrorItem> errors;
    bool ends;  // on some input
  };
  Executed execute(bool of_after);
  void observe(const std::vector<std::vector<Held>>& before, const std::vector<std::vector<Held>>& after);
  void match_undefs();
  /// The conditions of errors of `before` under what was chosen.
  std::unordered_set<Term> match_evaluations();

  // search.cpp
  /// Does `before` reach an error on these inputs, for some choice of undef?
  bool excluded(const Evaluation& run) const;
  /// Values that show a difference.
  /// What the run shows, or nothing.
  std::optional<std::string> difference_of(const Evaluation& run) const;
  std::vector<Scalar> guess(uint64_t seed) const;
  std::vector<Scalar> free_guess(uint64_t seed) const;
  /// `fact` holds on every input without errors: where it says which number an input is, guesses are that.
  void ground(Term fact);
  /// Tries inputs; true when one shows a difference.
  bool search();
  /// Confirms what a solver found; the cells that it does not speak of keep the values of an input without errors.
  bool confirm(const Reply& reply);
  /// An input on which `before` reaches no error.
  enum class Found : uint8_t { Yes, None, Unknown };
  Found find_input();
  std::optional<Evidence> decide();
  void prepare(const std::vector<Cell>& cells, const std::vector<ErrorItem>& errors);
  bool try_input(const std::vector<Scalar>& values);
  std::string text(Term condition) const;
  std::string place(const Cell& cell) const;
  void note_exclusions();

  const ProgramPair& pair_;
  const Instance& instance_;
  Prover& prover_;
  uint64_t max_terms_;
  Terms terms_;
  Inputs inputs_;
  FloatLaws laws_;
  Normalizer normal_;
  Facts facts_;
  QuestionBounds bounds_;  // of all that is asked
  Questions questions_;
  Evidence out_;

  std::vector<ErrorItem> before_errors_, after_errors_;
  std::vector<std::pair<uint32_t, Scalar>> grounded_;  // inputs, and what they are
  std::vector<Term> learnt_;
  std::vector<Cell> cells_;  // that are not equal as they stand
  size_t observed_ = 0;

  std::unique_ptr<Evaluation> evaluation_;  // of what is open and of the errors of before
  std::vector<Cell> open_cells_;
  std::vector<ErrorItem> open_errors_;
  std::optional<std::vector<Scalar>> fine_, witness_;  // an input without errors; one that shows a difference
  std::string difference_;
};

}  // namespace hexproof::symbolic
