// Memory and views of a walk, over any type of cell.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/interpreter/address.h"
#include "ir/interpreter/arguments.h"
#include "ir/interpreter/fault.h"
#include "ir/interpreter/race.h"

namespace hexproof {

/// One allocation: cells of a scalar type, each filled or uninitialised.
template <class Cell>
struct WalkMemory {
  DType element;
  std::vector<Cell> cells;
  std::vector<uint8_t> filled;
  bool constant = false;
  RaceShadow shadow;
  FlightShadow flight;

  /// Unsupported when the cells would take gigabytes of the host's memory.
  WalkMemory(DType type, int64_t size) : element(type) {
    if (size > int64_t{1} << 26)
      throw Unsupported(Span{}, "to interpret a memory of " + std::to_string(size) + " elements");
    cells.resize(static_cast<size_t>(size));
    filled.resize(static_cast<size_t>(size), 0);
  }
  int64_t size() const { return static_cast<int64_t>(cells.size()); }
};

/// A buffer with its layout as numbers, over a memory.
template <class Cell>
struct WalkView {
  WalkMemory<Cell>* memory = nullptr;
  std::vector<int64_t> shape, strides;
  int64_t offset = 0;

  /// Where lane `lane` of the element at `indices` lies; a Fault when it is out of bounds.
  size_t position(bool write, const BufferNode& buffer, const std::vector<int64_t>& indices, int lane) const {
    for (size_t i = 0; i < shape.size(); ++i) {
      if (indices[i] < 0 || indices[i] >= shape[i]) faults::out_of_bounds(write, buffer, indices, i, shape[i]);
    }
    const std::optional<Wide> element = element_address(buffer, shape, strides, offset, indices);
    const Wide place = element ? *element * buffer.dtype.lanes + lane : -1;
    if (place < 0 || place >= memory->size()) {
      faults::outside_memory(write, buffer, indices, address_text(element), memory->size() / buffer.dtype.lanes);
    }
    return static_cast<size_t>(place);
  }
};

}  // namespace hexproof
