// Normal forms of terms, to find equal values that were computed in another order.
#pragma once
#include <map>
#include <set>

#include "verify/equiv/symbolic/terms/terms.h"

namespace hexproof::symbolic {

/// What the user's fast-math flags allow (PrimFunc::granted).
struct FloatLaws {
  bool reassoc = false;   // sums and products in any order
  bool nsz = false;       // x + 0 is x
  bool contract = false;  // products into sums: then a sum of zeros may be -0.0, and less is known
  bool finite = false;    // nnan and ninf: of what cells hold. With nsz: 0 times an input is 0
  bool cancels = true;    // with all of these: x - x is 0. One that evaluates it may round it in other groupings
};

/// Sums, differences and products of integers as polynomials modulo 2^bits; `and`, `or`, min, max and bit operations
/// as sets of their operands. With granted flags, floats likewise: then equal normal forms mean equal under the flags,
/// not bit for bit.
class Normalizer {
 public:
  Normalizer(Terms& terms, FloatLaws laws) : t_(terms), laws_(laws) {}
  /// The same, but for terms that add and subtract one input: where their form is equal, so are the values that they
  /// may have by regrouping.
  Normalizer without_cancelling() const {
    Normalizer out = *this;
    out.laws_.cancels = false;
    out.memo_.clear(), out.signed_.clear();
    return out;
  }
  /// `fact` holds on all inputs that count: an input of which it says which float it is, is that float from here on.
  /// (An equation with a zero says it where signs of zeros do not count, one with another number always.) To be told
  /// before the first question. An input that facts bound on both sides, or of which they say that it is neither a NaN
  /// nor infinite, is a finite number.
  void know(Term fact);
  /// Equal normal forms: equal values. The form may be larger than the term; it is bounded.
  Term normal(Term t);

 private:
  using Monomial = std::vector<Term>;  // atoms, ascending
  struct Factor {
    uint64_t plus = 0, minus = 0;
  };
  using Polynomial = std::map<Monomial, Factor>;
  static constexpr uint64_t kMany = uint64_t{1} << 20;
  static void count(Factor* to, const Factor& more, DType type);
  static bool countable(const Polynomial& p, DType type);

  void know_one(Term fact);  // no conjunction

  bool is_ring(Term t) const;
  bool is_set(Term t) const;
  /// Terms whose normal forms that of `t` is made of.
  std::vector<Term> parts(Term t) const;
  std::map<Term, Factor, std::greater<Term>> linear(Term t) const;
  Polynomial polynomial(Term normal) const;
  static bool too_large(const Polynomial& a, const Polynomial& b);
  void add_product(const Polynomial& a, const Polynomial& b, Factor by, DType type, Polynomial* to) const;
  Term build(const Polynomial& p, DType type);
  Term sum(Term t);
  Term set(Term t);
  void cancel(const Monomial& m, Factor* f, DType type) const;
  bool is_zero(Term t) const;
  /// A zero of either sign: a constant, an input that equals zero, or such a zero times a finite input.
  bool is_some_zero(Term t) const;
  /// Never -0.0, by IEEE under round to nearest: a sum is -0.0 only when both operands are. Its parts were asked
  /// before.
  bool never_minus_zero(Term t) const;
  /// An input that is neither infinite nor a NaN, on all inputs that count.
  bool is_finite(Term t) const;
  /// Zero, where signs of zeros do not count, because one factor is.
  bool vanishes(Term a, Term b) const {
    if (laws_.reassoc && !laws_.finite) return false;  // regrouped with another factor it may be a NaN
    return (is_zero(a) && is_finite(b)) || (is_zero(b) && is_finite(a));
  }

  Terms& t_;
  FloatLaws laws_;
  std::unordered_map<Term, Term> memo_;
  std::unordered_map<Term, Term> numbers_;  // of inputs
  /// What inputs are known not to be.
  enum : unsigned { kNoNan = 1, kNotAbove = 2, kNotBelow = 4, kFinite = 7 };
  std::unordered_map<Term, unsigned> excluded_;
  std::set<Term> zeros_;   // inputs that equal zero, of either sign
  std::set<Term> signed_;  // normal forms that are never -0.0
};

}  // namespace hexproof::symbolic
