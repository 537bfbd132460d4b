#include "rewrite/te/bounds/inference.h"

namespace hexproof::te {

Bounds Inference::run() {
  for (auto it = s_.order().rbegin(); it != s_.order().rend(); ++it) {
    if (s_.stage(*it).attach == Attach::Inline) continue;
    StageBounds b{.stage = *it,
                  .path = s_.attach_path(*it),
                  .requests = {},
                  .ranges = {},
                  .box = {},
                  .covers = {},
                  .computed = {},
                  .needed = {}};
    infer_root_bound(b);
    pass_down_domain(b);
    count(b);
    out_.stages.push_back(std::move(b));
  }
  return std::move(out_);
}

void Inference::count(StageBounds& b) {
  int64_t cells = 1, all = 1, times = 1;
  for (size_t d = 0; d < b.box.size(); ++d) {
    const auto n = number(b.box[d].extent), shape = number(s_.stage(b.stage).op->outputs[0]->shape[d]);
    if (!n || !shape) return;
    cells *= *n, all *= *shape;
  }
  for (const auto& [stage, loop] : b.path) {
    const auto n = rmap_.at(loop.var).most;
    if (!n) return;
    times *= *n;
  }
  b.computed = cells * times, b.needed = all;
}

const StageBounds* Bounds::of(StageId id) const {
  for (const StageBounds& b : stages) {
    if (b.stage == id) return &b;
  }
  return nullptr;
}

Bounds infer_bound(const Schedule& schedule) {
  schedule.demand_attached();
  return Inference(schedule).run();
}

}  // namespace hexproof::te
