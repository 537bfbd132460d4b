// RemoveNoOp: stores without effect, then what is left empty.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/passes/find_unobservable_stores.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/args/statements.h"
#include "rewrite/rules/args/stores.h"
#include "rewrite/site/data_vars.h"
#include "verify/prove/prove_step.h"

namespace hexproof {
namespace {

/// Later stores to the same memory in statements that follow, or that follow something around: the nearest first.
std::vector<Path> later_stores(const PrimFunc& func, const Path& at) {
  constexpr size_t kMost = 6;
  Var memory = stmt_at(func, at).as<Store>()->buffer->data;
  std::vector<Path> found;
  for (const Path& other :
       find_all(func, [&](const Stmt& s) { return s.as<Store>() && s.as<Store>()->buffer->data == memory; })) {
    if (found.size() < kMost && at < other) found.push_back(other);
  }
  return found;
}

bool remove_one_store(Strategy& s, const Path& at) {
  for (const char* kind : {"dead", "already-there"}) {
    if (s.apply(RemoveStoreArgs{.at = at, .kind = kind})) return true;
  }
  std::vector<Path> later = later_stores(s.func(), at);
  if (later.empty()) return false;
  for (const Path& by : later) {
    for (int64_t witness : {0, 1}) {
      if (s.apply(RemoveStoreArgs{.at = at, .kind = "overwritten", .by = by, .witness = witness})) return true;
    }
  }
  // Several later stores may share the cells, and others hold the value already.
  const PrimFunc func = s.func();
  auto proved = [&](const Trace& trace) {
    if (trace.first.empty()) return false;
    return s.apply(RemoveStoreArgs{.at = at, .kind = "by-cases", .trace = {{trace}}});
  };
  auto all_proved = [&](std::vector<Obligation> needs) { return all_hold(s.prover, needs); };
  return find_trace(func, {"remove-store", at}, later, {Trace::Kind::Same}, proved, all_proved).has_value();
}

bool may_be_empty(const Stmt& s) { return !s.as<Seq>() && !s.as<Store>() && !s.as<Assume>(); }

}  // namespace

namespace {
bool remove_one_empty(Strategy& s, const Path& at) {
  if (s.apply(RemoveEmptyArgs{.at = at})) return true;
  const Stmt stmt = stmt_at(s.func(), at);
  if (stmt.as<For>()) return s.apply(RemoveEmptyArgs{.at = at, .kind = "no-iteration"});
  bool memory = stmt.as<AllocBuffer>() || stmt.as<DeclBuffer>() || stmt.as<Allocate>();
  return memory && s.apply(RemoveEmptyArgs{.at = at, .kind = "unused"});
}
}  // namespace

int remove_empty(Strategy& s) {
  int count = 0;
  // From the outside in: a whole nest goes at once. What stands before a place that goes is tried again in another
  // round.
  for (bool again = true; again;) {
    again = false;
    std::vector<Path> found = s.places(may_be_empty);
    for (size_t k = 0; k < found.size();) {
      if (!remove_one_empty(s, found[k])) {
        ++k;
        continue;
      }
      again = true;
      ++count;
      found = s.places(may_be_empty);
    }
  }
  return count;
}

int remove_no_op(Strategy& s) {
  int count = 0;
  for (bool again = true; again;) {
    again = false;
    for (size_t k = s.all<Store>().size(); k-- > 0;) {
      std::vector<Path> stores = s.all<Store>();
      if (k < stores.size() && remove_one_store(s, stores[k])) again = true, ++count;
    }
    int emptied = remove_empty(s);
    count += emptied;
    again = again && emptied > 0;
  }
  return count;
}

}  // namespace hexproof
