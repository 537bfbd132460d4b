// Accesses that happen lie in the footprints of all statements that run; exact ones of the footprints happen.
#include "ir/interpreter/fault.h"
#include "verify/check/assert_static/observer.h"

namespace hexproof::asserting {

namespace {

constexpr uint64_t kMostValues = 4096;  // of the loops of one access

bool writes(const SeenAccess& seen) { return seen.kind != SeenAccess::Kind::Read; }

}  // namespace

void Observer::group_footprint(Node& node) {
  if (!node.place) return;
  for (size_t k = 0; k < node.place->footprint.size(); ++k) {
    const Access& access = node.place->footprint[k];
    node.expected.push_back({access.anywhere ? Expr() : address_of(access), domain_of(access)});
    const std::vector<int>& order = access.order;
    const Node* holder = &node;
    for (size_t d = 0; d + 1 < order.size() && holder; ++d) {
      size_t part = static_cast<size_t>(order[d] - kOrderParts);
      holder = part < holder->parts.size() ? holder->parts[part].get() : nullptr;
    }
    if (holder) node.held[holder].push_back(k);
  }
}

/// The values of the loops as they are now, if the access is this one with them; a loop that has none counts the lanes
/// of a vector.
std::optional<std::vector<Wide>> Observer::matches(const Node& node, size_t which, const SeenAccess& seen,
                                                   StateFormulas& f) {
  const Access& expected = node.place->footprint[which];
  auto may_hold = [&](const Expr& e) {
    ++work_;
    Truth truth = f.truth(e);
    return truth == Truth::True || truth == Truth::Unknown;
  };
  std::vector<Wide> values;
  for (const LoopRange& loop : expected.loops) {
    std::optional<Wide> value = f.number_of(loop.var);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (!expected.anywhere) {
    for (size_t d = 0; d < expected.indices.size(); ++d) {
      std::optional<Wide> index = f.number(expected.indices[d]);
      ++work_;
      if (index && *index != seen.indices[d]) return std::nullopt;
    }
    std::optional<Wide> address = f.number(node.expected[which].address);
    ++work_;
    if (address && *address * expected.buffer->dtype.lanes + seen.lane != seen.at) return std::nullopt;
  }
  for (const Expr& e : node.expected[which].domain) {
    if (!may_hold(e)) return std::nullopt;
  }
  return values;
}

void Observer::assert_covered(const SeenAccess& seen, const Frame& frame, const Node& holder,
                              std::vector<std::pair<size_t, std::vector<Wide>>>* found) {
  ++counts.accesses;
  StateFormulas f = now();
  auto it = frame.node->held.find(&holder);
  if (it != frame.node->held.end()) {
    for (size_t which : it->second) {
      const Access& expected = frame.node->place->footprint[which];
      if (expected.write != writes(seen) || !(expected.buffer == seen.buffer)) continue;
      if (expected.indices.size() != seen.indices.size()) continue;
      std::vector<LoopRange> lanes;
      for (const LoopRange& loop : expected.loops) {
        if (!state_->value(loop.var)) lanes.push_back(loop);
      }
      for_values(lanes, f, kMostValues, [&](const std::vector<Wide>&) {
        // Which of the lanes that touch the cell this is, nobody tells: all of them.
        if (auto values = matches(*frame.node, which, seen, f)) found->emplace_back(which, *std::move(values));
        return true;
      });
    }
  }
  if (!found->empty()) return;
  fail("footprint",
       std::string(writes(seen) ? "a write of " : "a read of ") + faults::cell_text(*seen.buffer, seen.indices) +
           " is in no access of the footprint of: " + one_line(frame.node->stmt),
       {}, f, holder);
}

void Observer::assert_exact(Frame& frame) {
  StateFormulas f = now();
  const std::vector<Access>& footprint = frame.node->place->footprint;
  for (size_t k = 0; k < footprint.size() && !failure; ++k) {
    const Access& expected = footprint[k];
    // What an assume reads depends on what decides its `and`, `or` and T.Select.
    if (!expected.exact || expected.stmt.as<Assume>()) continue;
    const std::set<std::vector<Wide>>& happened = frame.happened[k];
    for_values(expected.loops, f, kMostValues, [&](const std::vector<Wide>& values) {
      ++counts.exact;
      ++work_;
      if (happened.count(values)) return true;
      for (const Expr& e : frame.node->expected[k].domain) {
        if (f.truth(e) != Truth::True) return true;
      }
      Expr which = load(expected.buffer, expected.indices);
      fail("footprint",
           std::string("an exact ") + (expected.write ? "write" : "read") + " of the footprint did not happen", which,
           f, *frame.node);
      return false;
    });
  }
}

}  // namespace hexproof::asserting
