#include "verify/equiv/fingerprint/argument_cells.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "verify/equiv/table.h"

namespace hexproof::fingerprint {
namespace {

/// An element lane of an argument of `after` that is looked at: the cell of before's tensor, or the pad's value.
int64_t origin_of(const Instance& at, size_t buffer, int64_t element) {
  const std::vector<int64_t>& origin = at.cells.at(buffer).origin;
  return origin.empty() ? element : origin[static_cast<size_t>(element)];
}
int64_t elements(const std::vector<int64_t>& shape) {
  int64_t out = 1;
  for (int64_t extent : shape) out *= extent;
  return out;
}

Label label(const Algebra& algebra, const char* what, size_t buffer) {
  return algebra.label(fmt::format("{} {}", what, buffer));
}

std::string place(const Buffer& buffer, int64_t flat, const std::vector<int64_t>& shape) {
  std::string out = buffer->name + "[";
  bool first = true;
  for (int64_t i : index_of(flat, shape)) out += (first ? "" : ", ") + std::to_string(i), first = false;
  return out + "]";
}

}  // namespace

Cells ArgumentCells::before_cells(const Algebra& algebra) const {
  Cells out;
  for (size_t b = 0; b < pair_.buffers.size(); ++b) {
    DType type = type_of(b);
    size_t width = algebra.words(type);
    auto count = static_cast<uint64_t>(elements(at_.before_shapes.at(b)) * type.lanes);
    std::vector<uint64_t> cells(count * width);
    Label name = label(algebra, "argument", b);
    for (uint64_t i = 0; i < count; ++i) algebra.variable(name, i, type, &cells[i * width]);
    out.push_back(std::move(cells));
  }
  return out;
}

Cells ArgumentCells::after_cells(const Algebra& algebra) const {
  Cells out;
  for (size_t b = 0; b < pair_.buffers.size(); ++b) {
    const BufferPair& buffer = pair_.buffers[b];
    DType type = type_of(b);
    size_t width = algebra.words(type);
    auto lanes = static_cast<uint64_t>(type.lanes);
    auto count = static_cast<uint64_t>(elements(at_.after_shapes.at(b)));
    std::vector<uint64_t> cells(count * lanes * width);
    Label name = label(algebra, "argument", b), padding = label(algebra, "padding", b);
    for (uint64_t i = 0; i < count * lanes; ++i) {
      int64_t origin = origin_of(at_, b, static_cast<int64_t>(i / lanes));
      uint64_t* cell = &cells[i * width];
      if (origin >= 0) {
        algebra.variable(name, static_cast<uint64_t>(origin) * lanes + i % lanes, type, cell);
      } else if (const PadCell& pad = at_.pad(b, static_cast<int64_t>(i / lanes));
                 pad.kind == Padding::Kind::Value && !buffer.written) {
        if (pad.same_as >= 0) {
          algebra.variable(name, static_cast<uint64_t>(pad.same_as) * lanes + i % lanes, type, cell);
        } else {
          algebra.constant(pad.value, cell);
        }
      } else {
        algebra.variable(padding, i, type, cell);
      }
    }
    out.push_back(std::move(cells));
  }
  return out;
}

/// Bounds of variables; padding that may not be read has an infinite degree.
Cells ArgumentCells::start_bounds(const std::vector<std::vector<int64_t>>& shapes, const Algebra& algebra, bool after,
                                  bool degrees_only, std::vector<bool>* watched) const {
  Cells out;
  for (size_t b = 0; b < pair_.buffers.size(); ++b) {
    const BufferPair& buffer = pair_.buffers[b];
    DType type = type_of(b);
    auto lanes = static_cast<uint64_t>(type.lanes);
    auto count = static_cast<uint64_t>(elements(shapes.at(b))) * lanes;
    std::vector<uint64_t> cells;
    watched->push_back(false);
    for (uint64_t i = 0; i < count; ++i) {
      CellBounds bounds;
      if (after && origin_of(at_, b, static_cast<int64_t>(i / lanes)) < 0) {
        const PadCell& pad = at_.pad(b, static_cast<int64_t>(i / lanes));
        if (!Padding::readable(pad.kind)) {
          bounds.degree = std::numeric_limits<double>::infinity();
          watched->back() = true;
        } else if (pad.kind == Padding::Kind::Value && pad.same_as < 0 && !buffer.written) {
          if (algebra.world(type) == World::Ring && algebra.is_number(pad.value)) {
            bounds.norm = std::max(1.0, std::fabs(static_cast<double>(centred(pad.value))) * kRoundUp);
          }
        }
      }
      for (double d : {bounds.degree, bounds.norm, bounds.applications, bounds.most_degree, bounds.most_norm}) {
        cells.push_back(std::bit_cast<uint64_t>(d));
        if (degrees_only) break;
      }
    }
    out.push_back(std::move(cells));
  }
  return out;
}

/// Is this element of after's argument looked at, at the end?
bool ArgumentCells::observed(size_t buffer, int64_t element) const {
  if (origin_of(at_, buffer, element) >= 0) return true;
  return !pair_.buffers[buffer].logical_only && at_.pad(buffer, element).kind == Padding::Kind::Value;
}

/// The first cell (in the order of before's arguments, then padding) whose residues differ, as a sentence.
std::string ArgumentCells::first_difference(const Algebra& algebra, const Cells& before, const Cells& after) const {
  for (size_t b = 0; b < pair_.buffers.size(); ++b) {
    const BufferPair& buffer = pair_.buffers[b];
    DType type = type_of(b);
    size_t width = algebra.words(type) * type.lanes;
    std::vector<uint64_t> number(width);
    auto wanted_of = [&](int64_t i, int64_t origin) -> const uint64_t* {
      if (origin < 0) {
        const PadCell& pad = at_.pad(b, i);
        origin = pad.same_as;
        for (size_t lane = 0; origin < 0 && lane < type.lanes; ++lane) {
          algebra.constant(pad.value, &number[lane * algebra.words(type)]);
        }
      }
      return origin < 0 ? number.data() : &before[b][static_cast<size_t>(origin) * width];
    };
    int64_t first = -1, first_padding = -1, wrong = 0;
    for (int64_t i = 0; i < static_cast<int64_t>(after[b].size() / width); ++i) {
      int64_t origin = origin_of(at_, b, i);
      if (!observed(b, i)) continue;
      const uint64_t* found = &after[b][static_cast<size_t>(i) * width];
      const uint64_t* wanted = wanted_of(i, origin);
      bool equal = true;
      for (size_t k = 0; k < width; ++k) equal = equal && field_canonical(found[k]) == field_canonical(wanted[k]);
      if (equal) continue;
      ++wrong;
      if (origin < 0) {
        if (first_padding < 0) first_padding = i;
      } else if (first < 0 || origin < first) {
        first = origin;
      }
    }
    if (wrong == 0) continue;
    if (first < 0) {
      return fmt::format("the padding {} does not hold the pad value by the same operations",
                         place(buffer.after, first_padding, at_.after_shapes[b]));
    }
    return fmt::format("the operations that make {} differ ({} of the cells of {} do)",
                       place(buffer.before, first, at_.before_shapes[b]), wrong, buffer.before->name);
  }
  return "";
}

}  // namespace hexproof::fingerprint
