#include "fuzz/hunt/redundant_needs.h"

namespace hexproof {

const std::vector<RedundantNeed>& redundant_needs() {
  static const char* const kLaw =
      "a law of sums and products of integers that wrap, of values without a name: the rule takes no other type";
  static const char* const kAccumulation =
      "a law of +, *, min and max on integers, of values without a name: the rule takes no other accumulation";
  static const char* const kGranted =
      "on integers a law of operators that are commutative and associative; on floats the need is `True`, which "
      "records the flag: without it two accumulations conflict (rewrite/memory/dependence.cpp)";
  static const char* const kItself = "a place of the cache is the values of the variables themselves";
  static const char* const kLevel =
      "a theorem of a * n + b with 0 <= b < n and 0 <= a, whatever the program: it says nothing else of a and n";
  static const std::vector<RedundantNeed> all = {
      {"rule/split-sum/sums-are-associative", kLaw},
      {"rule/split-sum/sums-are-commutative", kLaw},
      {"rule/split-sum/sums-start-neutral", kLaw},
      {"rule/split-sum/a-factor-of-terms-is-one-of-sum", kLaw},
      {"rule/split-sum/a-factor-of-term-leaves-none", kLaw},
      {"rule/rfactor/accumulations-are-associative", kAccumulation},
      {"rule/rfactor/accumulations-are-commutative", kAccumulation},
      {"rule/rfactor/the-partial-results-start-neutral", kAccumulation},
      {"rule/rfactor/the-accumulation-may-be-regrouped",
       "the need is `True`, which records the flag: without it the rule does not apply"},
      {"rule/reorder/accumulations-by-in-may-change-places", kGranted},
      {"rule/reindex-loops/accumulations-by-in-may-change-places", kGranted},
      {"rule/swap-statements/accumulations-by-in-may-change-places", kGranted},
      {"rule/cache-index/a-place-of-cache-stands-for-one-cell",
       "equal values of all variables of which an index speaks give equal indices"},
      {"rule/cache-index/the-indices-of-cache-are-no-error", kItself},
      {"rule/cache-index/the-indices-of-cache-lie-in",
       "the shape of the cache is the domains of the variables that are its indices"},
      {"rule/fill-ahead/the-iteration-ahead-fits-its-type",
       "what is less than n - ahead is less than n when ahead is added, and n fits"},
      {"rule/flatten/a-level-of-flat-index-stays-inside-of-level", kLevel},
      {"rule/flatten/no-two-cells-have-one-flat-index", kLevel},
      {"rule/flatten/every-cell-of-flat-buffer-is-a-cell-of-box", kLevel},
      {"rule/flatten/the-sum-of-is-the-rowmajor-index",
       "the levels multiplied out: a theorem of integers, whatever the shape"},
      {"rule/flatten/the-flat-index-fits-its-type",
       "in a box that is not empty no term and no sum of it exceeds the flat extent, which is owed to fit, too, or is "
       "a number of that type"},
      {"rule/split/no-guard-is-needed",
       "asked only where the factor divides a constant extent n: io < n / k and ii < k"},
      {"rule/transform-layout/the-box-is-minimal",
       "it is a promise of the shape: a larger box holds padding, of which the other needs ask all that values need"},
  };
  return all;
}

}  // namespace hexproof
