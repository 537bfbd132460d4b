#include <set>

#include "ir/visit.h"
#include "rewrite/rules/args/blocks.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

std::set<std::string> names_of_blocks(const PrimFunc& func) {
  std::set<std::string> out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const Block* block = s.as<Block>()) out.insert(block->name);
    return true;
  });
  return out;
}

/// Is it `stem` and a number?
bool is_numbered(const std::string& name, const std::string& stem) {
  return name.size() > stem.size() && name.starts_with(stem) &&
         name.find_first_not_of("0123456789", stem.size()) == std::string::npos;
}

}  // namespace

std::vector<BlockRef> split_sum(Schedule& schedule, const BlockRef& block) {
  Steps steps(schedule);
  std::vector<BlockRef> out;
  steps.all_or_nothing([&] {
    const Path at = steps.path_of(block);
    const Block* sums = stmt_at(steps.func(), at).as<Block>();
    if (!sums) steps.fail("the root block sums nothing");
    const std::string name = sums->name;
    for (const std::string& there : names_of_blocks(steps.func())) {
      if (is_numbered(there, name + "_sum") || is_numbered(there, name + "_term")) {
        steps.fail("there is a block '" + there + "' already, which may be the name of one of the sums");
      }
    }
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
