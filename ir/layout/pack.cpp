#include "ir/layout/pack.h"

#include <numeric>

#include "ir/interpreter/arguments.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

using Values = std::map<Var, Scalar>;

bool reads(const Expr& e) {
  bool found = false;
  visit_expr(e, [&](const Expr& part) {
    found = found || part->op == Op::Load;
    return !found;
  });
  return found;
}

/// What the padding of a layer holds at a cell of its box.
class PadValue {
 public:
  /// Of the change `number`, whose box is that after it. `places`: for an element of the box, the element of the tensor
  /// after. `cells`: all that is known, as it is for all earlier changes.
  PadValue(const std::vector<LayoutChange>& layers, size_t number, const std::vector<int64_t>& box, const Values& sizes,
           const std::vector<int64_t>& places, const PackedCells& cells)
      : layer_(layers[number]), number_(number), box_(box), values_(sizes), places_(places), cells_(cells) {}

  PadCell at(int64_t element) {
    for (size_t d = box_.size(); d-- > 0; element /= box_[d]) {
      const Var& index = layer_.padding.indices.at(d);
      values_.insert_or_assign(index, int_scalar(index.dtype(), element % box_[d]));
    }
    return resolve(layer_.padding.value);
  }

 private:
  PadCell resolve(const Expr& e) {
    if (!reads(e)) return {Padding::Kind::Value, evaluate(e, values_)};
    bool choice = e->op == Op::IfThenElse || e->op == Op::Select;
    if (choice && !reads(e->args[0])) return resolve(e->args[evaluate(e->args[0], values_).truth() ? 1 : 2]);
    return e->op == Op::Load ? cell(e) : computed(e);
  }

  PadCell computed(const Expr& e) {
    ComputedPad out{{}, values_, {}};
    out.value = rewrite_expr(e, [&](const Expr& part) {
      if (part->op != Op::Load) return part;
      const PadCell read = cell(part);
      if (read.kind != Padding::Kind::Value) throw Error("a pad value computes with padding of no certain value");
      if (read.computed)
        throw Unsupported(Span{}, "a pad value that computes with a computed one", "one that is a cell");
      Var var = Var::fresh("cell", part->dtype);
      if (read.same_as >= 0) {
        out.elements.emplace_back(var, read.same_as);
      } else {
        out.numbers.emplace(var, read.value);
      }
      return Expr(var);
    });
    return {Padding::Kind::Value, {}, -1, std::make_shared<const ComputedPad>(std::move(out))};
  }

  PadCell cell(const Expr& load) {
    int64_t flat = 0;
    for (size_t d = 0; d < box_.size(); ++d) {
      Wide index = reads(load->args.at(d)) ? Wide{-1} : wide_value(evaluate(load->args[d], values_));
      if (index < 0 || index >= box_[d]) throw Error("a pad value reads outside of its buffer");
      flat = flat * box_[d] + static_cast<int64_t>(index);
    }
    const int64_t element = places_.at(static_cast<size_t>(flat));
    const int64_t from = cells_.origin.at(static_cast<size_t>(element));
    if (from >= 0) return {Padding::Kind::Value, {}, from};
    // The padding of an earlier change is content like any other.
    const bool own = static_cast<size_t>(-1 - from) >= number_;
    if (own) throw Error("a pad value reads padding");
    PadCell out = cells_.pad(element);
    if (out.kind != Padding::Kind::Value && out.copy_of < 0) out.copy_of = element;
    return out;
  }

  const LayoutChange& layer_;
  const size_t number_;
  const std::vector<int64_t>& box_;
  Values values_;
  const std::vector<int64_t>& places_;
  const PackedCells& cells_;
};

/// The promised value of a cell of padding, and whether it is initialised.
void put(Tensor& to, int64_t at, const PadCell& pad, const Tensor& before) {
  if (pad.same_as >= 0) return copy_cell(to, at, before, pad.same_as);
  const int64_t width = to.dtype.bytes();
  uint8_t& initialised = to.initialised[static_cast<size_t>(at)] = 1;
  Scalar value = pad.value;
  if (pad.computed) {
    Values values = pad.computed->numbers;
    for (const auto& [var, element] : pad.computed->elements) {
      values.emplace(var, load_scalar(before.dtype, &before.data[static_cast<size_t>(element * width)]));
      if (!before.initialised.empty() && before.initialised[static_cast<size_t>(element)] != 1) initialised = 0;
    }
    value = evaluate(pad.computed->value, values);
  }
  store_scalar(value, &to.data[static_cast<size_t>(at * width)]);
}

}  // namespace

const PadCell& PackedCells::pad(int64_t element) const {
  if (auto it = of_element.find(element); it != of_element.end()) return it->second;
  return of_layer.at(static_cast<size_t>(-1 - origin.at(static_cast<size_t>(element))));
}

PackedCells packed_cells(const std::string& name, const std::vector<LayoutChange>& layers,
                         const std::vector<std::vector<int64_t>>& boxes, const std::map<Var, Scalar>& sizes) {
  PackedCells out{.before_shape = boxes.front(), .after_shape = boxes.back()};
  // origin[i]: where the element i of the tensor after is in the box of the change at hand, or -1 - k.
  size_t count = 1;
  for (int64_t extent : boxes.back()) count *= static_cast<size_t>(extent);
  out.origin.resize(count);
  std::iota(out.origin.begin(), out.origin.end(), int64_t{0});
  std::vector<std::vector<int64_t>> places(layers.size());  // element of the box -> element of the tensor after
  std::vector<std::vector<std::pair<int64_t, int64_t>>> open(layers.size());  // padding that varies: elements of both
  for (size_t k = layers.size(); k-- > 0;) {
    const std::vector<int64_t> step = cell_origins(name, layers[k].map, boxes[k], boxes[k + 1]);
    const bool varies = layers[k].padding.varies();
    if (varies) places[k].resize(step.size());
    for (size_t i = 0; i < out.origin.size(); ++i) {
      if (out.origin[i] < 0) continue;
      const auto in_box = static_cast<size_t>(out.origin[i]);
      if (varies) places[k][in_box] = static_cast<int64_t>(i);
      if (varies && step[in_box] < 0) open[k].emplace_back(static_cast<int64_t>(i), out.origin[i]);
      out.origin[i] = step[in_box] < 0 ? -1 - static_cast<int64_t>(k) : step[in_box];
    }
  }
  for (const LayoutChange& layer : layers) {
    bool number = layer.padding.kind == Padding::Kind::Value && !layer.padding.varies();
    out.of_layer.push_back({layer.padding.kind, number ? evaluate(layer.padding.value, sizes) : Scalar{}});
  }
  for (size_t k = 0; k < layers.size(); ++k) {
    PadValue value(layers, k, boxes[k + 1], sizes, places[k], out);
    for (const auto& [element, in_box] : open[k]) out.of_element.emplace(element, value.at(in_box));
  }
  return out;
}

Tensor pack(const PackedCells& cells, const Tensor& before, const PackOptions& options) {
  Tensor to = make_tensor(before.dtype, cells.after_shape);
  to.initialised.assign(static_cast<size_t>(to.size()), 1);
  const bool holds = !options.written || options.moment == Moment::End;
  for (int64_t i = 0; i < to.size(); ++i) {
    const int64_t from = cells.origin[static_cast<size_t>(i)];
    if (from >= 0) {
      copy_cell(to, i, before, from);
      continue;
    }
    const PadCell& pad = cells.pad(i);
    if (pad.kind == Padding::Kind::Value && holds) {
      put(to, i, pad, before);
      continue;
    }
    const bool some = !options.written || options.unpromised == Unpromised::AnyValue;
    if (!some || !Padding::readable(pad.kind)) to.initialised[static_cast<size_t>(i)] = 0;
    store_scalar(options.any_value(to.dtype), &to.data[static_cast<size_t>(i * to.dtype.bytes())]);
  }
  for (const auto& [element, pad] : cells.of_element) {
    if (pad.copy_of >= 0 && holds) copy_cell(to, element, Tensor(to), pad.copy_of);
  }
  return to;
}

Tensor unpack(const PackedCells& cells, const Tensor& after) {
  Tensor to = make_tensor(after.dtype, cells.before_shape);
  to.initialised.assign(static_cast<size_t>(to.size()), 0);
  for (int64_t i = 0; i < after.size(); ++i) {
    const int64_t from = cells.origin[static_cast<size_t>(i)];
    if (from >= 0) copy_cell(to, from, after, i);
  }
  return to;
}

}  // namespace hexproof
