// Questions about terms, asked of the solvers. Questions that differ only in which cells they speak of are asked once.
#pragma once
#include <functional>
#include <optional>
#include <unordered_set>

#include "verify/equiv/symbolic/terms/terms.h"
#include "verify/prove/prover.h"

namespace hexproof::symbolic {

struct Reply {
  Verdict verdict = Verdict::Unknown;
  std::string reason;                           // Unknown
  std::vector<std::pair<Term, Scalar>> values;  // Refuted: of the inputs and undef terms in the question
};

/// Of all questions about one pair at one size.
struct QuestionBounds {
  size_t asked = 400;             // different ones
  uint64_t effort = 100'000'000;  // Z3's resource units
  size_t theorems = 6;            // asked in a second way
};
inline constexpr QuestionBounds kSecondOpinion{100, 3'000'000, 0};

class Questions {
 public:
  Questions(const Terms& terms, Prover& prover, Place where, const QuestionBounds& bounds)
      : terms_(terms), prover_(prover), where_(std::move(where)), bounds_(bounds) {}

  /// Do all of `given` (bool terms) imply `goal`?
  Reply implies(const std::vector<Term>& given, Term goal, const std::string& why) {
    return ask(given, goal, Terms::kTrue, why);
  }
  /// Do they imply that both are the same value (NaNs are one, -0.0 is not +0.0)?
  Reply same(const std::vector<Term>& given, Term a, Term b, const std::string& why) { return ask(given, a, b, why); }
  size_t asked() const { return asked_; }

  /// How large the term is when written out, cut off at `most`.
  uint64_t written_size(Term t, uint64_t most);

  static constexpr uint64_t kMaxFloatEffort = 8;  // in one, in sums of float32
  static constexpr uint64_t kMaxSize = 4000;      // operators in one, written out

 private:
  Reply ask(const std::vector<Term>& given, Term a, Term b, const std::string& why);
  Reply ask(const std::vector<Term>& given, Term a, Term b, const std::string& why,
            const std::unordered_set<Term>& cuts);
  uint64_t float_effort(const std::vector<Term>& order) const;

  const Terms& terms_;
  Prover& prover_;
  Place where_;
  QuestionBounds bounds_;
  size_t asked_ = 0, theorems_ = 0;
  uint64_t effort_ = 0;
  std::unordered_map<Term, uint64_t> sizes_;
  struct Stored {
    Verdict verdict;
    std::string reason;
    std::vector<Scalar> values;  // by the number of the leaf
  };
  std::unordered_map<std::string, Stored> memo_;
};

/// A term as an expression; leaves (inputs and undef) by `leaf`.
Expr to_expr(const Terms& terms, Term root, const std::function<Expr(Term)>& leaf,
             std::unordered_map<Term, Expr>& memo);

}  // namespace hexproof::symbolic
