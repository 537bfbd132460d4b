// Integer expressions as sums of atoms: the normal form, with the bounds that are known of each atom.
#pragma once
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/base/early_exit.h"
#include "verify/prove/obligation.h"
#include "verify/prove/solvers/arithmetic/interval.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

struct LinearTerm {
  uint32_t atom;
  Wide factor;
  friend bool operator==(const LinearTerm&, const LinearTerm&) = default;
};

/// constant + sum of factor * atom; atoms ascend, no factor is zero.
struct LinearSum {
  Wide constant = 0;
  std::vector<LinearTerm> terms;
  friend bool operator==(const LinearSum&, const LinearSum&) = default;
};

/// What is known of variables before expressions are normalised.
struct Known {
  std::map<Var, Interval> ranges;
  std::map<Var, LinearSum> values;  // over `vars` below, in place of the variable
  std::vector<Var> vars;            // atom numbers in `values` are positions here
};

/// A number grew beyond what the normal form handles; the question goes to a solver.
struct TooBig : EarlyExit {
  TooBig() : EarlyExit("a number beyond the normal form") {}
};

/// Normalises expressions under what is known. Meaning: mathematical integers for index arithmetic, wrapping for data,
/// as verify/prove/obligation.h says. Equal normal forms mean equal values wherever the expressions have one.
class Normalizer {
 public:
  enum class Kind : uint8_t { Var, Div, Mod, Product, Opaque };
  struct Atom {
    Kind kind;
    Interval range;
    Var var = {};                        // Var
    LinearSum base = {};                 // Div, Mod: what is divided
    Wide divisor = 1;                    // Div, Mod: positive
    std::vector<uint32_t> factors = {};  // Product: atoms, ascending, with repetition
    std::vector<LinearSum> one_of = {};  // Opaque: a minimum, a maximum or a choice has the value of one of these
    Op op = Op::Opaque;                  // of that
    bool wrapped = false;                // Opaque: `base` wrapped to `type`
    DType type = {};
  };
  /// What an expression became: a sum (integers), or the number of its class (bools and floats).
  struct Normal {
    LinearSum sum;
    uint32_t number = 0;
  };

  explicit Normalizer(const Known& known) : known_(known) {}

  const Normal& normal(const Expr& e);
  const LinearSum& integer(const Expr& e) { return normal(e).sum; }
  /// 1 true, 0 false, -1 not known.
  int truth(const Expr& e);
  /// a - b as a sum.
  LinearSum difference(const Expr& a, const Expr& b);
  Interval range(const LinearSum& sum) const;
  /// No operation inside is an error, by bounds alone.
  bool fits(const Expr& e);

  const Atom& atom(uint32_t id) const { return atoms_[id]; }
  size_t atom_count() const { return atoms_.size(); }
  void tighten(uint32_t id, Interval range) { atoms_[id].range = meet(atoms_[id].range, range); }
  /// The sum with every remainder written as a - c * (a // c); nothing when there is none.
  std::optional<LinearSum> expand_remainders(const LinearSum& sum);
  LinearSum quotient(const LinearSum& a, Wide divisor);
  LinearSum remainder(const LinearSum& a, Wide divisor);

 private:
  using Key = std::vector<uint64_t>;
  struct KeyHash {
    size_t operator()(const Key& key) const {
      uint64_t h = 1469598103934665603ull;
      for (uint64_t v : key) h = (h ^ v) * 1099511628211ull, h ^= h >> 29;
      return h;
    }
  };

  /// `known`: of conjunctions and disjunctions that were seen before; they may share their parts.
  int truth(const Expr& e, std::unordered_map<const ExprNode*, int>* known);
  Normal compute(const Expr& e);
  Normal compute_integer(const Expr& e);
  uint32_t number(const Expr& e);
  uint32_t intern(const Key& key);
  LinearSum atom_sum(const Key& key, Atom atom);
  LinearSum opaque(const Expr& e, Interval range, std::vector<LinearSum> one_of = {});
  LinearSum variable(const Var& var);
  LinearSum product(const LinearSum& a, const LinearSum& b);
  LinearSum wrap(const LinearSum& a, DType type);
  uint32_t product_atom(uint32_t a, uint32_t b);

  const Known& known_;
  std::vector<Atom> atoms_;
  std::unordered_map<Key, uint32_t, KeyHash> atom_ids_, numbers_;
  std::unordered_map<const ExprNode*, Normal> memo_;
  std::unordered_map<Expr, uint32_t, ExprHash> fits_;
};

LinearSum operator+(const LinearSum& a, const LinearSum& b);
LinearSum operator-(const LinearSum& a, const LinearSum& b);
LinearSum scaled(const LinearSum& a, Wide factor);
Wide gcd(Wide a, Wide b);

}  // namespace hexproof
