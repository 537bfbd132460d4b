#include <algorithm>

#include "verify/equiv/symbolic/terms/equality.h"

namespace hexproof::symbolic {
namespace {
constexpr size_t kMaxLeaves = 64;  // a fact about more cells is not looked up by them
}

std::vector<Term> Facts::leaves(const std::vector<Term>& roots, size_t most) const {
  std::unordered_set<Term> seen(roots.begin(), roots.end());
  std::vector<Term> open(seen.begin(), seen.end()), out;
  std::sort(open.begin(), open.end());
  while (!open.empty() && out.size() < most) {
    Term t = open.back();
    open.pop_back();
    if (terms_.op(t) == Op::Var) out.push_back(t);
    for (int i = 0; i < terms_.arity(t); ++i) {
      if (seen.insert(terms_.arg(t, i)).second) open.push_back(terms_.arg(t, i));
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

void Facts::add(Term fact) {
  if (!terms_.is_constant(fact)) facts_.push_back(fact);
}

void Facts::index() const {
  for (; indexed_ < facts_.size(); ++indexed_) {
    for (Term leaf : leaves({facts_[indexed_]}, kMaxLeaves)) by_leaf_[leaf].push_back(facts_[indexed_]);
  }
}

std::vector<Term> Facts::about(const std::vector<Term>& roots, size_t most) const {
  std::vector<Term> out;
  if (facts_.empty()) return out;
  index();
  // Those about the fewest other cells say most.
  std::vector<std::pair<size_t, Term>> found;
  std::unordered_set<Term> seen;
  for (Term leaf : leaves(roots, 4 * kMaxLeaves)) {
    auto it = by_leaf_.find(leaf);
    if (it == by_leaf_.end()) continue;
    for (Term fact : it->second) {
      if (found.size() >= 1024 || !seen.insert(fact).second) continue;
      found.emplace_back(leaves({fact}, kMaxLeaves).size(), fact);
    }
  }
  std::sort(found.begin(), found.end());
  for (const auto& [size, fact] : found) {
    if (out.size() < most) out.push_back(fact);
  }
  return out;
}

std::optional<std::vector<Term>> Facts::linked(Term fact, size_t most) const {
  index();
  std::vector<Term> out{fact};
  std::unordered_set<Term> seen{fact};
  for (size_t i = 0; i < out.size(); ++i) {
    for (Term leaf : leaves({out[i]}, kMaxLeaves)) {
      auto it = by_leaf_.find(leaf);
      if (it == by_leaf_.end()) continue;
      for (Term other : it->second) {
        if (seen.insert(other).second) out.push_back(other);
      }
    }
    if (out.size() > most) return std::nullopt;
  }
  return out;
}

}  // namespace hexproof::symbolic
