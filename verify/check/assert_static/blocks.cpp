// What blocks claim, held against what they do.
#include "ir/interpreter/fault.h"
#include "verify/check/assert_static/observer.h"

namespace hexproof::asserting {

namespace {

/// Nothing when a bound of the range is not known.
std::optional<bool> within(Wide index, const Range& range, StateFormulas& f) {
  std::optional<Wide> min = f.number(range.min), extent = f.number(range.extent);
  if (!min || !extent) return std::nullopt;
  return *min <= index && index - *min < *extent;
}

}  // namespace

/// Its variables have their values, and it runs.
void Observer::bind_block(Frame& frame) {
  frame.bound = true;
  StateFormulas f = now();
  for (const IterVar& iter : frame.node->stmt.as<Block>()->iters) {
    std::optional<Wide> value = f.number_of(iter.var);
    if (iter.kind == IterKind::Spatial) frame.spatial.push_back(value.value_or(0));
    if (!claims_.block_claims || failure) continue;
    ++work_, ++counts.claims;
    std::optional<bool> inside = value ? within(*value, iter.dom, f) : std::nullopt;
    counts.unknown += !inside;
    if (inside == false) {
      fail("block claim", "the value of " + iter.var.name() + " lies outside of its domain",
           land(le(iter.dom.min, Expr(iter.var)), lt(Expr(iter.var) - iter.dom.min, iter.dom.extent)), f, *frame.node);
    }
  }
}

void Observer::assert_regions(const Frame& frame, const SeenAccess& seen) {
  const Block& block = *frame.node->stmt.as<Block>();
  bool write = seen.kind == SeenAccess::Kind::Write;
  if (failure || (write ? !block.writes : !block.reads)) return;
  // Memory that is allocated in the block is its own.
  for (size_t k = frames_.size(); k-- > 0 && frames_[k].node != frame.node;) {
    const AllocBuffer* buffer = frames_[k].node->stmt.as<AllocBuffer>();
    const Allocate* memory = frames_[k].node->stmt.as<Allocate>();
    if (buffer && buffer->buffer->data == seen.buffer->data) return;
    if (memory && memory->data == seen.buffer->data) return;
  }
  StateFormulas f = now();
  ++counts.claims;
  auto covered = [&](const std::optional<std::vector<BufferRegion>>& list) {
    if (!list) return false;
    for (const BufferRegion& r : *list) {
      if (!(r.buffer == seen.buffer)) continue;
      bool inside = true;
      for (size_t d = 0; d < r.region.size() && d < seen.indices.size(); ++d) {
        ++work_;
        inside = inside && within(seen.indices[d], r.region[d], f).value_or(true);
      }
      if (inside) return true;
    }
    return false;
  };
  // What a reduction reads of its own output is among its writes.
  if (covered(write ? block.writes : block.reads) || (!write && block.init && covered(block.writes))) return;
  fail("block claim",
       std::string(write ? "T.writes" : "T.reads") + " of block " + block.name + " leaves out " +
           faults::cell_text(*seen.buffer, seen.indices),
       {}, f, *frame.node);
}

/// Instances with different spatial values share no cell that one of them writes, in one execution of the block around
/// them.
void Observer::assert_independence(size_t at, const SeenAccess& seen) {
  const Frame& frame = frames_[at];
  if (failure || frame.spatial.empty()) return;
  size_t around = at;
  while (around > 0 && !frames_[--around].node->stmt.as<Block>()) {
  }
  CellId cell{seen.buffer->data.id(), allocations_[seen.buffer->data.id()], seen.at};
  Touches& touches = frames_[around].touched[frame.node][cell];
  bool write = seen.kind == SeenAccess::Kind::Write;
  ++counts.claims;
  bool shared = touches.writer && *touches.writer != frame.spatial;
  for (const std::vector<Wide>& reader : touches.readers) shared |= write && reader != frame.spatial;
  if (shared) {
    StateFormulas f = now();
    return fail("block claim",
                "two instances of block " + frame.node->stmt.as<Block>()->name +
                    " with different spatial values share " + faults::cell_text(*seen.buffer, seen.indices),
                {}, f, *frame.node);
  }
  if (write) touches.writer = frame.spatial;
  bool known = !touches.readers.empty() && touches.readers.back() == frame.spatial;
  if (!write && !known && touches.readers.size() < 2) touches.readers.push_back(frame.spatial);
}

}  // namespace hexproof::asserting
