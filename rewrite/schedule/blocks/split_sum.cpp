#include "rewrite/rules/args/blocks.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<BlockRef> split_sum(Schedule& schedule, const BlockRef& block) {
  Steps steps(schedule);
  std::vector<BlockRef> out;
  steps.all_or_nothing([&] {
    const Path at = steps.path_of(block);
    const Block* sums = stmt_at(steps.func(), at).as<Block>();
    if (!sums) steps.fail("the root block sums nothing");
    const std::string name = sums->name;
    const std::string first = name + "_sum0";
    if (!find_blocks(steps.func(), first).empty()) steps.fail("there is a block '" + first + "' already");
    steps.apply(SplitSumArgs{.block = at});
    for (size_t k = 0;; ++k) {
      const std::string sum = name + "_sum" + std::to_string(k);
      if (find_blocks(steps.func(), sum).empty()) break;
      out.push_back(steps.fresh(sum));
    }
    for (const Path& path : find_blocks(steps.func(), name)) steps.simplify(path);
  });
  return out;
}

}  // namespace hexproof
