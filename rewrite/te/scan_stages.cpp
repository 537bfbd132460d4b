// The stages of a scan in a schedule: which they are, and what is not asked of them.
#include <set>

#include "rewrite/te/scan.h"
#include "rewrite/te/schedule.h"

namespace hexproof::te {

void Schedule::take_scan(StageId id) {
  const Stage scan = stages_.at(id);
  auto take = [&](const OperationRef& op, ScanPart part) -> Stage& {
    Stage& s = stages_.at(stage_of(op));
    if (s.part != ScanPart::None) {
      throw ScheduleMistake("'" + s.name + "' is a part of two scans", "a te.compute of its own for each");
    }
    s.part = part, s.scan_stage = id;
    return s;
  };
  std::set<OperationRef> starts;
  for (const Tensor& t : scan.op->scan->state) take(t.op, ScanPart::State);
  for (const Tensor& t : scan.op->scan->init) {
    if (starts.insert(t.op).second) take(t.op, ScanPart::Init);
  }
  for (const OperationRef& op : scan_body(*scan.op->scan)) {
    Stage& step = take(op, ScanPart::Step);
    step.leaves.erase(step.leaves.begin());
    for (const Tensor& t : scan.op->scan->update) step.update = step.update || t.op == op;
  }
  stages_[id].leaves = {scan.op->axes[0]};
}

const IterVar* Schedule::time_of(const Stage& s) const {
  return s.part == ScanPart::Step ? &stages_.at(s.scan_stage).op->axes[0] : nullptr;
}

void Schedule::demand_no_part(const Stage& s, const std::string& what) const {
  if (s.op->scan) throw ScheduleMistake("the scan '" + s.name + "' is not " + what, "", true);
  if (s.part == ScanPart::None) return;
  throw ScheduleMistake(
      "'" + s.name + "' is a part of the scan '" + stages_.at(s.scan_stage).name + "': it is not " + what,
      "stages outside of the scan, or the loops of its steps", true);
}

}  // namespace hexproof::te
