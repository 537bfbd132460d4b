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
  static const char* const kAssumed =
      "in an assume nothing is known of an operand that is not evaluated, and what is evaluated is in bounds";
  static const char* const kClaimed =
      "the blocks that are made claim that instances with different spatial values share no cell, which is owed after "
      "every rule (rewrite/kernel/claims.h)";
  static const char* const kRegion =
      "the region is the hull of these very accesses, cut off at the bounds of the buffer: outside of it is only what "
      "no program without an error accesses";
  static const char* const kLayoutAlone = "the layout stands nowhere in the result: a view has the offsets that it has";
  static const char* const kRead = "each value in the box is that of an instance, which has evaluated the same indices";
  static const char* const kInitialised =
      "of the stores of a block the init comes first, and each value in the box is that of an instance in which that "
      "one runs: so the init ran for each cell";
  static const char* const kTakenAway =
      "what is taken away changes nothing, and where evaluating it is an error the program before has reached it";
  static const char* const kOldIteration =
      "the fused loop runs over f // m < n and f % m < m alone: as the two loops did";
  using enum Redundant;
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
      {"rule/cache-index/the-extents-of-are-no-error",
       "they are those of the domains of a block that the nest runs, and evaluates", Stricter},
      {"rule/cache-index/the-values-of-lie-in-box-that-is-copied",
       "the box is the domains of the block, which touches another buffer now: that its bindings lie in them is owed "
       "(rewrite/kernel/claims.h)"},
      {"rule/cache-read/what-the-block-is-in-copied-region", kRegion, Stricter},
      {"rule/cache-inplace/what-the-nest-touches-is-in-copied-region", kRegion, Stricter},
      {"rule/cache-write/the-region-lies-inside-of",
       "every cell that is copied back is owed to be written by the nest, whose stores are in bounds"},
      {"rule/compute-at/what-is-read-of-was-computed-by-producer-before",
       "the buffer is allocated here, and nobody else writes it: what is read of it was computed by the producer",
       Stricter},
      {"rule/elide-padding/every-element-has-the-offset-that-it-had", kLayoutAlone, Stricter},
      {"rule/elide-padding/the-layout-is-no-error", kLayoutAlone, Stricter},
      {"rule/elide-padding/the-layout-leads-into-the-view", kLayoutAlone, Stricter},
      {"rule/elide-padding/the-offset-of-element-fits-its-type", kLayoutAlone, Stricter},
      {"rule/elide-padding/the-number-of-fits-its-type",
       "it is the extent of the memory, which is owed to be no error, too"},
      {"rule/elide-padding/the-offset-fits-its-type",
       "its indices are in the view, so that no term of it is larger than it, and it is owed to be less than the "
       "number "
       "of elements, which fits"},
      {"rule/flatten/the-index-in-assume-is-in", kAssumed, Stricter},
      {"rule/forward-store/nothing-is-stored-to-what-the-value-reads",
       "the cell is owed to hold the bits that the value has at the load, whatever was stored until then", Stricter},
      {"rule/fuse/the-outer-index-fits-its-type", kOldIteration},
      {"rule/fuse/the-inner-index-fits-its-type", kOldIteration},
      {"rule/lower-block/the-start-of-reduction-domain-is-no-error",
       "a block evaluates the starts of its reductions wherever it runs, as the condition of its init does", Stricter},
      {"rule/reindex-loops/the-index-fits-its-type-in-iteration",
       "the result does not evaluate it, and the other needs speak of its value in the integers", Stricter},
      {"rule/reindex-read/a-place-of-cache-stands-for-one-cell", kClaimed},
      {"rule/reindex-read/the-indices-of-copy-are-no-error", kRead},
      {"rule/reindex-write/a-cell-has-one-place-in-cache", kClaimed},
      {"rule/reindex-write/the-indices-of-copy-are-no-error", kRead},
      {"rule/reindex-write/the-blocks-init-ran-for-the-same-spatial-values", kInitialised},
      {"rule/reindex-write/the-loop-ran-at-the-start-of-reduction", kInitialised},
      {"rule/reindex-write/what-is-read-from-was-written-here-before", kInitialised},
      {"rule/remove-empty/a-read-of-finds-a-cell-that-was-written", kTakenAway, Stricter},
      {"rule/remove-empty/a-read-of-is-in", kTakenAway, Stricter},
      {"rule/remove-empty/index-arithmetic-has-no-error", kTakenAway, Stricter},
      {"rule/rfactor/different-iterations-have-different-cells", kClaimed},
      {"rule/simplify/what-the-rule-replaces-here-is-free-of", kTakenAway, Stricter},
      {"rule/skip-computed/the-earlier-iteration-is-no-error",
       "the result does not evaluate it, and the other needs speak of its values in the integers", Stricter},
      {"rule/split-sum/different-iterations-have-different-cells", kClaimed},
      {"rule/split-sum/the-terms-add-up-to-what-was-added",
       "the terms are the sum multiplied out where its operations wrap: equal in every ring"},
      {"rule/transform-layout/there-is-no-padding",
       "no access before touches a cell that is none's image, and nothing is added that does", Stricter},
      {"rule/transform-layout/the-index-in-assume-is-in", kAssumed, Stricter},
  };
  return all;
}

}  // namespace hexproof
