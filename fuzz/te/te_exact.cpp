#include "fuzz/te/te_exact.h"

#include <algorithm>
#include <map>

#include "ir/base/early_exit.h"

namespace hexproof {
namespace {

using te::LoopAction;
using te::Stage;
using te::StageId;

/// What ends an enumeration: too much of it, or something that is no number.
struct NotEnumerated : EarlyExit {
  NotEnumerated() : EarlyExit("not enumerated") {}
};

/// A number; missing: it depends on data.
using Number = std::optional<int64_t>;
using Values = std::map<Var, Number>;

int64_t floored(int64_t a, int64_t b) {
  if (b == 0) throw NotEnumerated{};
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

Number of_two(Op op, int64_t a, int64_t b) {
  if (op == Op::Add) return a + b;
  if (op == Op::Sub) return a - b;
  if (op == Op::Mul) return a * b;
  if (op == Op::FloorDiv) return floored(a, b);
  if (op == Op::FloorMod) return a - b * floored(a, b);
  if (op == Op::Min) return std::min(a, b);
  if (op == Op::Max) return std::max(a, b);
  if (op == Op::LT) return a < b;
  if (op == Op::LE) return a <= b;
  if (op == Op::GT) return a > b;
  if (op == Op::GE) return a >= b;
  if (op == Op::EQ) return a == b;
  if (op == Op::NE) return a != b;
  if (op == Op::And) return a != 0 && b != 0;
  if (op == Op::Or) return a != 0 || b != 0;
  throw NotEnumerated{};
}

class Enumeration {
 public:
  Enumeration(const te::Schedule& s, const te::Bounds& bounds, StageId stage, uint64_t most)
      : s_(s), bounds_(bounds), stage_(stage), left_(most) {}

  std::vector<int64_t> run() {
    const std::vector<Expr>& shape = outputs()[0]->shape;
    widest_.assign(shape.size(), 0);
    for (const Expr& n : shape) shape_.push_back(constant(n));
    for (auto [stage, loop] : s_.attach_path(stage_)) around_.insert(around_.begin(), loop.var);
    for (const te::StageBounds& b : bounds_.stages) {
      if (b.stage != stage_ && !s_.stage(b.stage).op->is_placeholder()) consume(b.stage);
    }
    for (const auto& [iteration, ends] : seen_) {
      for (size_t d = 0; d < ends.size(); ++d) {
        if (ends[d]) widest_[d] = std::max(widest_[d], ends[d]->second - ends[d]->first + 1);
      }
    }
    return widest_;
  }

 private:
  using Ends = std::optional<std::pair<int64_t, int64_t>>;

  const std::vector<Buffer>& outputs() const { return s_.stage(stage_).op->outputs; }
  static int64_t constant(const Expr& e) {
    const int64_t* k = as_int(e);
    if (!k) throw NotEnumerated{};
    return *k;
  }

  /// All loops around the reader's block, outermost first: those that it is attached in, then its own.
  void consume(StageId reader) {
    if (s_.stage(reader).op->scan) return;  // it computes nothing by itself
    reader_ = reader;
    loops_.clear();
    for (auto [stage, loop] : s_.attach_path(reader)) loops_.insert(loops_.begin(), {stage, loop.var});
    for (const te::IterVar& iv : s_.stage(reader).leaves) loops_.push_back({reader, iv.var});
    known_.clear();
    iterate(0);
  }

  void iterate(size_t at) {
    if (at == loops_.size()) {
      if (left_-- == 0) throw NotEnumerated{};
      Values roots;
      if (!take_roots(reader_, &roots)) return;
      for (const Expr& e : s_.stage(reader_).op->expressions()) evaluate(e, roots);
      return;
    }
    const auto& [stage, var] = loops_[at];
    const int64_t extent = extents(stage).at(var), first = first_of(stage, var);
    for (int64_t k = 0; k < extent; ++k) {
      known_[var] = first + k;
      iterate(at + 1);
    }
    known_.erase(var);
  }

  /// Where an axis starts, for the loops outside of it as they stand; loops that were made start at 0.
  int64_t first_of(StageId id, const Var& var) {
    const Stage& stage = s_.stage(id);
    if (stage.op->scan) return constant(stage.op->axes[0].dom.min);
    Values fixed;
    for (const auto& [known, k] : known_) fixed[known] = k;
    for (size_t d = 0; d < stage.op->axes.size(); ++d) {
      if (!(stage.op->axes[d].var == var)) continue;
      const Number base = evaluate(bounds_.of(id)->box[d].base, fixed);
      if (!base) throw NotEnumerated{};
      return *base;
    }
    for (const te::IterVar& iv : stage.op->roots()) {
      if (iv.var == var) return constant(iv.dom.min);
    }
    return 0;
  }

  /// How many values each axis and loop of a stage has: those of its axes are its box.
  std::map<Var, int64_t> extents(StageId id) {
    if (auto it = extents_.find(id); it != extents_.end()) return it->second;
    const Stage& stage = s_.stage(id);
    std::map<Var, int64_t> out;
    const te::StageBounds* b = bounds_.of(id);
    for (size_t d = 0; d < stage.op->axes.size(); ++d) out[stage.op->axes[d].var] = constant(b->box[d].extent);
    if (stage.op->scan) out[stage.op->axes[0].var] = constant(stage.op->axes[0].dom.extent);
    for (const te::IterVar& iv : stage.op->roots())
      out.try_emplace(iv.var, iv.dom.extent ? constant(iv.dom.extent) : 1);
    for (const LoopAction& a : stage.loops) {
      if (a.kind == LoopAction::Kind::Split) {
        const int64_t n = out.at(a.from[0].var), by = a.factor ? std::min(*a.factor, n) : *a.nparts,
                      other = (n + by - 1) / by;
        out[a.to[0].var] = a.factor ? other : by;
        out[a.to[1].var] = a.factor ? by : other;
      } else if (a.kind == LoopAction::Kind::Fuse) {
        int64_t product = 1;
        for (const te::IterVar& iv : a.from) product *= out.at(iv.var);
        out[a.to[0].var] = product;
      }
    }
    return extents_[id] = out;
  }

  /// The cell that the reader computes; false where its loops run past the box or the tensor.
  bool take_roots(StageId id, Values* roots) {
    const Stage& stage = s_.stage(id);
    const std::map<Var, int64_t> n = extents(id);
    std::map<Var, int64_t> value;
    for (const te::IterVar& iv : stage.leaves) value[iv.var] = known_.at(iv.var) - first_of(id, iv.var);
    if (s_.time_of(stage)) value[stage.op->axes[0].var] = 0;  // of its box, which is of one time
    for (auto a = stage.loops.rbegin(); a != stage.loops.rend(); ++a) {
      if (a->kind == LoopAction::Kind::Split) {
        const int64_t parent = value.at(a->to[0].var) * n.at(a->to[1].var) + value.at(a->to[1].var);
        if (parent >= n.at(a->from[0].var)) return false;
        value[a->from[0].var] = parent;
      } else if (a->kind == LoopAction::Kind::Fuse) {
        int64_t rest = value.at(a->to[0].var);
        for (size_t k = a->from.size(); k-- > 0;) {
          value[a->from[k].var] = rest % n.at(a->from[k].var);
          rest /= n.at(a->from[k].var);
        }
      }
    }
    for (const te::IterVar& iv : stage.op->roots()) {
      const int64_t cell = value.at(iv.var) + first_of(id, iv.var);
      if (cell < constant(iv.dom.min) || cell >= constant(iv.dom.min) + constant(iv.dom.extent)) return false;
      (*roots)[iv.var] = cell;
    }
    return true;
  }

  /// The value, if it depends on no data; every load of the stage on the way is noted.
  Number evaluate(const Expr& e, const Values& at) {
    if (e->op == Op::IntImm) return e->int_value();
    if (e->op == Op::FloatImm) return std::nullopt;
    if (e->op == Op::Var) {
      auto it = at.find(e->var());
      if (it == at.end()) throw NotEnumerated{};
      return it->second;
    }
    if (e->op == Op::IfThenElse) {
      const Number condition = evaluate(e->args[0], at);
      Number out;
      if (!condition || *condition != 0) out = evaluate(e->args[1], at);
      if (!condition || *condition == 0) out = evaluate(e->args[2], at);
      return condition ? out : std::nullopt;
    }
    std::vector<Number> args;
    bool known = true;
    for (const Expr& arg : e->args) {
      args.push_back(evaluate(arg, at));
      known = known && args.back();
    }
    if (e->op == Op::Load) {
      loaded(e->buffer(), args);
      return std::nullopt;
    }
    if (!known) return std::nullopt;
    if (e->op == Op::Not) return *args[0] == 0;
    if (e->op == Op::Cast) return args[0];
    if (e->op == Op::Select) return *args[0] != 0 ? args[1] : args[2];
    if (args.size() != 2) throw NotEnumerated{};
    return of_two(e->op, *args[0], *args[1]);
  }

  void loaded(const Buffer& buffer, const std::vector<Number>& cell) {
    const auto its = std::find(outputs().begin(), outputs().end(), buffer);
    if (its != outputs().end()) {
      std::vector<int64_t> iteration;
      for (const Var& v : around_) iteration.push_back(known_.count(v) ? known_.at(v) : 0);
      std::vector<Ends>& ends = seen_[iteration];
      ends.resize(cell.size());
      for (size_t d = 0; d < cell.size(); ++d) {
        const int64_t low = cell[d] ? *cell[d] : 0, high = cell[d] ? *cell[d] : shape_[d] - 1;
        if (!ends[d]) ends[d] = {low, high};
        ends[d] = {std::min(ends[d]->first, low), std::max(ends[d]->second, high)};
      }
      return;
    }
    if (!te::operation_of(buffer)) return;
    const Stage& stage = s_.stage(s_.stage_of(buffer));
    if (stage.attach != te::Attach::Inline) return;
    Values at;
    for (size_t d = 0; d < cell.size(); ++d) at[stage.op->axes[d].var] = cell[d];
    const auto which =
        std::find(stage.op->outputs.begin(), stage.op->outputs.end(), buffer) - stage.op->outputs.begin();
    evaluate(stage.op->bodies.at(static_cast<size_t>(which)), at);
  }

  const te::Schedule& s_;
  const te::Bounds& bounds_;
  StageId stage_, reader_ = 0;
  uint64_t left_;
  std::vector<int64_t> shape_, widest_;
  std::vector<Var> around_;                     // the loops around the stage
  std::vector<std::pair<StageId, Var>> loops_;  // around the reader's block
  std::map<Var, int64_t> known_;                // where they stand
  std::map<StageId, std::map<Var, int64_t>> extents_;
  std::map<std::vector<int64_t>, std::vector<Ends>> seen_;
};

}  // namespace

std::optional<std::vector<int64_t>> exact_box(const te::Schedule& schedule, const te::Bounds& bounds, StageId stage,
                                              uint64_t most) {
  for (const te::Edit& edit : schedule.edits()) {
    if (edit.kind == te::Edit::Kind::Transform) return std::nullopt;
  }
  try {
    return Enumeration(schedule, bounds, stage, most).run();
  } catch (const NotEnumerated&) {
    return std::nullopt;
  }
}

}  // namespace hexproof
