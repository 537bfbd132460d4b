// Boxes: that they cover, and that they are the smallest.
#include <algorithm>

#include "ir/text/text.h"
#include "ir/visit.h"
#include "rewrite/te/bounds/inference.h"
#include "rewrite/te/bounds/witness.h"

namespace hexproof::te {

void Inference::owe_cover(StageBounds& b, const std::set<Var>& fixed) {
  for (size_t d = 0; d < b.box.size(); ++d) {
    Face& face = b.box[d];
    make_smallest(b, d, fixed);
    for (const Read& read : reads_) {
      if (read.stage != b.stage || read.dimension != d) continue;
      std::vector<Expr> given = domains(read.consumer, eq(read.index, face.base));
      given.insert(given.end(), read.conditions.begin(), read.conditions.end());
      Obligation o{"infer-bound",
                   "what '" + s_.stage(read.consumer).name + "' reads of '" + s_.stage(b.stage).name + "' along axis " +
                       std::to_string(d) + " is computed",
                   {},
                   given,
                   land(le(face.base, read.index), lt(read.index, face.base + face.extent))};
      // A box may stick out of the buffer, where nothing is computed.
      const Expr& size = s_.stage(b.stage).op->outputs[0]->shape[d];
      if (!face.whole) o.goal = land(o.goal, land(le(i32(0), read.index), lt(read.index, size)));
      if (!is_data(read.index)) b.covers.push_back(std::move(o));
    }
  }
}

std::vector<Expr> Inference::domains(StageId consumer, const Expr& e) const {
  std::vector<Expr> out;
  std::set<Var> seen;
  auto add = [&](const auto& self, const Expr& of) -> void {
    for (const Var& v : free_vars(of)) {
      auto it = rmap_.find(v);
      if (it == rmap_.end() || !seen.insert(v).second) continue;
      const IterRange& r = it->second;
      const Expr most = r.most ? i32(*r.most) : r.extent;
      out.push_back(land(le(r.min, Expr(v)), lt(Expr(v), r.min + most)));
      self(self, r.min);
      self(self, r.extent);
    }
  };
  add(add, e);
  const Stage& c = s_.stage(consumer);
  const VarMap value = pass_up(c);
  for (const IterVar& iv : c.op->roots()) {
    const IterRange& r = range_of(iv.var);
    const Expr at = value.count(iv.var) ? value.at(iv.var) : Expr(iv.var);
    const Expr end = is_int(iv.dom.min, 0) ? iv.dom.extent : iv.dom.min + iv.dom.extent;
    // A box may stick out of what there is: nothing is computed there.
    Expr guard = land(le(iv.dom.min, at), lt(at, end));
    if (at->op != Op::Var) {
      guard = land(lt(at, r.min + r.extent), guard);
    } else if (print(r.min) == print(iv.dom.min) && print(r.extent) == print(iv.dom.extent)) {
      continue;
    }
    out.push_back(guard);
    add(add, guard);
  }
  // A loop that was split again has a guard of its own.
  for (const LoopAction& action : c.loops) {
    const IterRange& parent = range_of(action.from[0].var);
    const auto at = value.find(parent.iv.var);
    if (action.kind != LoopAction::Kind::Split || parent.root || !parent.most || at == value.end()) continue;
    const Expr guard = lt(at->second, i32(*parent.most));
    out.push_back(guard);
    add(add, guard);
  }
  return out;
}

void Inference::make_smallest(StageBounds& b, size_t d, const std::set<Var>& fixed) {
  Face& face = b.box[d];
  const std::optional<int64_t> extent = number(face.extent);
  if (!extent) return;
  std::map<Var, Run> runs;
  for (const auto& [var, r] : rmap_) runs[var] = {r.min, r.most};
  const Intervals all(runs);
  Choices choices;
  for (const auto& [var, r] : rmap_) {
    const auto first = all.range(linear(r.min));
    if (first && r.most) choices[var] = {first->first, first->second - first->first + *r.most};
  }
  std::vector<Asked> asked;
  for (const Read& read : reads_) {
    if (read.stage != b.stage || read.dimension != d) continue;
    if (is_data(read.index)) return;
    asked.push_back({read.index, domains(read.consumer, read.index), read.conditions});
  }
  const Needed found = needed(asked, choices, fixed, *extent);
  face.witness = found.witness;
  if (found.witness || !found.complete) return;
  std::vector<Expr> bases{face.base};
  for (const Expr& base : bases_[{b.stage, d}]) bases.push_back(base);
  for (const Asked& one : asked) {
    for (const Expr& base : ends_of(one.index, choices, fixed)) bases.push_back(base);
  }
  std::erase_if(bases, [](const Expr& e) { return !e || !(e->dtype == kInt32); });
  const std::optional<SmallerBox> smaller = smaller_box(found, bases);
  if (!smaller || smaller->extent >= *extent) return;
  face = {smaller->base, i32(smaller->extent), false, needed(asked, choices, fixed, smaller->extent).witness};
}

}  // namespace hexproof::te
