#include <map>
#include <mutex>

#include "rewrite/intrinsics/intrinsic.h"
#include "rewrite/intrinsics/user_description.h"
#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {
namespace {

struct Registered {
  std::mutex mutex;
  std::map<std::string, std::string> text;
};
Registered& registered() {
  static Registered all;
  return all;
}

}  // namespace

void register_intrinsic(const std::string& name, const std::string& description, bool override_other) {
  const std::variant<PrimFunc, std::string> found = user_description(description);
  if (const std::string* why = std::get_if<std::string>(&found))
    throw Error({}, "'" + name + "' is no description: " + *why);
  if (name.empty() || intrinsic_by_name(name)) throw Error({}, "'" + name + "' is the name of an instruction");
  std::lock_guard lock(registered().mutex);
  if (!override_other && registered().text.count(name)) {
    throw Error({}, "an intrinsic '" + name + "' is registered already", "override=True takes its place");
  }
  registered().text[name] = description;
}

void tensorize(Schedule& schedule, const BlockRef& block_or_loop, const std::string& intrinsic,
               const std::vector<std::string>& unaligned) {
  Steps steps(schedule);
  steps.all_or_nothing([&] {
    Path at;
    if (block_or_loop.loop) {
      at = steps.path_of(LoopRef{block_or_loop.loop});
    } else {
      const Path block = steps.path_of_block(block_or_loop);
      at = below(block, record_at<Block>(steps.func(), block, "a block").init ? 1 : 0);
      if (!stmt_at(steps.func(), at).as<For>()) {
        steps.fail("the block '" + steps.name_of(block_or_loop) + "' holds no nest of loops",
                   "blockize makes a block of a nest; or give the loop");
      }
    }
    const LoopRef loop{record_at<For>(steps.func(), at, "a loop").var};
    std::string text;
    {
      std::lock_guard lock(registered().mutex);
      if (auto it = registered().text.find(intrinsic); it != registered().text.end()) text = it->second;
    }
    if (text.empty()) return schedule.tensorize(loop, intrinsic, unaligned);
    steps.apply(TensorizeArgs{.at = at, .intrinsic = intrinsic, .description = text});
  });
}

}  // namespace hexproof
