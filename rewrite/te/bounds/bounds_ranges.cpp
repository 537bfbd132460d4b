// From the roots of a stage to its loops (PassDownDomain), and from loops to roots (PassUpDomain).
#include <algorithm>

#include "rewrite/layout/inverse_map.h"
#include "rewrite/te/bounds/inference.h"

namespace hexproof::te {

VarMap Inference::pass_up(const Stage& c) const {
  VarMap value;
  for (const IterVar& iv : c.leaves) value[iv.var] = iv.var;
  if (const IterVar* time = s_.time_of(c)) value[c.op->axes[0].var] = time->var;
  auto whole = [&](const IterVar& iv, const Expr& from_zero) {
    const IterRange& r = range_of(iv.var);
    value[iv.var] = r.root && !is_int(r.min, 0) ? r.min + from_zero : from_zero;
  };
  for (auto action = c.loops.rbegin(); action != c.loops.rend(); ++action) {
    if (action->kind == LoopAction::Kind::Split) {
      const auto inside = range_of(action->to[1].var).most;
      if (!inside) continue;
      whole(action->from[0], value.at(action->to[0].var) * i32(*inside) + value.at(action->to[1].var));
    } else if (action->kind == LoopAction::Kind::Fuse) {
      Expr rest = value.at(action->to[0].var);
      for (size_t k = action->from.size(); k-- > 0;) {
        const auto extent = range_of(action->from[k].var).most;
        if (!extent) break;
        whole(action->from[k], k == 0 ? rest : floormod(rest, i32(*extent)));
        rest = floordiv(rest, i32(*extent));
      }
    }
  }
  for (const Edit& edit : s_.edits()) {
    if (edit.kind != Edit::Kind::Transform || &s_.stage(edit.stage) != &c || edit.axes.empty()) continue;
    const std::optional<Layout> layout = layout_of(edit.map, c.op->outputs[0]->shape).layout;
    if (!layout || !layout->inverse) continue;
    std::vector<Expr> at;
    for (const IterVar& iv : edit.axes) at.push_back(value.at(iv.var));
    const std::vector<Expr> logical = layout->inverse->apply(at);
    for (size_t d = 0; d < c.op->axes.size(); ++d) value[c.op->axes[d].var] = logical[d];
  }
  return value;  // what has no value here stands for itself, over its range
}

void Inference::set(StageBounds& b, const IterVar& iv, Expr min, Expr extent, std::optional<int64_t> most, bool root) {
  IterRange r{iv, std::move(min), std::move(extent), most, root, false};
  const Stage& s = s_.stage(b.stage);
  r.leaf = std::any_of(s.leaves.begin(), s.leaves.end(), [&](const IterVar& l) { return l.var == iv.var; });
  rmap_[iv.var] = r;
  b.ranges.push_back(r);
}

void Inference::pass_down_domain(StageBounds& b) {
  const Stage& s = s_.stage(b.stage);
  const size_t own = s.op->scan ? 1 : 0;  // all of a scan is kept, and its loop runs over what is updated
  if (own)
    set(b, s.op->axes[0], s.op->axes[0].dom.min, s.op->axes[0].dom.extent, number(s.op->axes[0].dom.extent), true);
  for (size_t d = own; d < s.op->axes.size(); ++d) {
    set(b, s.op->axes[d], b.box[d].base, b.box[d].extent, number(b.box[d].extent), true);
  }
  if (s.op->reduction) {
    for (const IterVar& iv : s.op->reduction->axes) set(b, iv, iv.dom.min, iv.dom.extent, number(iv.dom.extent), true);
  }
  for (const Edit& edit : s_.edits()) {
    if (edit.kind != Edit::Kind::Transform || edit.stage != b.stage) continue;
    for (const IterVar& iv : edit.axes) set(b, iv, i32(0), iv.dom.extent, number(iv.dom.extent), false);
  }
  for (const LoopAction& action : s.loops) {
    if (action.kind == LoopAction::Kind::Split) {
      const IterRange parent = rmap_.at(action.from[0].var);
      const IterVar &outer = action.to[0], &inner = action.to[1];
      if (!parent.most) {
        const int64_t f = action.factor ? *action.factor : *action.nparts;
        const Expr parts = floordiv(parent.extent + i32(f - 1), i32(f));
        set(b, outer, i32(0), action.factor ? parts : i32(f), action.factor ? std::nullopt : std::optional(f), false);
        const Expr left = action.factor ? min(i32(f), parent.extent - Expr(outer.var) * i32(f)) : parts;
        set(b, inner, i32(0), left, action.factor ? std::optional(f) : std::nullopt, false);
        continue;
      }
      const int64_t n = *parent.most, given = action.factor ? *action.factor : *action.nparts;
      const int64_t other = (n + given - 1) / given;
      const int64_t inside = action.factor ? std::min(given, n) : other, outside = action.factor ? other : given;
      set(b, outer, i32(0), i32(outside), outside, false);
      const bool divides = inside * outside == n;
      set(b, inner, i32(0), divides ? i32(inside) : min(i32(inside), i32(n) - Expr(outer.var) * i32(inside)), inside,
          false);
    } else if (action.kind == LoopAction::Kind::Fuse) {
      Expr extent;
      std::optional<int64_t> most = 1;
      for (const IterVar& iv : action.from) {
        const IterRange& r = rmap_.at(iv.var);
        extent = extent ? extent * r.extent : r.extent;
        most = most && r.most ? std::optional(*most * *r.most) : std::nullopt;
      }
      set(b, action.to[0], i32(0), most ? i32(*most) : extent, most, false);
    }
  }
}

}  // namespace hexproof::te
