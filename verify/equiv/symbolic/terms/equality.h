// Are two terms the same value on all inputs that count?
#pragma once
#include <unordered_set>

#include "verify/equiv/symbolic/terms/known.h"
#include "verify/equiv/symbolic/terms/normal.h"
#include "verify/equiv/symbolic/terms/term_prover.h"

namespace hexproof::symbolic {

/// Facts about inputs, found by the cells that they speak of.
class Facts {
 public:
  explicit Facts(const Terms& terms) : terms_(terms) {}
  /// `fact` (a bool term) holds on all inputs that count.
  void add(Term fact);
  /// Those that share a cell with one of the roots, at most `most`, smaller ones first.
  std::vector<Term> about(const std::vector<Term>& roots, size_t most) const;
  /// All that are linked with one another and with `fact` by shared cells; nothing when there are more than `most`.
  std::optional<std::vector<Term>> linked(Term fact, size_t most) const;
  const std::vector<Term>& all() const { return facts_; }

 private:
  std::vector<Term> leaves(const std::vector<Term>& roots, size_t most) const;

  const Terms& terms_;
  std::vector<Term> facts_;
  void index() const;

  mutable size_t indexed_ = 0;  // so many of facts_; most comparisons never ask
  mutable std::unordered_map<Term, std::vector<Term>> by_leaf_;
};

/// Proves equalities: by normal forms, by cases over conditions, by equal operators over equal operands, by a solver.
class Equality {
 public:
  Equality(Terms& terms, Normalizer& normal, Questions& questions, const Facts& facts)
      : t_(terms), normal_(normal), questions_(questions), facts_(facts) {}

  /// Refuted: with values that are a guess, to be confirmed (not all facts were asked).
  Reply same(Term a, Term b) { return same(a, b, {}, 0); }
  Reply never(Term condition);
  /// As `same`, with all of these facts.
  Reply same_given(Term a, Term b, const std::vector<Term>& more) {
    return questions_.same(relevant(more, {a, b}), a, b, "the cell holds the same value");
  }
  Reply never_given(Term condition, const std::vector<Term>& more) {
    return questions_.implies(relevant(more, {condition}), t_.lnot(condition), "no new error");
  }
  /// The term where all of `given` hold: choices by what is known then are taken.
  Term simplify(Term t, const std::vector<Term>& given);

 private:
  Reply same(Term a, Term b, const std::vector<Term>& given, int depth);
  bool by_cases(Term a, Term b, std::vector<Term>& given, int* budget);
  bool equal_operands(Term a, Term b, const std::vector<Term>& given, int depth);
  std::vector<Term> relevant(const std::vector<Term>& given, std::vector<Term> roots) const;

  Terms& t_;
  Normalizer& normal_;
  Questions& questions_;
  const Facts& facts_;
  std::unordered_map<uint64_t, Reply> seen_;  // pairs without conditions
  size_t steps_ = 0;
};

}  // namespace hexproof::symbolic
