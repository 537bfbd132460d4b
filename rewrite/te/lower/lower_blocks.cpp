// Blocks and their loops in the program as it is now.
#include "rewrite/te/lower/lowering.h"

namespace hexproof::te {

const BlockRef& Lowering::block(StageId id) const {
  auto it = blocks_.find(id);
  if (it == blocks_.end())
    fail("'" + record_.stage(id).name + "' is no part of what is lowered",
         "tvm.lower is given the tensors at the ends of the schedule");
  return it->second;
}

std::pair<BlockRef, int64_t> Lowering::writer(StageId id, size_t k) const {
  const Operation& op = *record_.stage(id).op;
  if (!op.scan) return {block(id), static_cast<int64_t>(k)};
  const Tensor& update = op.scan->update.at(k);
  return {block(record_.stage_of(update.buffer())), static_cast<int64_t>(update.index)};
}

const Store& Lowering::store_of(const BlockRef& ref) {
  const Store* found = nullptr;
  visit_stmt(record_of(ref).body, [&](const Stmt& s) {
    if (const Store* store = s.as<Store>(); store && !found) found = store;
    return true;
  });
  if (!found) fail("block '" + ref.name + "' stores nothing");
  return *found;
}

std::vector<LoopRef> Lowering::loops_of(const BlockRef& ref) {
  std::vector<LoopRef> out;
  for (const Path& at : loops_around(sch_.func(), path_of(ref))) {
    out.push_back({record_at<For>(sch_.func(), at, "a loop").var});
  }
  return out;
}

}  // namespace hexproof::te
