// What consumers ask for of a stage, and one box around it.
#include <algorithm>

#include "ir/visit.h"
#include "rewrite/te/bounds/inference.h"
#include "rewrite/te/loads.h"

namespace hexproof::te {

std::vector<Expr> Inference::computed_by(const Operation& op) const {
  std::vector<Expr> out;
  for (const Expr& e : op.expressions()) out.push_back(with_inlined(e));
  return out;
}

Expr Inference::with_inlined(const Expr& e) const {
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

bool Inference::is_read_by(const Stage& producer, const Stage& consumer) const {
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

void Inference::infer_root_bound(StageBounds& b) {
  const Stage& s = s_.stage(b.stage);
  const Buffer& buffer = s.op->outputs[0];
  for (const Expr& extent : buffer->shape) b.box.push_back({i32(0), extent, true, {}});
  if (s.update) b.box[0] = {Expr(s_.time_of(s)->var), i32(1), false, {}};
  // Every step of a scan may read what those before it left.
  if (s.output || s.op->is_placeholder() || s.op->scan || s.part == ScanPart::Init || s.update) return;
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
        for (const Expr& condition : load.conditions) reads_.back().conditions.push_back(substitute(condition, value));
      }
      request.phase3.push_back(row);
    }
    b.requests.push_back(std::move(request));
  }
  gather(b, sets, asked, known);
  owe_cover(b, fixed);
}

void Inference::gather(StageBounds& b, const Intervals& sets, const std::vector<std::vector<Interval>>& asked,
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

}  // namespace hexproof::te
