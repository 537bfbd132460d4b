#include "verify/prove/vacuous.h"

#include <algorithm>

#include "verify/memory/quick.h"

namespace hexproof {

namespace {

/// Lists of what is given, each once.
class Givens {
 public:
  /// Was it new?
  bool add(const std::vector<Expr>& given) {
    if (has(given)) return false;
    lists_[digest(given)].push_back(&given);
    return true;
  }
  bool has(const std::vector<Expr>& given) const {
    auto it = lists_.find(digest(given));
    return it != lists_.end() &&
           std::any_of(it->second.begin(), it->second.end(), [&](const auto* list) { return *list == given; });
  }

 private:
  static size_t digest(const std::vector<Expr>& given) {
    size_t out = given.size();
    for (const Expr& e : given) out = out * 1099511628211u + e->hash;
    return out;
  }
  std::unordered_map<size_t, std::vector<const std::vector<Expr>*>> lists_;
};

}  // namespace

std::vector<Obligation> unreachable_places(std::span<const Obligation> obligations) {
  std::vector<Obligation> out;
  Givens seen;
  for (const Obligation& o : obligations) {
    if (o.given.empty() || is_int(o.goal, 0) || !seen.add(o.given)) continue;
    if (!Quick(o.given).impossible()) continue;
    const std::string why = "no execution gets here: what is known contradicts itself";
    out.push_back({o.rule, why, o.where, o.given, boolean(false)});
  }
  return out;
}

std::vector<bool> vacuous(std::span<const std::pair<Obligation, Answer>> answered) {
  Givens contradictions;
  for (const auto& [obligation, answer] : answered) {
    if (is_int(obligation.goal, 0) && answer.verdict == Verdict::Proved) contradictions.add(obligation.given);
  }
  std::vector<bool> out;
  for (const auto& [obligation, answer] : answered) out.push_back(contradictions.has(obligation.given));
  return out;
}

}  // namespace hexproof
