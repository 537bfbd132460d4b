#include "rewrite/te/bounds.h"

#include <algorithm>
#include <set>

#include "ir/evaluation.h"
#include "ir/text/text.h"
#include "rewrite/layout/inverse_map.h"
#include "rewrite/te/interval.h"
#include "rewrite/te/witness.h"

namespace hexproof::te {
namespace {

std::optional<int64_t> number(const Expr& e) { return e && as_int(e) ? std::optional(*as_int(e)) : std::nullopt; }

/// A load, and the conditions under which it is evaluated.
struct Load {
  Expr load;
  std::vector<Expr> conditions;
};

std::vector<Load> loads_in(const Expr& e) {
  std::vector<Load> out;
  for_each_evaluated(e, [&](const Expr& node, const Evaluation& where) {
    if (node->op != Op::Load) return;
    auto unfolded = [&](Expr part) {
      for (size_t k = where.lets.size(); k-- > 0;)
        part = substitute(part, {{where.lets[k].first, where.lets[k].second}});
      return part;
    };
    Load load{unfolded(node), {}};
    for (const Evaluation::Guard& guard : where.guards) {
      const Expr condition = unfolded(guard.condition);
      load.conditions.push_back(guard.negated ? lnot(condition) : condition);
    }
    out.push_back(std::move(load));
  });
  return out;
}

class Inference {
 public:
  explicit Inference(const Schedule& schedule) : s_(schedule) {}

  Bounds run() {
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

 private:
  /// What a stage computes, with the inlined ones in it.
  std::vector<Expr> computed_by(const Operation& op) const {
    std::vector<Expr> out;
    for (const Expr& e : op.expressions()) out.push_back(with_inlined(e));
    return out;
  }
  Expr with_inlined(const Expr& e) const {
    return rewrite_expr(e, [&](const Expr& node) {
      if (node->op != Op::Load || !operation_of(node->buffer())) return node;
      const Stage& s = s_.stage(s_.stage_of(node->buffer()));
      if (s.attach != Attach::Inline) return node;
      VarMap at;
      for (size_t d = 0; d < s.op->axes.size(); ++d) at[s.op->axes[d].var] = node->args[d];
      const auto which = std::find(s.op->outputs.begin(), s.op->outputs.end(), node->buffer()) - s.op->outputs.begin();
      return with_inlined(substitute(s.op->bodies.at(static_cast<size_t>(which)), at));
    });
  }

  bool is_read_by(const Stage& producer, const Stage& consumer) const {
    for (const Expr& e : computed_by(*consumer.op)) {
      bool found = false;
      visit_expr(e, [&](const Expr& node) {
        found = found || (node->op == Op::Load && std::find(producer.op->outputs.begin(), producer.op->outputs.end(),
                                                            node->buffer()) != producer.op->outputs.end());
        return !found;
      });
      if (found) return true;
    }
    return false;
  }

  const IterRange& range_of(const Var& v) const { return rmap_.at(v); }

  /// PassUpDomain, of values: each axis and loop of the stage over its leaves.
  VarMap pass_up(const Stage& c) const {
    VarMap value;
    for (const IterVar& iv : c.leaves) value[iv.var] = iv.var;
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

  void infer_root_bound(StageBounds& b) {
    const Stage& s = s_.stage(b.stage);
    const Buffer& buffer = s.op->outputs[0];
    for (const Expr& extent : buffer->shape) b.box.push_back({i32(0), extent, true, {}});
    if (s.output || s.op->is_placeholder()) return;
    std::set<Var> fixed;
    for (const auto& [stage, loop] : b.path) fixed.insert(loop.var);
    std::map<Var, Run> runs;
    for (const auto& [var, r] : rmap_) runs[var] = {r.min, r.most, fixed.count(var) > 0};
    const Intervals sets(runs);
    std::vector<std::vector<Interval>> asked(buffer->ndim());
    std::vector<bool> known(buffer->ndim(), true);
    for (StageId consumer : s_.order()) {
      const Stage& c = s_.stage(consumer);
      if (consumer == b.stage || c.attach == Attach::Inline || !is_read_by(s, c)) continue;
      Request request{.consumer = consumer, .phase1 = {}, .phase2 = {}, .phase3 = {}};
      const VarMap value = pass_up(c);
      auto set_of = [&](const IterVar& iv, const Expr& e) {
        const std::optional<Interval> in = sets.over(e);
        IterSet set{iv, {}, {}};
        if (in) {
          set.min = in->least.expr(kInt32);
          Linear last = in->least;
          last.constant += in->width;
          set.max = last.expr(kInt32);
        }
        return set;
      };
      for (const IterVar& iv : c.leaves) request.phase1.push_back(set_of(iv, iv.var));
      for (auto it = c.used.rbegin(); it != c.used.rend(); ++it) {
        if (value.count(it->var)) request.phase2.push_back(set_of(*it, value.at(it->var)));
      }
      std::vector<Load> loads;
      for (const Expr& e : computed_by(*c.op)) {
        for (Load& load : loads_in(e)) loads.push_back(std::move(load));
      }
      for (const Load& load : loads) {
        if (std::find(s.op->outputs.begin(), s.op->outputs.end(), load.load->buffer()) == s.op->outputs.end()) continue;
        std::vector<IterSet> row;
        for (size_t d = 0; d < buffer->ndim(); ++d) {
          const Expr index = substitute(load.load->args[d], value);
          const std::optional<Interval> in = is_data(index) ? std::nullopt : sets.over(index);
          if (in) asked[d].push_back(*in);
          known[d] = known[d] && in;
          row.push_back(is_data(index) ? IterSet{s.op->axes[d], {}, {}} : set_of(s.op->axes[d], index));
          reads_.push_back({b.stage, d, consumer, index, {}});
          for (const Expr& condition : load.conditions)
            reads_.back().conditions.push_back(substitute(condition, value));
        }
        request.phase3.push_back(row);
      }
      b.requests.push_back(std::move(request));
    }
    gather(b, sets, asked, known);
    owe_cover(b, fixed);
  }

  /// GatherBound: one box around all requests.
  void gather(StageBounds& b, const Intervals& sets, const std::vector<std::vector<Interval>>& asked,
              const std::vector<bool>& known) {
    for (size_t d = 0; d < b.box.size(); ++d) {
      if (!known[d] || asked[d].empty()) continue;
      for (const Interval& one : asked[d]) bases_[{b.stage, d}].push_back(one.least.expr(kInt32));
      const std::optional<Interval> box = sets.around(asked[d]);
      if (!box) continue;
      const std::optional<int64_t> shape = number(b.box[d].extent);
      if (shape && box->width + 1 >= *shape) continue;
      const Expr base = box->least.expr(kInt32);
      if (!base) continue;
      b.box[d] = {base, i32(box->width + 1), false, {}};
    }
  }

  /// Where one iteration asks for the first and last cell of the box, it is the smallest; else a smaller one is looked
  /// for. Each request lies in it.
  void owe_cover(StageBounds& b, const std::set<Var>& fixed) {
    for (size_t d = 0; d < b.box.size(); ++d) {
      Face& face = b.box[d];
      make_smallest(b, d, fixed);
      for (const Read& read : reads_) {
        if (read.stage != b.stage || read.dimension != d) continue;
        std::vector<Expr> given = domains(read.consumer, eq(read.index, face.base));
        given.insert(given.end(), read.conditions.begin(), read.conditions.end());
        Obligation o{"infer-bound",
                     "what '" + s_.stage(read.consumer).name + "' reads of '" + s_.stage(b.stage).name +
                         "' along axis " + std::to_string(d) + " is computed",
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

  /// What is known of the variables in `e`, and of those that their ranges speak of; and that the consumer computes.
  std::vector<Expr> domains(StageId consumer, const Expr& e) const {
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

  struct Read {
    StageId stage;
    size_t dimension;
    StageId consumer;
    Expr index;
    std::vector<Expr> conditions;
  };

  void make_smallest(StageBounds& b, size_t d, const std::set<Var>& fixed) {
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

  void set(StageBounds& b, const IterVar& iv, Expr min, Expr extent, std::optional<int64_t> most, bool root) {
    IterRange r{iv, std::move(min), std::move(extent), most, root, false};
    const Stage& s = s_.stage(b.stage);
    r.leaf = std::any_of(s.leaves.begin(), s.leaves.end(), [&](const IterVar& l) { return l.var == iv.var; });
    rmap_[iv.var] = r;
    b.ranges.push_back(r);
  }

  /// PassDownDomain: from the roots to the loops that were made of them.
  void pass_down_domain(StageBounds& b) {
    const Stage& s = s_.stage(b.stage);
    for (size_t d = 0; d < s.op->axes.size(); ++d) {
      set(b, s.op->axes[d], b.box[d].base, b.box[d].extent, number(b.box[d].extent), true);
    }
    if (s.op->reduction) {
      for (const IterVar& iv : s.op->reduction->axes)
        set(b, iv, iv.dom.min, iv.dom.extent, number(iv.dom.extent), true);
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

  void count(StageBounds& b) {
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

  const Schedule& s_;
  Bounds out_;
  std::map<Var, IterRange> rmap_;
  std::vector<Read> reads_;
  std::map<std::pair<StageId, size_t>, std::vector<Expr>> bases_;  // of what is asked for along an axis
};

}  // namespace

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
