#include "rewrite/passes/find_unobservable_stores.h"

#include <algorithm>

#include "rewrite/site/data_vars.h"
#include "verify/prove/effort.h"
#include "verify/prove/prove_step.h"

namespace hexproof {

namespace {
constexpr size_t kLater = 6;   // later stores that are tried
constexpr size_t kShared = 4;  // that share the cells of one store
constexpr int64_t kWitnesses = 2;
}  // namespace

std::optional<Trace> find_trace(const PrimFunc& func, const DeadStore& what, const std::vector<Path>& later,
                                const std::vector<Trace::Kind>& rest, const std::function<bool(const Trace&)>& proved,
                                const std::function<bool(std::vector<Obligation>)>& all_proved) {
  // One reason for all cells.
  std::vector<Trace> tries;
  for (Trace::Kind kind : rest) {
    if (kind == Trace::Kind::Same) tries.push_back({});
  }
  for (size_t k = 0; k < later.size() && k < kLater; ++k) {
    for (int64_t witness = 0; witness < kWitnesses; ++witness) {
      tries.push_back({Trace::Kind::Overwritten, later[k], witness});
    }
  }
  for (Trace::Kind kind : rest) {
    if (kind != Trace::Kind::Same) tries.push_back({kind, {}, 0});
  }
  // One suffices: what little effort proves of any, before more is spent on another.
  for (Depth depth : {Depth::Cheap, Depth::Full}) {
    DepthScope scope(depth);
    if (depth == Depth::Full && Effort::here().depth != Depth::Full) break;
    for (const Trace& trace : tries) {
      if (proved(trace)) return trace;
    }
  }
  // Several.
  Trace shared;
  std::vector<Expr> lost;
  for (size_t k = 0; k < later.size() && k < kLater && shared.first.size() < kShared; ++k) {
    bool taken = false;
    for (int64_t witness = 0; witness < kWitnesses && !taken; ++witness) {
      Again again{later[k], witness};
      std::vector<Expr> more = lost;
      std::vector<Obligation> needs;
      try {
        lost_in_part(func, what, again, &more, &needs);
      } catch (const NotApplicable&) {
        break;
      }
      // It writes the cells that one before it wrote already.
      if (std::find(lost.begin(), lost.end(), more.back()) != lost.end()) continue;
      if (!shared.first.empty()) {
        Trace last = shared;
        last.kind = Trace::Kind::Overwritten;
        last.by = again.by;
        last.witness = witness;
        if (proved(last)) return last;
      }
      if (!all_proved(std::move(needs))) continue;
      lost = std::move(more);
      shared.first.push_back(again);
      taken = true;
    }
    if (!taken) continue;
    for (Trace::Kind kind : rest) {
      Trace trace = shared;
      trace.kind = kind;
      if (proved(trace)) return trace;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<Trace>> find_traces(Strategy& s, const PrimFunc& func, const Path& copy,
                                              Branching branching) {
  std::vector<Trace> found;
  Path branch = above(copy);
  auto all_proved = [&](std::vector<Obligation> needs) { return all_hold(s.prover, needs); };
  std::vector<Trace::Kind> rest{Trace::Kind::Same, Trace::Kind::Unread};
  if (branching == Branching::Removed) rest.push_back(Trace::Kind::Permitted);
  for (const Path& store : lasting_stores(func, copy)) {
    Var memory = stmt_at(func, store).as<Store>()->buffer->data;
    std::vector<Path> later;
    for (const Path& by :
         find_all(func, [&](const Stmt& x) { return x.as<Store>() && x.as<Store>()->buffer->data == memory; })) {
      if (!is_within(by, branch) && !(by < branch)) later.push_back(by);
    }
    auto proved = [&](const Trace& trace) {
      try {
        return all_proved(leaves_no_trace("overcompute", func, copy, store, trace));
      } catch (const NotApplicable&) {
        return false;
      }
    };
    std::optional<Trace> trace = find_trace(func, {"overcompute", store, copy}, later, rest, proved, all_proved);
    if (!trace) return std::nullopt;
    found.push_back(std::move(*trace));
  }
  return found;
}

}  // namespace hexproof
