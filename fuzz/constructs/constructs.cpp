#include "fuzz/constructs/constructs.h"

#include <algorithm>
#include <set>

namespace hexproof {

const std::vector<Construct>& all_constructs() {
  static const std::vector<Construct> all = [] {
    std::vector<Construct> out;
    for (const std::vector<Construct>* part :
         {&kViewConstructs, &kParameterConstructs, &kLetConstructs, &kLoopConstructs, &kSizeConstructs,
          &kBlockConstructs, &kPermissionConstructs, &kMemoryConstructs, &kVectorConstructs, &kExpressionConstructs,
          &kBranchConstructs, &kStageConstructs, &kNarrowConstructs, &kGuardConstructs, &kMomentConstructs,
          &kFlightConstructs, &kPaddingConstructs, &kGreatNumberConstructs}) {
      out.insert(out.end(), part->begin(), part->end());
    }
    return out;
  }();
  return all;
}

int construct_at(const std::string& name) {
  const std::vector<Construct>& all = all_constructs();
  for (size_t k = 0; k < all.size(); ++k) {
    if (name == all[k].name) return static_cast<int>(k);
  }
  return -1;
}

ConstructedProgram random_constructed_program(Choices& choices, const std::vector<int>& wanted) {
  const auto rows = static_cast<uint32_t>(all_constructs().size());
  std::vector<int> stages = wanted;
  uint32_t more = choices.below(wanted.size() < 2 ? 3 : 2) + (wanted.empty() ? 1 : 0);
  while (more-- > 0) stages.push_back(static_cast<int>(choices.below(rows)));
  if (stages.size() > 1 && choices.chance(40)) std::rotate(stages.begin(), stages.begin() + 1, stages.end());
  Sketch sketch(choices);
  for (int row : stages) all_constructs().at(static_cast<size_t>(row)).write(sketch);
  std::set<int> distinct(stages.begin(), stages.end());
  return {sketch.program(), {distinct.begin(), distinct.end()}};
}

}  // namespace hexproof
