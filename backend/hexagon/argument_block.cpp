#include "backend/hexagon/argument_block.h"

#include <algorithm>
#include <cstring>

#include "backend/alignment.h"
#include "backend/row_tables.h"
#include "ir/base/diagnostic.h"
#include "ir/interpreter/inputs/random_values.h"

namespace hexproof {
namespace {

constexpr char kGap = '\x5a';

int64_t whole_lines(int64_t bytes) {
  return (bytes + kParameterAlignment - 1) / kParameterAlignment * kParameterAlignment;
}

int64_t known_size(const PrimFunc& func, const Buffer& b, const Expr& size, const ScalarValues& scalars) {
  std::optional<Wide> value = value_of(size, scalars);
  if (!value) throw Unsupported(func.span, "the size of parameter '" + b->name + "' is not known");
  return static_cast<int64_t>(std::min<Wide>(*value, INT32_MAX));
}

/// Each number below `count` once.
std::vector<size_t> shuffled(size_t count) {
  std::vector<size_t> out(count);
  for (size_t k = 0; k < count; ++k) out[k] = k;
  uint64_t state = 1;
  for (size_t k = count; k > 1; --k) std::swap(out[k - 1], out[next_random(state) % k]);
  return out;
}

}  // namespace

ArgumentBlock place_arguments(const PrimFunc& func, const ScalarValues& scalars) {
  ArgumentBlock out;
  int64_t at = whole_lines(8 * static_cast<int64_t>(func.scalars().size()));
  auto take = [&](int64_t bytes) {
    const int64_t from = at;
    at = whole_lines(at + bytes);
    if (at > INT32_MAX) throw Unsupported(func.span, "parameters of more than 2^31 - 1 bytes");
    return from;
  };
  for (const Buffer& b : func.buffer_params()) {
    if (!is_row_table(b)) {
      const int64_t bytes = known_size(func, b, bytes_of(b), scalars);
      out.buffers.push_back({.offsets = {take(bytes)}, .bytes = bytes});
      continue;
    }
    const int64_t rows = known_size(func, b, number_of_rows(b), scalars),
                  bytes = known_size(func, b, bytes_of_row(b), scalars);
    if (rows > INT32_MAX / kParameterAlignment) throw Unsupported(func.span, "parameters of more than 2^31 - 1 bytes");
    PlacedArgument placed{
        .row_table = true, .offsets = std::vector<int64_t>(static_cast<size_t>(rows)), .bytes = bytes};
    uint64_t state = 2;
    for (size_t row : shuffled(static_cast<size_t>(rows))) {
      take(kParameterAlignment * static_cast<int64_t>(1 + next_random(state) % 3));
      placed.offsets[row] = take(bytes);
    }
    take(kParameterAlignment);
    out.buffers.push_back(std::move(placed));
  }
  out.bytes = at;
  return out;
}

void demand_contract(const PrimFunc& func, const ArgumentBlock& block) {
  const std::vector<Buffer> params = func.buffer_params();
  HEXPROOF_CHECK(params.size() == block.buffers.size(), "a block of other parameters");
  struct Piece {
    int64_t first, last;
    size_t param;
  };
  std::vector<Piece> pieces;
  auto refuse = [&](size_t param, const std::string& what) {
    const bool rows = block.buffers[param].row_table;
    throw Error((rows ? "a row of parameter '" : "parameter '") + params[param]->name + "' of " + func.name + " " +
                what + ", as the kernel's calling contract asks");
  };
  for (size_t k = 0; k < params.size(); ++k) {
    for (const int64_t offset : block.buffers[k].offsets) {
      if (offset % kParameterAlignment != 0) {
        refuse(k, "is at an address that is no multiple of " + std::to_string(kParameterAlignment) + " bytes");
      }
      pieces.push_back({offset, offset + block.buffers[k].bytes, k});
    }
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.first < b.first; });
  int64_t taken = 8 * static_cast<int64_t>(func.scalars().size());
  for (const Piece& piece : pieces) {
    if (piece.first == piece.last) continue;
    if (piece.first < taken || piece.last > block.bytes) refuse(piece.param, "does not lie apart from all others");
    taken = piece.last;
  }
}

std::string fill_block(const PrimFunc& func, const ArgumentBlock& block, const std::vector<uint64_t>& words,
                       const std::vector<Tensor>& buffers) {
  demand_contract(func, block);
  std::string out(static_cast<size_t>(block.bytes), kGap);
  if (!words.empty()) std::memcpy(out.data(), words.data(), words.size() * 8);
  for (size_t k = 0; k < buffers.size(); ++k) {
    const PlacedArgument& placed = block.buffers[k];
    const size_t bytes = placed.bytes * placed.offsets.size();
    if (buffers[k].data.size() != bytes) {
      throw Error("tensor " + std::to_string(k) + " has " + std::to_string(buffers[k].data.size()) +
                  " bytes, the program was linked for " + std::to_string(bytes));
    }
    auto from = buffers[k].data.begin();
    for (const int64_t offset : placed.offsets) {
      std::copy(from, from + placed.bytes, out.begin() + offset);
      from += placed.bytes;
    }
  }
  return out;
}

void empty_block(const ArgumentBlock& block, const std::string& before, const std::string& after,
                 std::vector<Tensor>& buffers) {
  std::string rest = after;
  for (size_t k = 0; k < buffers.size(); ++k) {
    const PlacedArgument& placed = block.buffers[k];
    auto to = buffers[k].data.begin();
    for (const int64_t offset : placed.offsets) {
      to = std::copy(after.begin() + offset, after.begin() + offset + placed.bytes, to);
      std::copy(before.begin() + offset, before.begin() + offset + placed.bytes, rest.begin() + offset);
    }
  }
  const auto [was, is] = std::mismatch(before.begin(), before.end(), rest.begin(), rest.end());
  HEXPROOF_CHECK(was == before.end() && is == rest.end(), "the kernel wrote where none of its arguments is, at byte " +
                                                              std::to_string(was - before.begin()) + " of its block");
}

}  // namespace hexproof
