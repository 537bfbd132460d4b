// Two integer terms as sums of products (sums.h), whose factors are compared one by one: one sum of several terms is
// several sums of one each.
#include <algorithm>
#include <map>

#include "ir/base/mutant.h"
#include "verify/equiv/parametric/compare.h"
#include "verify/equiv/parametric/sums.h"

namespace hexproof::parametric {

bool Comparison::equal_sums(const Expr& a, const Expr& b) {
  const DType type = a->dtype;
  if (!type.is_scalar()) return false;
  Sums sums(scenario_, laws_, folds_, type);
  const std::optional<std::vector<Product>> left = sums.of(a), right = sums.of(b);
  if (!left || !right || !sums.took_apart()) return false;
  for (const Expr& law : laws_of_sums(type)) {
    if (!laws_.hold(law)) return false;
  }
  const std::string before = mismatch_;
  // Each factor has the number of one that it equals. The difference of both sides, by the numbers in each product.
  std::vector<Expr> known;
  std::map<std::vector<size_t>, uint64_t> difference;
  bool decided = true;
  auto number = [&](const Expr& e) {
    for (size_t k = 0; k < known.size(); ++k) {
      if (known[k] == e) return k;
      if (is_fold(known[k]) != is_fold(e)) continue;
      if (is_fold(e) ? equal_folds(known[k], e) : equal(known[k], e)) return k;
    }
    known.push_back(e);
    return known.size() - 1;
  };
  for (const auto* side : {&*left, &*right}) {
    for (const Product& p : *side) {
      std::vector<size_t> numbers;
      for (const Expr& e : p.factors) {
        decided &= !chooses(e, {});  // it may be another value for each who asks
        numbers.push_back(number(e));
      }
      std::sort(numbers.begin(), numbers.end());
      difference[numbers] += side == &*left ? p.coefficient : ~p.coefficient + 1;
    }
  }
  for (const auto& [numbers, coefficient] : difference) {
    decided &= HEXPROOF_MUTANT("equiv/coefficients", reduced(coefficient, type) == 0, true);
  }
  if (decided) mismatch_ = before;
  return decided;
}

}  // namespace hexproof::parametric
