#include "verify/prove/solvers/arithmetic/ring.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr size_t kMaxTerms = 64;

/// Atoms are numbered as they are met; a monomial is the sorted list of its atoms.
using Monomial = std::vector<size_t>;
using Polynomial = std::map<Monomial, uint64_t>;

class Ring {
 public:
  explicit Ring(DType type) : mask_(type.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << type.bits) - 1) {}

  /// Nothing when it grows too large.
  std::optional<Polynomial> of(const Expr& e) {
    if (const int64_t* value = as_int(e)) return normal({{{}, static_cast<uint64_t>(*value)}});
    if (auto it = known_.find(e.get()); it != known_.end()) return it->second;
    return known_[e.get()] = anew(e);
  }

 private:
  std::optional<Polynomial> anew(const Expr& e) {
    bool arithmetic = e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul;
    // Index arithmetic inside of data is an error where it overflows, so it stays as it is.
    if (!arithmetic || !e->wraps) return Polynomial{{{atom(e)}, 1}};
    std::optional<Polynomial> a = of(e->args[0]), b = of(e->args[1]);
    if (!a || !b) return std::nullopt;
    return e->op == Op::Mul ? product(*a, *b) : sum(std::move(*a), *b, e->op == Op::Sub);
  }

  size_t atom(const Expr& e) {
    auto it = std::find(atoms_.begin(), atoms_.end(), e);
    if (it == atoms_.end()) it = atoms_.insert(it, e);
    return static_cast<size_t>(it - atoms_.begin());
  }

  std::optional<Polynomial> normal(Polynomial p) const {
    for (auto& [monomial, c] : p) c &= mask_;
    std::erase_if(p, [](const auto& term) { return term.second == 0; });
    return p.size() <= kMaxTerms ? std::optional(std::move(p)) : std::nullopt;
  }

  std::optional<Polynomial> sum(Polynomial a, const Polynomial& b, bool negated) const {
    for (const auto& [monomial, c] : b) a[monomial] += negated ? -c : c;
    return normal(std::move(a));
  }

  std::optional<Polynomial> product(const Polynomial& a, const Polynomial& b) const {
    Polynomial out;
    for (const auto& [x, c] : a) {
      for (const auto& [y, d] : b) {
        Monomial both = x;
        both.insert(both.end(), y.begin(), y.end());
        std::sort(both.begin(), both.end());
        out[both] += c * d;
      }
    }
    return normal(std::move(out));
  }

  uint64_t mask_;
  std::vector<Expr> atoms_;
  std::unordered_map<const ExprNode*, std::optional<Polynomial>> known_;
};

/// Is the value in the type, in any case? (As mathematical integers, a sum of index arithmetic need not be.)
bool stays_in_type(const Expr& whole) {
  bool stays = true;
  visit_nodes(whole, [&](const Expr& e) {
    if (may_wrap(e->op, e->dtype)) {
      stays = stays && e->wraps;
      return false;
    }
    return stays && e->dtype.is_integer() && !is_application(e->op) && e->op != Op::Cast;
  });
  return stays;
}

}  // namespace

bool equal_in_ring(const Expr& goal) {
  if (goal->op != Op::EQ || !goal->args[0]->dtype.is_integer() || !goal->args[0]->dtype.is_scalar()) return false;
  const Expr &a = goal->args[0], &b = goal->args[1];
  if (!stays_in_type(a) || !stays_in_type(b)) return false;
  Ring ring(a->dtype);
  std::optional<Polynomial> left = ring.of(a), right = ring.of(b);
  return left && right && *left == *right;
}

}  // namespace hexproof
