// Caches, factored reductions and layouts: what changes the graph of a schedule.
#include <algorithm>

#include "rewrite/layout/inverse_map.h"
#include "rewrite/te/schedule.h"

namespace hexproof::te {
namespace {

constexpr size_t kHighestRank = 8;

/// Axes as those of `like`, new ones.
std::vector<IterVar> axes_as(const std::vector<IterVar>& like, const std::string& suffix) {
  std::vector<IterVar> out;
  for (const IterVar& iv : like) out.push_back(make_axis(iv.var.name() + suffix, iv.dom, iv.kind));
  return out;
}

VarMap renaming(const std::vector<IterVar>& from, const std::vector<IterVar>& to) {
  VarMap out;
  for (size_t k = 0; k < from.size(); ++k) out.emplace(from[k].var, Expr(to[k].var));
  return out;
}

std::vector<Expr> variables(const std::vector<IterVar>& axes) {
  std::vector<Expr> out;
  for (const IterVar& iv : axes) out.emplace_back(iv.var);
  return out;
}

OperationRef over(const Operation& op, const VarMap& map, std::vector<IterVar> axes, const std::string& name) {
  Operation moved = op.with([&](const Expr& e) { return substitute(e, map); });
  if (!moved.reduction) return compute(name, std::move(axes), std::move(moved.bodies))[0].op;
  return compute(name, std::move(axes), std::move(*moved.reduction))[0].op;
}

std::vector<Tensor> tensors_of(const OperationRef& op) {
  std::vector<Tensor> out;
  for (size_t k = 0; k < op->outputs.size(); ++k) out.push_back({op, k});
  return out;
}

Stage stage_for(const OperationRef& op) {
  return {.name = op->name, .op = op, .origin = op, .leaves = op->roots(), .used = {}, .loops = {}, .notes = {}};
}

}  // namespace

void Schedule::demand_open(const Stage& s, const char* what) const {
  if (s.loops.empty() && s.attach != Attach::Inline && s.used.empty()) return;
  throw ScheduleMistake("the loops of '" + s.name + "' were changed before " + what,
                        std::string(what) + " comes before split, fuse and reorder of the stage");
}

StageId Schedule::add(Stage stage, StageId near, bool behind) {
  const StageId id = stages_.size();
  stages_.push_back(std::move(stage));
  auto at = std::find(order_.begin(), order_.end(), near);
  order_.insert(behind ? at + 1 : at, id);
  return id;
}

Tensor Schedule::cache_read(const Tensor& tensor, const std::string& scope, const std::vector<OperationRef>& readers,
                            const Written& written) {
  const Buffer buffer = tensor.buffer();
  const StageId of = stage_of(buffer);
  Edit edit{.kind = Edit::Kind::CacheRead, .stage = of, .scope = scope, .written = written};
  const auto& outputs = stages_[of].op->outputs;
  edit.tensor = static_cast<size_t>(std::find(outputs.begin(), outputs.end(), buffer) - outputs.begin());
  if (!stages_[of].op->scan) demand_no_part(stages_[of], "cached");
  if (readers.empty()) throw ScheduleMistake("cache_read names no readers", "s.cache_read(A, \"local\", [B])");
  for (const OperationRef& op : readers) {
    const StageId id = stage_of(op);
    const std::vector<Buffer> reads = stages_[id].op->reads();
    if (std::find(reads.begin(), reads.end(), buffer) == reads.end()) {
      throw ScheduleMistake("'" + stages_[id].name + "' does not read '" + buffer->name + "'",
                            "the readers of a cache read the tensor that is cached");
    }
    edit.readers.push_back(id);
  }
  std::vector<IterVar> axes;
  for (size_t d = 0; d < buffer->ndim(); ++d) {
    const Expr& extent = buffer->shape[d];
    axes.push_back(make_axis("ax" + std::to_string(d), {zero(extent->dtype), extent}, IterKind::Spatial));
  }
  const OperationRef op =
      compute(buffer->name + "." + scope, axes, std::vector<Expr>{load(buffer, variables(axes))})[0].op;
  edit.made = add(stage_for(op), of, true);
  for (StageId id : edit.readers) stages_[id].op = with_inputs(*stages_[id].op, {{buffer, op->outputs[0]}});
  edits_.push_back(edit);
  return {op, 0};
}

std::vector<Tensor> Schedule::cache_write(const std::vector<Tensor>& tensors, const std::string& scope,
                                          const Written& written) {
  if (tensors.empty()) throw ScheduleMistake("cache_write names no tensor");
  const StageId of = stage_of(tensors[0].buffer());
  Stage& s = stages_[of];
  if (s.op->is_placeholder()) throw ScheduleMistake("'" + s.name + "' is a placeholder: nothing writes it");
  demand_no_part(s, "cached");
  std::vector<Buffer> named;
  for (const Tensor& t : tensors) named.push_back(t.buffer());
  if (named != s.op->outputs) {
    std::string outputs;
    for (const Buffer& buffer : s.op->outputs) outputs += (outputs.empty() ? "" : ", ") + buffer->name;
    throw ScheduleMistake("cache_write of '" + s.name + "' names all of its outputs, in their order: " + outputs,
                          "what one te.compute gives is cached together");
  }
  demand_open(s, "cache_write");
  const std::vector<IterVar> axes = axes_as(s.op->axes, ".c");
  const OperationRef op = over(*s.op, renaming(s.op->axes, axes), axes, s.op->name + "." + scope);
  Operation copy{.name = s.op->name, .axes = s.op->axes, .bodies = {}, .outputs = s.op->outputs};
  for (const Buffer& cache : op->outputs) copy.bodies.push_back(load(cache, variables(s.op->axes)));
  s.op = std::make_shared<const Operation>(std::move(copy));
  s.leaves = s.op->roots();
  Edit edit{.kind = Edit::Kind::CacheWrite, .stage = of, .scope = scope, .written = written};
  edit.made = add(stage_for(op), of, false);
  edits_.push_back(edit);
  return tensors_of(op);
}

std::vector<Tensor> Schedule::rfactor(const Tensor& tensor, const IterVar& loop, int64_t axis, const Written& written) {
  const StageId of = stage_of(tensor.buffer());
  Stage& s = stages_[of];
  if (!s.op->reduction) throw ScheduleMistake("'" + s.name + "' is no reduction", "rfactor factors one");
  demand_no_part(s, "factored");
  if (s.op->outputs.size() != 1) throw ScheduleMistake("rfactor of several values at once is not modelled", "", true);
  const auto rank = static_cast<int64_t>(s.op->axes.size());
  if (axis < -rank - 1 || axis > rank) {
    throw ScheduleMistake("factor_axis " + std::to_string(axis) + " is no place among " + std::to_string(rank) +
                          " axes");
  }
  leaf(s, loop);
  const std::vector<IterVar> reduced = s.op->reduction->axes;
  auto is = [](const IterVar& a) { return [&a](const IterVar& b) { return a.var == b.var; }; };
  // The loop is an axis, or one part of a split of one.
  const LoopAction* from = nullptr;
  IterVar root = loop;
  if (std::none_of(reduced.begin(), reduced.end(), is(loop))) {
    for (const LoopAction& action : s.loops) {
      const bool its = action.kind == LoopAction::Kind::Split &&
                       std::any_of(action.to.begin(), action.to.end(), is(loop)) &&
                       std::any_of(reduced.begin(), reduced.end(), is(action.from[0]));
      if (its) from = &action, root = action.from[0];
    }
    if (!from) throw ScheduleMistake("'" + loop.var.name() + "' is no axis of the reduction", "split the axis once");
  }
  if (s.loops.size() > (from ? 1U : 0U)) {
    throw ScheduleMistake("other loops of '" + s.name + "' were changed before rfactor",
                          "rfactor comes right after the split of the axis");
  }
  const int64_t* extent = root.dom.extent ? as_int(root.dom.extent) : nullptr;
  const int64_t* parts = from && from->to[0].dom.extent ? as_int(from->to[0].dom.extent) : nullptr;
  const int64_t* inside = from && from->to[1].dom.extent ? as_int(from->to[1].dom.extent) : nullptr;
  if (from && (!extent || !parts || !inside || *parts * *inside != *extent)) {
    throw ScheduleMistake("the split of '" + root.var.name() + "' does not divide its extent",
                          "rfactor takes a factor that divides", true);
  }
  Operation rf = *s.op;
  const IterVar taken = make_axis(loop.var.name(), loop.dom, IterKind::Spatial);
  std::vector<IterVar> axes = axes_as(s.op->axes, "");
  VarMap map = renaming(s.op->axes, axes);
  std::vector<IterVar> rest;
  for (const IterVar& iv : reduced) {
    if (!(iv.var == root.var)) {
      rest.push_back(make_axis(iv.var.name(), iv.dom, IterKind::Reduce));
      map[iv.var] = rest.back().var;
    } else if (!from) {
      map[iv.var] = taken.var;
    } else {
      const bool outer = from->to[0].var == loop.var;
      const IterVar& other = from->to[outer ? 1 : 0];
      rest.push_back(make_axis(other.var.name(), other.dom, IterKind::Reduce));
      const Expr o = outer ? Expr(taken.var) : Expr(rest.back().var),
                 i = outer ? Expr(rest.back().var) : Expr(taken.var);
      map[iv.var] = o * from->to[1].dom.extent + i;
    }
  }
  if (rest.empty()) throw ScheduleMistake("'" + loop.var.name() + "' is all that is reduced over", "split it first");
  const int64_t place = axis < 0 ? axis + rank + 1 : axis;
  axes.insert(axes.begin() + place, taken);
  rf.reduction->axes = rest;
  const OperationRef op = over(rf, map, axes, s.op->outputs[0]->name + ".rf");
  // The rest is a reduction over the partial results.
  Operation whole = *s.op;
  const IterVar last = make_axis(loop.var.name() + ".v", loop.dom, IterKind::Reduce);
  std::vector<Expr> cell = variables(s.op->axes);
  cell.insert(cell.begin() + place, Expr(last.var));
  whole.reduction->axes = {last};
  whole.reduction->sources = {load(op->outputs[0], cell)};
  whole.reduction->condition = {};
  s.op = std::make_shared<const Operation>(std::move(whole));
  s.leaves = s.op->roots();
  Edit edit{.kind = Edit::Kind::Rfactor, .stage = of, .axes = {loop}, .axis = axis, .written = written};
  if (from) edit.split = *from;
  for (size_t k = 0; k < reduced.size(); ++k) {
    if (reduced[k].var == root.var) edit.root = k;
  }
  s.loops.clear();
  s.used.clear();
  edit.made = add(stage_for(op), of, false);
  edits_.push_back(edit);
  return tensors_of(op);
}

std::vector<IterVar> Schedule::transform_layout(StageId id, const IndexMap& map, const Written& written) {
  Stage& s = stages_.at(id);
  demand_no_part(s, "laid out anew");
  if (s.op->outputs.size() != 1) throw ScheduleMistake("transform_layout of several outputs is not modelled", "", true);
  const Buffer& buffer = s.op->outputs[0];
  if (map.inputs.size() != buffer->ndim()) {
    throw ScheduleMistake("the index map takes " + std::to_string(map.inputs.size()) + " indices, but '" +
                          buffer->name + "' has " + std::to_string(buffer->ndim()));
  }
  if (map.outputs.size() > kHighestRank) {
    throw ScheduleMistake("the index map gives " + std::to_string(map.outputs.size()) +
                          " indices, and buffers have at most " + std::to_string(kHighestRank) + " axes");
  }
  Edit edit{.kind = Edit::Kind::Transform, .stage = id, .map = map, .written = written};
  if (s.op->is_placeholder()) {
    const bool twice = std::any_of(edits_.begin(), edits_.end(),
                                   [&](const Edit& e) { return e.kind == Edit::Kind::Transform && e.stage == id; });
    if (twice) {
      throw ScheduleMistake("the layout of '" + s.name + "' was changed before",
                            "one index map: what both do together");
    }
    edits_.push_back(edit);
    return {};
  }
  demand_open(s, "transform_layout");
  const auto [layout, fault] = layout_of(map, buffer->shape);
  if (!layout) throw ScheduleMistake("this layout has no box: " + fault);
  const std::vector<std::string> names = output_names(map);
  for (size_t k = 0; k < map.outputs.size(); ++k) {
    edit.axes.push_back(make_axis(k < names.size() ? names[k] : "axis" + std::to_string(k), {i32(0), layout->shape[k]},
                                  IterKind::Spatial));
  }
  s.used = s.op->axes;
  s.leaves = edit.axes;
  if (s.op->reduction) {
    s.leaves.insert(s.leaves.end(), s.op->reduction->axes.begin(), s.op->reduction->axes.end());
  }
  edits_.push_back(edit);
  return edit.axes;
}

}  // namespace hexproof::te
