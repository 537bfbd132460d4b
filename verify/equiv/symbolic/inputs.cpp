#include "verify/equiv/symbolic/inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/interpreter/paths.h"
#include "ir/layout/cells.h"
#include "verify/equiv/unfilled_padding.h"

namespace hexproof::symbolic {
namespace {

Tensor tensor_of(const Buffer& buffer, std::vector<int64_t> shape, uint64_t max_cells) {
  Wide cells = buffer->dtype.lanes;
  for (int64_t extent : shape) cells = std::min(cells * extent, Wide{1} << 60);
  if (cells > static_cast<Wide>(max_cells)) {
    throw TooMuch{fmt::format("the buffer {} has {} cells, more than {}", buffer->name, to_string(cells), max_cells)};
  }
  if (buffer->dtype.lanes > 1) shape.push_back(buffer->dtype.lanes);
  return make_tensor(buffer->dtype.element(), std::move(shape));
}

template <class F>
void each_place(const BoundBuffer& bound, F f) {
  const auto lanes = static_cast<size_t>(bound.buffer->dtype.lanes);
  if (bound.compact) {
    for (size_t i = 0; i < static_cast<size_t>(bound.elements) * lanes; ++i) f(i, i);
    return;
  }
  size_t in_tensor = 0;
  for (int64_t element : element_positions(bound)) {
    for (size_t lane = 0; lane < lanes; ++lane) f(static_cast<size_t>(element) * lanes + lane, in_tensor++);
  }
}

}  // namespace

void fill(Memory& memory, const BoundBuffer& bound, const std::vector<Term>& cells) {
  each_place(bound, [&](size_t at, size_t i) {
    if (cells[i] == kNoTerm) return;
    memory.cells[at] = cells[i];
    memory.filled[at] = Terms::kTrue;
  });
}

std::vector<Held> read_back(const Memory& memory, const BoundBuffer& bound) {
  std::vector<Held> out;
  each_place(bound, [&](size_t at, size_t i) {
    out.resize(std::max(out.size(), i + 1), Held{kNoTerm, Terms::kFalse});
    out[i] = {memory.cells[at], memory.filled[at]};
  });
  return out;
}

Term Inputs::fresh(DType type, bool of_after, size_t buffer, int64_t at) {
  cells_.push_back({type, of_after, static_cast<uint32_t>(buffer), at});
  return terms_.input(type, static_cast<uint32_t>(cells_.size() - 1));
}

int64_t Inputs::origin(size_t buffer, int64_t at) const {
  if (pair_.buffers[buffer].identity) return at;
  const int64_t lanes = pair_.buffers[buffer].after->dtype.lanes;
  int64_t from = instance_.cells[buffer].origin[static_cast<size_t>(at / lanes)];
  return from < 0 ? from : from * lanes + at % lanes;
}

Inputs::Inputs(const ProgramPair& pair, const Instance& instance, Terms& terms, uint64_t max_cells)
    : pair_(pair), instance_(instance), terms_(terms) {
  for (size_t b = 0; b < pair.buffers.size(); ++b) {
    const BufferPair& buffer = pair.buffers[b];
    before_tensors.push_back(tensor_of(buffer.before, instance.before_shapes[b], max_cells));
    after_tensors.push_back(tensor_of(buffer.after, instance.after_shapes[b], max_cells));
    const DType type = buffer.before->dtype.element();
    auto& cells = before.emplace_back(static_cast<size_t>(before_tensors[b].size()));
    for (size_t i = 0; i < cells.size(); ++i) cells[i] = fresh(type, false, b, static_cast<int64_t>(i));
    auto& moved = after.emplace_back(static_cast<size_t>(after_tensors[b].size()));
    for (size_t i = 0; i < moved.size(); ++i) {
      int64_t from = origin(b, static_cast<int64_t>(i));
      if (from >= 0) {
        moved[i] = cells[static_cast<size_t>(from)];
        continue;
      }
      const PadCell& pad = instance.pad(b, static_cast<int64_t>(i) / buffer.after->dtype.lanes);
      if (!Padding::readable(pad.kind)) {
        moved[i] = kNoTerm;
      } else if (pad.kind == Padding::Kind::Value && !buffer.written) {
        moved[i] = pad.same_as < 0 ? terms.constant(pad.value) : cells[static_cast<size_t>(pad.same_as)];
      } else {
        moved[i] = fresh(type, true, b, static_cast<int64_t>(i));
      }
    }
  }
  const FilledCells filled = filled_cells(pair, instance);
  mark_filled(filled.before, &before_tensors), mark_filled(filled.after, &after_tensors);
  auto empty = [](const std::vector<Tensor>& tensors, std::vector<std::vector<Term>>* cells) {
    for (size_t b = 0; b < tensors.size(); ++b) {
      for (size_t i = 0; i < tensors[b].initialised.size(); ++i) {
        if (tensors[b].initialised[i] == 0) (*cells)[b][i] = kNoTerm;
      }
    }
  };
  empty(before_tensors, &before), empty(after_tensors, &after);
}

std::string Inputs::name(uint32_t input) const {
  const InputCell& cell = cells_[input];
  const Tensor& tensor = (cell.of_after ? after_tensors : before_tensors)[cell.buffer];
  const BufferPair& pair = pair_.buffers[cell.buffer];
  return fmt::format("{}[{}]", (cell.of_after ? pair.after : pair.before)->name,
                     fmt::join(index_of(cell.at, tensor.shape), ", "));
}

PairInput Inputs::arguments(const std::vector<Scalar>& values) const {
  PairInput out{instance_, before_tensors, {}};
  auto put = [&](std::vector<Tensor>& tensors, size_t input) {
    const InputCell& cell = cells_[input];
    Tensor& tensor = tensors[cell.buffer];
    store_scalar(values[input], &tensor.data[static_cast<size_t>(cell.at * tensor.dtype.bytes())]);
  };
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (!cells_[i].of_after) put(out.before, i);
  }
  out.after = pack_arguments(pair_, instance_, out.before, 1);
  for (size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].of_after) put(out.after, i);
  }
  for (size_t b = 0; b < out.after.size(); ++b) {
    if (!after_tensors[b].initialised.empty()) out.after[b].initialised = after_tensors[b].initialised;
  }
  return out;
}

}  // namespace hexproof::symbolic
