#include "rewrite/rules/args/loops.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/schedule/steps.h"
#include "rewrite/site/places.h"

namespace hexproof {

std::vector<LoopRef> loop_partition(Schedule& schedule, const LoopRef& loop,
                                    const std::vector<std::optional<int64_t>>& factors) {
  Steps steps(schedule);
  std::vector<LoopRef> out;
  steps.all_or_nothing([&] {
    Path at = steps.path_of(loop);
    const For& target = record_at<For>(steps.func(), at, "a loop");
    const int64_t* extent = as_int(target.extent);
    Wide sum = 0;
    int missing = 0;
    for (const std::optional<int64_t>& f : factors) {
      if (f && *f < 1) steps.fail("a part has at least one iteration, not " + std::to_string(*f));
      sum += f.value_or(0);
      missing += !f;
    }
    if (missing > 1) steps.fail("only one factor may be None");
    if (missing && !extent) steps.fail("a part is inferred only where the extent is a constant");
    if (extent && (missing ? sum >= *extent : sum > *extent)) {
      steps.fail("the parts have " + to_string(sum) + " iterations, and the loop has " + std::to_string(*extent));
    }
    if (!fits_type(target.var.dtype(), sum)) steps.fail("the parts do not fit the loop variable");
    std::vector<Wide> ends;  // of the parts, but for the last one
    Wide end = 0;
    for (const std::optional<int64_t>& f : factors) ends.push_back(end += f ? Wide(*f) : *extent - sum);
    if (extent && end == *extent) ends.pop_back();
    if (ends.empty()) steps.fail("the loop has one part only");
    const std::string base = target.var.name();
    const std::string first = base + "0";
    // From behind: the rest of the loop is always the last part that is left.
    std::vector<LoopRef> parts;
    for (size_t k = ends.size(); k > 0; --k) {
      PartitionLoopArgs args{.at = at, .count = static_cast<int64_t>(ends[k - 1]), .rest = base + std::to_string(k)};
      if (k == 1) args.front = first;
      const bool in_seq = !at.empty() && stmt_at(steps.func(), above(at)).as<Seq>();
      steps.apply(args);
      if (!in_seq) at = below(at, 0);
      Path behind = at;
      ++behind.back();
      parts.insert(parts.begin(), {record_at<For>(steps.func(), behind, "a loop").var});
    }
    parts.insert(parts.begin(), {record_at<For>(steps.func(), at, "a loop").var});
    out = parts;
  });
  return out;
}

}  // namespace hexproof
