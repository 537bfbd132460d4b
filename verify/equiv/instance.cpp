#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "verify/equiv/pair.h"

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

/// Is there memory of that layout?
bool has_layout(const Buffer& buffer, const std::vector<int64_t>& shape, ScalarValues values) {
  try {
    bind_layout(buffer, shape, values);
    return true;
  } catch (const Error&) {
    return false;
  }
}

Wide element_count(const std::vector<int64_t>& shape) {
  Wide out = 1;
  for (int64_t extent : shape) out = std::min(out * extent, Wide{1} << 60);
  return out;
}

/// The cells of a changed buffer. What computes with cells is outside of what the methods compare.
PackedCells cells_of(const BufferPair& buffer, const std::vector<std::vector<int64_t>>& boxes,
                     const ScalarValues& sizes) {
  PackedCells out = packed_cells(buffer.before->name, buffer.layers, boxes, sizes);
  for (const auto& [element, pad] : out.of_element) {
    if (pad.copy_of >= 0) throw Error("a pad value reads padding");
    if (pad.computed) {
      throw Unsupported(Span{}, "a pad value that computes with the cells it reads", "one that is a cell");
    }
  }
  return out;
}

}  // namespace

std::optional<Instance> instantiate(const ProgramPair& pair, const std::vector<int64_t>& before_scalars) {
  Instance out;
  out.before_scalars = before_scalars;
  ScalarValues before, after;
  std::vector<Var> vars = pair.before.scalars();
  HEXPROOF_CHECK(vars.size() == before_scalars.size(), "sizes that are not those of the program");
  for (size_t k = 0; k < vars.size(); ++k) {
    const Wide value = scalar_value(vars[k], before_scalars[k]);
    if (!fits_type(vars[k].dtype(), value)) return std::nullopt;
    before.emplace(vars[k], int_scalar(vars[k].dtype(), value));
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
      if (!has_layout(buffer.before, *from, before) || !has_layout(buffer.after, *to, after)) return std::nullopt;
      out.before_shapes.push_back(*from);
      out.after_shapes.push_back(*to);
      out.cells.emplace_back();
      if (buffer.identity) continue;
      std::vector<std::vector<int64_t>> boxes{*from};
      for (size_t k = 0; k < buffer.layers.size(); ++k) {
        bool last = k + 1 == buffer.layers.size();
        auto box = last ? to : shape_at(buffer.layers[k].after, before);
        if (!box || element_count(*box) > (1 << 27)) return std::nullopt;  // cell by cell, of 8 bytes each
        boxes.push_back(*box);
      }
      out.cells.back() = cells_of(buffer, boxes, before);
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
    out.push_back(pack(instance.cells.at(b), before.at(b),
                       {.written = buffer.written, .unpromised = Unpromised::AnyValue, .any_value = [&](DType type) {
                          return arbitrary_scalar(type, filler++);
                        }}));
  }
  return out;
}

}  // namespace hexproof
