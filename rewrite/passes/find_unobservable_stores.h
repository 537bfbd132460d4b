// Why stores leave no trace: found here, proved by the rules.
#pragma once
#include "rewrite/memory/unobservable_stores.h"
#include "rewrite/passes/strategy.h"

namespace hexproof {

/// Which way the branch goes.
enum class Branching : uint8_t {
  Removed,  // the copy runs where it did not
  Added,    // what ran does not any more: a permission is no reason
};

/// For each lasting store of the statement at `copy` a reason that is proved; nothing when one has none.
std::optional<std::vector<Trace>> find_traces(Strategy& s, const PrimFunc& func, const Path& copy, Branching branching);

/// A trace for one store, out of those that `proved` accepts: one reason for all cells, or later stores that share
/// them, the last of the kinds that `rest` lists serving for those that none of them writes. `later` are later stores.
std::optional<Trace> find_trace(const PrimFunc& func, const DeadStore& what, const std::vector<Path>& later,
                                const std::vector<Trace::Kind>& rest, const std::function<bool(const Trace&)>& proved,
                                const std::function<bool(std::vector<Obligation>)>& all_proved);

}  // namespace hexproof
