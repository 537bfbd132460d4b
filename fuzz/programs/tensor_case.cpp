#include "fuzz/programs/tensor_case.h"

#include <algorithm>
#include <random>

#include "rewrite/te/scan.h"

namespace hexproof {
namespace {

std::vector<uint32_t> numbers(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint32_t> out(400);
  for (uint32_t& x : out) x = static_cast<uint32_t>(random());
  return out;
}

int64_t extent(const te::Tensor& t, size_t axis) { return *as_int(t.buffer()->shape[axis]); }
size_t rank(const te::Tensor& t) { return t.buffer()->ndim(); }

class TensorCaseMaker {
 public:
  explicit TensorCaseMaker(Choices choices) : c_(std::move(choices)) {}

  TensorCase make() {
    inputs_.push_back(input("A", c_.chance(50) ? 2 : 1));
    te::Tensor last = inputs_[0];
    const uint32_t stages = 2 + c_.below(5);
    for (uint32_t k = 0; k < stages; ++k) {
      last = stage("S" + std::to_string(k), last);
      for (size_t v = 0; v < last.op->outputs.size(); ++v) made_.push_back({last.op, v});
    }
    te::Schedule schedule({last.op});
    caches(schedule, last);
    const std::vector<te::StageId> order = schedule.order();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (schedule.stage(*id).op->is_placeholder()) continue;
      place(schedule, *id);
      if (schedule.stage(*id).attach != te::Attach::Inline) loops(schedule, *id);
    }
    for (te::StageId id : schedule.order()) memory(schedule, id);
    std::vector<te::Tensor> args = inputs_;
    for (size_t k = 0; k < last.op->outputs.size(); ++k) args.push_back({last.op, k});
    TensorCase out;
    out.script.naive = te::create_prim_func(args);
    out.script.schedule = std::move(schedule);
    out.script.written.text = "lower";
    out.text = text_;
    return out;
  }

 private:
  te::Tensor input(const std::string& name, size_t axes) {
    std::vector<Expr> shape;
    for (size_t d = 0; d < axes; ++d) shape.push_back(i32(4 + c_.below(7)));
    text_ += name + ": input of " + std::to_string(axes) + " axes\n";
    return te::placeholder(shape, kInt32, name);
  }

  /// A cell of `t` near the axes, whatever its shape.
  Expr cell(const te::Tensor& t, const std::vector<te::IterVar>& axes) {
    std::vector<Expr> at;
    for (size_t d = 0; d < rank(t); ++d) {
      const Expr i = d < axes.size() ? Expr(axes[d].var) : i32(0);
      const int64_t n = d < axes.size() ? *as_int(axes[d].dom.extent) : 1;
      at.push_back(n <= extent(t, d) ? i : min(i, i32(extent(t, d) - 1)));
    }
    return load(t.buffer(), at);
  }

  std::vector<te::IterVar> axes_of(const std::vector<int64_t>& extents) {
    std::vector<te::IterVar> out;
    for (int64_t n : extents) {
      out.push_back(te::make_axis("i" + std::to_string(out.size()), {i32(0), i32(n)}, IterKind::Spatial));
    }
    return out;
  }

  te::Tensor stage(const std::string& name, const te::Tensor& from) {
    std::vector<int64_t> shape;
    for (size_t d = 0; d < rank(from); ++d) shape.push_back(extent(from, d));
    const uint32_t kind = c_.below(9);
    if (kind == 8 && shape[0] > 2) return recurrence(name, from);
    const auto along = static_cast<size_t>(c_.below(static_cast<uint32_t>(shape.size())));
    auto finish = [&](const char* what, const std::vector<te::IterVar>& axes, Expr value) {
      const std::vector<te::Tensor> earlier = all();
      if (c_.chance(40)) value = value + cell(c_.pick(earlier), axes);  // another consumer
      text_ += name + ": " + what + "\n";
      return te::compute(name, axes, std::vector<Expr>{value})[0];
    };
    if (kind == 1 && shape[along] > 4) {
      shape[along] -= 2;
      const auto axes = axes_of(shape);
      std::vector<Expr> a, b;
      for (size_t d = 0; d < axes.size(); ++d) {
        a.emplace_back(axes[d].var);
        b.push_back(d == along ? axes[d].var + i32(2) : Expr(axes[d].var));
      }
      return finish("stencil", axes, load(from.buffer(), a) - load(from.buffer(), b));
    }
    if (kind == 2 && shape.size() == 2) {
      const auto axes = axes_of({shape[0]});
      const te::IterVar k = te::make_axis("k", {i32(0), i32(shape[1])}, IterKind::Reduce);
      auto sum = std::make_shared<te::Reducer>();
      sum->name = "sum", sum->lhs = {Var::fresh("x", kInt32, true)}, sum->rhs = {Var::fresh("y", kInt32, true)};
      sum->results = {Expr(sum->lhs[0]) + Expr(sum->rhs[0])}, sum->identity = {i32(0)};
      text_ += name + ": sum\n";
      te::Reduction r{.reducer = sum, .sources = {load(from.buffer(), {axes[0].var, k.var})}, .axes = {k}};
      return te::compute(name, axes, r)[0];
    }
    if (kind == 3 && shape.size() == 1) {
      const auto axes = axes_of({shape[0], 2 + static_cast<int64_t>(c_.below(4))});
      return finish("broadcast", axes, load(from.buffer(), {axes[0].var}) * i32(3));
    }
    if (kind == 4 && shape.size() == 1) {
      const te::Tensor at = input("X" + name, 1);
      inputs_.push_back(at);
      const auto axes = axes_of({extent(at, 0)});
      const Expr index = max(min(load(at.buffer(), {axes[0].var}), i32(shape[0] - 1)), i32(0));
      return finish("gather", axes, load(from.buffer(), {index}));
    }
    const auto axes = axes_of(shape);
    std::vector<Expr> at, before;
    for (const te::IterVar& iv : axes) at.emplace_back(iv.var);
    before = at;
    if (kind == 7) {
      text_ += name + ": two values\n";
      const Expr here = load(from.buffer(), at);
      return c_.pick(te::compute(name, axes, std::vector<Expr>{here + i32(5), cell(c_.pick(all()), axes) - here}));
    }
    if (kind == 5) {
      before[along] = before[along] - i32(1);
      return finish("guard", axes, if_then_else(ge(at[along], i32(1)), load(from.buffer(), before), i32(7)));
    }
    if (kind == 6) {
      before[along] = min(before[along] + i32(1), i32(shape[along] - 1));
      return finish("clamp", axes, load(from.buffer(), at) + load(from.buffer(), before));
    }
    return finish("map", axes, load(from.buffer(), at) * i32(2));
  }

  /// Each row of the result from the one before and a row of `from`, perhaps by way of a stage between.
  te::Tensor recurrence(const std::string& name, const te::Tensor& from) {
    std::vector<int64_t> shape, first;
    std::vector<Expr> extents;
    for (size_t d = 0; d < rank(from); ++d) shape.push_back(extent(from, d)), extents.push_back(i32(shape[d]));
    first = shape;
    first[0] = 1 + c_.below(2);
    const te::Tensor state = te::placeholder(extents, kInt32, name + "s");
    const auto at_start = axes_of(first);
    const te::Tensor init = te::compute(name + "i", at_start, std::vector<Expr>{cell(from, at_start) + i32(1)})[0];
    auto earlier = [&](const std::vector<te::IterVar>& axes) {
      std::vector<Expr> at;
      for (const te::IterVar& iv : axes) at.emplace_back(iv.var);
      at[0] = at[0] - i32(1 + c_.below(static_cast<uint32_t>(first[0])));
      if (at.size() > 1 && c_.chance(40)) at[1] = min(at[1] + i32(1), i32(shape[1] - 1));
      return load(state.buffer(), at);
    };
    const auto axes = axes_of(shape);
    Expr before = earlier(axes);
    const bool between = c_.chance(60);
    if (between) {
      const auto its = axes_of(shape);
      const te::Tensor step = te::compute(name + "b", its, std::vector<Expr>{earlier(its) * i32(2)})[0];
      before = cell(step, axes);
    }
    const te::Tensor update = te::compute(name + "u", axes, std::vector<Expr>{before + cell(from, axes)})[0];
    text_ += name + ": scan" + (between ? ", by way of a stage" : "") + "\n";
    return te::scan(name, {init}, {update}, {state})[0];
  }

  std::vector<te::Tensor> all() const {
    std::vector<te::Tensor> out = inputs_;
    out.insert(out.end(), made_.begin(), made_.end());
    return out;
  }

  void caches(te::Schedule& s, const te::Tensor& last) {
    if (c_.chance(20) && !last.op->scan) {
      text_ += "cache_write\n";
      std::vector<te::Tensor> outputs;
      for (size_t k = 0; k < last.op->outputs.size(); ++k) outputs.push_back({last.op, k});
      s.cache_write(outputs, "local", {"cache_write", {}});
    }
    if (!c_.chance(20)) return;
    const te::StageId reader = s.stage_of(made_[0].op);
    if (s.consumers(s.stage_of(inputs_[0].op)) != std::vector<te::StageId>{reader}) return;
    text_ += "cache_read\n";
    s.cache_read(inputs_[0], "local", {s.stage(reader).origin}, {});
  }

  void place(te::Schedule& s, te::StageId id) {
    const te::Stage before = s.stage(id);
    const bool in_its_place = before.op->scan || before.part == te::ScanPart::Init || before.update;
    if (before.output || in_its_place) return;
    if (!before.op->reduction && c_.chance(15)) {
      s.compute_inline(id, {"compute_inline", {}});
      text_ += before.name + " inlined\n";
      return;
    }
    if (!c_.chance(75)) return;
    std::vector<te::StageId> readers = s.consumers(id);
    if (readers.empty()) return;
    te::StageId where = c_.pick(readers);
    if (s.stage(where).attach == te::Attach::Scope && c_.chance(50)) where = s.stage(where).attach_stage;
    if (s.stage(where).attach == te::Attach::Inline || s.stage(where).leaves.empty()) return;
    const te::IterVar loop = c_.pick(s.stage(where).leaves);
    try {
      s.compute_at(id, where, loop, {"compute_at", {}});
      s.demand_attached();
      text_ += before.name + " at " + loop.var.name() + " of " + s.stage(where).name + "\n";
    } catch (const Error&) {
      s.compute_root(id);
    }
  }

  /// What is said of the memory of a stage.
  void memory(te::Schedule& s, te::StageId id) {
    const te::Stage& stage = s.stage(id);
    const bool of_a_scan = stage.part == te::ScanPart::Init || stage.update;
    if (stage.op->is_placeholder() || stage.output || of_a_scan || stage.attach == te::Attach::Inline) return;
    auto say = [&](te::Note::Kind kind, const char* what) {
      te::Note note{.kind = kind, .at = {}, .name = "", .value = {}};
      note.written.text = what;
      if (kind == te::Note::Kind::StorageAlign) {
        note.at = stage.op->axes[0];
        note.factor = 2 + static_cast<int64_t>(c_.below(7)), note.offset = static_cast<int64_t>(c_.below(3));
      }
      s.note(id, note);
      text_ += stage.name + ": " + what + "\n";
    };
    const bool at_loop = stage.attach == te::Attach::Scope;
    if (at_loop && c_.chance(15)) {
      say(te::Note::Kind::RollingBuffer, "rolling_buffer");
    } else if (at_loop && c_.chance(8)) {
      say(te::Note::Kind::DoubleBuffer, "double_buffer");
    }
    if (stage.op->axes.size() == 2 && c_.chance(15)) say(te::Note::Kind::StorageAlign, "storage_align");
  }

  void loops(te::Schedule& s, te::StageId id) {
    const std::string name = s.stage(id).name;
    if (s.stage(id).op->scan || s.stage(id).leaves.empty()) return;
    for (uint32_t k = c_.below(4); k > 0; --k) {
      const std::vector<te::IterVar> leaves = s.stage(id).leaves;
      const size_t at = c_.below(static_cast<uint32_t>(leaves.size()));
      const int64_t* n = leaves[at].dom.extent ? as_int(leaves[at].dom.extent) : nullptr;
      const uint32_t kind = c_.below(3);
      if (kind == 0 && n && *n > 1) {
        const auto factor = 1 + static_cast<int64_t>(c_.below(static_cast<uint32_t>(*n)));
        s.split(id, leaves[at], factor, {}, {"split", {}});
        text_ += name + ": split " + leaves[at].var.name() + " by " + std::to_string(factor) + "\n";
      } else if (kind == 1 && at + 1 < leaves.size() && leaves[at].kind == leaves[at + 1].kind) {
        s.fuse(id, {leaves[at], leaves[at + 1]}, {"fuse", {}});
        text_ += name + ": fuse " + leaves[at].var.name() + "\n";
      } else if (kind == 2 && at + 1 < leaves.size() && leaves[at].kind == leaves[at + 1].kind) {
        s.reorder(id, {leaves[at + 1], leaves[at]}, {"reorder", {}});
        text_ += name + ": reorder " + leaves[at].var.name() + "\n";
      }
    }
  }

  Choices c_;
  std::vector<te::Tensor> inputs_, made_;
  std::string text_;
};

}  // namespace

TensorCase random_tensor_case(Choices choices) { return TensorCaseMaker(std::move(choices)).make(); }
TensorCase random_tensor_case(uint64_t seed) { return random_tensor_case(Choices(numbers(seed))); }

}  // namespace hexproof
