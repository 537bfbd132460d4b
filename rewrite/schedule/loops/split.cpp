// split(loop, factors=[None, 8]): one rule application for each new loop but the last.
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/schedule.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<LoopRef> Schedule::split(const LoopRef& loop, const std::vector<std::optional<int64_t>>& factors) {
  std::vector<LoopRef> out;
  primitive([&] {
    Path at = path_of(loop);
    const For& target = record_at<For>(func(), at, "a loop");
    const int64_t* extent = as_int(target.extent);
    if (factors.size() < 2) fail("split takes at least two factors");

    Wide product = 1;
    int missing = -1;
    for (size_t k = 0; k < factors.size(); ++k) {
      if (!factors[k]) {
        if (missing >= 0) fail("only one factor may be None");
        missing = static_cast<int>(k);
        continue;
      }
      if (*factors[k] <= 0) fail("the factor " + std::to_string(*factors[k]) + " is not positive");
      product *= *factors[k];
      if (!fits_type(target.var.dtype(), product)) fail("the product of the factors does not fit the loop variable");
    }
    std::vector<int64_t> all(factors.size(), 0);
    for (size_t k = 0; k < factors.size(); ++k) all[k] = factors[k].value_or(0);
    if (missing > 0) {
      if (!extent) throw Unsupported(span_, "only the first factor can be inferred when the extent is no constant");
      all[static_cast<size_t>(missing)] =
          std::max<int64_t>(1, static_cast<int64_t>((Wide(*extent) + product - 1) / product));
    } else if (missing < 0) {
      if (!extent) throw Unsupported(span_, "a loop whose extent is no constant needs None as its first factor");
      if (product < *extent) {
        fail("the product of the factors, " + to_string(product) + ", is smaller than the extent " +
             std::to_string(*extent));
      }
    }

    // Split off the outermost loop; the inner one is split further. Their extents are the product of what is inside.
    std::string base = target.var.name() + "_";
    for (size_t k = 0; k + 1 < all.size(); ++k) {
      Wide inside = 1;
      for (size_t j = k + 1; j < all.size(); ++j) inside *= all[j];
      if (!fits_type(target.var.dtype(), inside)) fail("the product of the factors does not fit the loop variable");
      std::string outer = base + std::to_string(k), inner = base + std::to_string(k + 1);
      apply(SplitArgs{.at = at, .factor = static_cast<int64_t>(inside), .outer = outer, .inner = inner});
      out.push_back({record_at<For>(func(), at, "a loop").var});
      at = below(at, 0);
      if (k + 2 == all.size()) out.push_back({record_at<For>(func(), at, "a loop").var});
    }
  });
  return out;
}

}  // namespace hexproof
