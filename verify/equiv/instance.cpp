#include <functional>
#include <numeric>

#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/layout/cells.h"
#include "ir/visit.h"
#include "verify/equiv/pair.h"
#include "verify/equiv/table.h"

namespace hexproof {
namespace {

using ScalarValues = std::map<Var, Scalar>;

/// The shape as numbers; nothing when an extent has no value or is negative.
std::optional<std::vector<int64_t>> shape_at(const Buffer& buffer, const ScalarValues& values) {
  std::vector<int64_t> out;
  for (const Expr& extent : buffer->shape) {
    Wide value = wide_value(evaluate(extent, values));
    if (value < 0 || value > (Wide{1} << 40)) return std::nullopt;
    out.push_back(static_cast<int64_t>(value));
  }
  return out;
}

Wide element_count(const std::vector<int64_t>& shape) {
  Wide out = 1;
  for (int64_t extent : shape) out = std::min(out * extent, Wide{1} << 60);
  return out;
}

/// What the padding of a layer holds at a cell of its box.
class PadValue {
 public:
  /// `place`: for an element of the box, the element of after's tensor.
  PadValue(const LayoutChange& layer, const std::vector<int64_t>& box, const ScalarValues& sizes,
           std::function<int64_t(int64_t)> place)
      : layer_(layer), box_(box), values_(sizes), place_(std::move(place)) {}

  PadCell at(int64_t element, const std::vector<int64_t>& origin) {
    for (size_t d = box_.size(); d-- > 0; element /= box_[d]) {
      const Var& index = layer_.padding.indices.at(d);
      values_.insert_or_assign(index, int_scalar(index.dtype(), element % box_[d]));
    }
    return resolve(layer_.padding.value, origin);
  }

 private:
  static bool reads(const Expr& e) {
    bool found = false;
    visit_expr(e, [&](const Expr& part) {
      found = found || part->op == Op::Load;
      return !found;
    });
    return found;
  }

  PadCell resolve(const Expr& e, const std::vector<int64_t>& origin) {
    if (!reads(e)) return {Padding::Kind::Value, evaluate(e, values_)};
    bool choice = e->op == Op::IfThenElse || e->op == Op::Select;
    if (choice && !reads(e->args[0])) return resolve(e->args[evaluate(e->args[0], values_).truth() ? 1 : 2], origin);
    if (e->op != Op::Load) {
      throw Unsupported(Span{}, "a pad value that computes with the cells it reads", "one that is a cell");
    }
    int64_t flat = 0;
    for (size_t d = 0; d < box_.size(); ++d) {
      Wide index = wide_value(evaluate(e->args.at(d), values_));
      if (reads(e->args[d]) || index < 0 || index >= box_[d]) throw Error("a pad value reads outside of its buffer");
      flat = flat * box_[d] + static_cast<int64_t>(index);
    }
    int64_t from = origin.at(static_cast<size_t>(place_(flat)));
    if (from < 0) throw Error("a pad value reads padding");
    return {Padding::Kind::Value, {}, from};
  }

  const LayoutChange& layer_;
  const std::vector<int64_t>& box_;
  ScalarValues values_;
  std::function<int64_t(int64_t)> place_;
};

/// Fills `origin`, `of_layer` and `of_element` of the instance's last buffer.
void follow_layers(const BufferPair& pair, const std::vector<std::vector<int64_t>>& boxes, const ScalarValues& sizes,
                   Instance* out) {
  const size_t layers = pair.layers.size();
  std::vector<int64_t>& origin = out->origin.back();
  // at[i]: where the element i of after's tensor is in the box of the layer at hand, or -1 - k.
  origin.resize(static_cast<size_t>(element_count(boxes.back())));
  std::iota(origin.begin(), origin.end(), int64_t{0});
  std::vector<std::vector<int64_t>> places(layers);  // element of the box -> element of after's tensor
  std::vector<std::pair<size_t, std::vector<std::pair<int64_t, int64_t>>>> to_find;  // layer; elements of both
  for (size_t k = layers; k-- > 0;) {
    const LayoutChange& layer = pair.layers[k];
    std::vector<int64_t> step = cell_origins(pair.before->name, layer.map, boxes[k], boxes[k + 1]);
    const bool varies = layer.padding.varies();
    std::vector<std::pair<int64_t, int64_t>> open;
    if (varies) places[k].resize(step.size());
    for (size_t i = 0; i < origin.size(); ++i) {
      if (origin[i] < 0) continue;
      const auto in_box = static_cast<size_t>(origin[i]);
      if (varies) places[k][in_box] = static_cast<int64_t>(i);
      if (varies && step[in_box] < 0) open.emplace_back(static_cast<int64_t>(i), origin[i]);
      origin[i] = step[in_box] < 0 ? -1 - static_cast<int64_t>(k) : step[in_box];
    }
    if (varies) to_find.emplace_back(k, std::move(open));
  }
  for (const LayoutChange& layer : pair.layers) {
    bool number = layer.padding.kind == Padding::Kind::Value && !layer.padding.varies();
    out->of_layer.back().push_back({layer.padding.kind, number ? evaluate(layer.padding.value, sizes) : Scalar{}});
  }
  for (const auto& [k, open] : to_find) {
    PadValue value(pair.layers[k], boxes[k + 1], sizes,
                   [&places, k = k](int64_t in_box) { return places[k].at(static_cast<size_t>(in_box)); });
    for (const auto& [element, in_box] : open) out->of_element.back().emplace(element, value.at(in_box, origin));
  }
}

}  // namespace

const PadCell& Instance::pad(size_t buffer, int64_t element) const {
  const auto& own = of_element.at(buffer);
  if (auto it = own.find(element); it != own.end()) return it->second;
  return of_layer.at(buffer).at(static_cast<size_t>(-1 - origin.at(buffer).at(static_cast<size_t>(element))));
}

std::optional<Instance> instantiate(const ProgramPair& pair, const std::vector<int64_t>& before_scalars) {
  Instance out;
  out.before_scalars = before_scalars;
  ScalarValues before, after;
  std::vector<Var> vars = pair.before.scalars();
  HEXPROOF_CHECK(vars.size() == before_scalars.size(), "sizes that are not those of the program");
  for (size_t k = 0; k < vars.size(); ++k) {
    if (!fits_type(vars[k].dtype(), before_scalars[k])) return std::nullopt;
    before.emplace(vars[k], int_scalar(vars[k].dtype(), before_scalars[k]));
  }
  try {
    for (const Var& var : pair.after.scalars()) {
      auto value = pair.after_scalars.find(var);
      if (value == pair.after_scalars.end()) return std::nullopt;
      Scalar scalar = evaluate(value->second, before);
      out.after_scalars.push_back(static_cast<int64_t>(wide_value(scalar)));
      after.emplace(var, scalar);
    }
    for (const BufferPair& buffer : pair.buffers) {
      auto from = shape_at(buffer.before, before), to = shape_at(buffer.after, after);
      if (!from || !to || (buffer.identity && *from != *to)) return std::nullopt;
      if (element_count(*from) > (1 << 28) || element_count(*to) > (1 << 28)) return std::nullopt;
      out.before_shapes.push_back(*from);
      out.after_shapes.push_back(*to);
      out.origin.emplace_back();
      out.of_layer.emplace_back();
      out.of_element.emplace_back();
      if (buffer.identity) continue;
      std::vector<std::vector<int64_t>> boxes{*from};
      for (size_t k = 0; k < buffer.layers.size(); ++k) {
        bool last = k + 1 == buffer.layers.size();
        auto box = last ? to : shape_at(buffer.layers[k].after, before);
        if (!box || element_count(*box) > (1 << 27)) return std::nullopt;  // cell by cell, of 8 bytes each
        boxes.push_back(*box);
      }
      follow_layers(buffer, boxes, before, &out);
    }
  } catch (const Fault&) {
    return std::nullopt;  // a size that overflows
  }
  return out;
}

std::vector<Tensor> pack_arguments(const ProgramPair& pair, const Instance& instance, const std::vector<Tensor>& before,
                                   uint64_t filler) {
  std::vector<Tensor> out;
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    if (buffer.identity) {
      out.push_back(before.at(b));
      continue;
    }
    Tensor to = make_tensor(buffer.after->dtype, instance.after_shapes.at(b));
    to.initialised.assign(static_cast<size_t>(to.size()), 1);
    const std::vector<int64_t>& origin = instance.origin.at(b);
    for (int64_t i = 0; i < to.size(); ++i) {
      int64_t from = origin[static_cast<size_t>(i)];
      if (from >= 0) {
        copy_cell(to, i, before.at(b), from);
        continue;
      }
      const PadCell& pad = instance.pad(b, i);
      if (!Padding::readable(pad.kind)) to.initialised[static_cast<size_t>(i)] = 0;
      bool fixed = pad.kind == Padding::Kind::Value && !buffer.written;
      if (fixed && pad.same_as >= 0) {
        copy_cell(to, i, before.at(b), pad.same_as);
      } else {
        set_element(to, i, fixed ? pad.value : arbitrary_scalar(to.dtype, filler++));
      }
    }
    out.push_back(std::move(to));
  }
  return out;
}

}  // namespace hexproof
