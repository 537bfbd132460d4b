#include "ir/interpreter/inputs/random_inputs.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "ir/float_format.h"
#include "ir/visit.h"

namespace hexproof {
namespace {

constexpr int kTries = 96;
constexpr int64_t kMaxCells = 4096;

Tensor random_tensor(const PrimFunc& func, const Buffer& argument, const std::vector<int64_t>& shape, uint64_t& seed,
                     Values values) {
  const DType type = argument->dtype;
  Tensor tensor = make_argument(func, argument, shape);
  size_t width = type.bytes();
  for (int64_t i = 0; i < tensor.size(); ++i) {
    uint64_t random = next_random(seed);
    if (values != Values::EdgeHeavy) random &= ~1ull;
    const bool whole = values == Values::Whole && type.is_float();
    const double number = static_cast<double>(random >> 8 & 7) + 1;
    const uint64_t bits = whole ? float_to_raw(type, random >> 16 & 1 ? -number : number) : random_value(type, random);
    std::memcpy(tensor.data.data() + i * width, &bits, width);
  }
  return tensor;
}

/// Sizes: small ones, 0 and 1 among them.
int64_t random_size(uint64_t& seed) {
  static const std::vector<int64_t> kSizes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 40};
  return kSizes[next_random(seed) % kSizes.size()];
}
int64_t random_scalar(DType type, uint64_t& seed) {
  if (type.is_bool()) return static_cast<int64_t>(next_random(seed) % 2);
  if (!type.is_integer() || next_random(seed) % 3 != 0) {
    int64_t value = random_size(seed);
    return next_random(seed) % 5 == 0 && !type.is_uint() ? -value : value;
  }
  uint64_t random = next_random(seed);
  auto edge = static_cast<int64_t>(random_value(type, random));
  int unused = 64 - type.bits;
  return type.is_uint() ? edge : static_cast<int64_t>(static_cast<uint64_t>(edge) << unused) >> unused;
}

/// The constants in what is assumed, and their neighbours: edges of what is allowed.
std::vector<int64_t> edges(const std::vector<Stmt>& assumes) {
  std::vector<int64_t> out;
  for (const Stmt& s : assumes) {
    visit_all_exprs(s, [&](const Expr& e) {
      if (const int64_t* n = as_int(e); n && e->dtype == kInt32) {
        for (int64_t k : {*n, *n - 1, *n + 1}) {
          if (fits_type(kInt32, k)) out.push_back(k);
        }
      }
    });
  }
  return out;
}

bool holds(const std::vector<Stmt>& assumes, const std::vector<Var>& scalars, const std::vector<int64_t>& values) {
  if (assumes.empty()) return true;
  PrimFunc func;
  for (const Var& v : scalars) func.params.push_back({v, {}});
  func.body = seq(assumes);
  std::vector<Tensor> none;
  return !run(func, none, values).error;
}

/// The extents at these values; nothing for one that is negative, or for too many cells.
std::optional<std::vector<int64_t>> extents(const Buffer& buffer, const std::vector<Var>& scalars,
                                            const std::vector<int64_t>& values) {
  std::vector<int64_t> out;
  int64_t cells = 1;
  for (const Expr& e : buffer->shape) {
    int64_t extent = -1;
    if (const int64_t* n = as_int(e)) extent = *n;
    for (size_t k = 0; k < scalars.size(); ++k) {
      if (e->op == Op::Var && e->var() == scalars[k]) extent = values[k];
    }
    if (extent < 0 || extent > kMaxCells) return std::nullopt;
    out.push_back(extent);
    cells *= extent;
    if (cells > kMaxCells) return std::nullopt;
  }
  return out;
}

/// A size that is no more than a size of a buffer: of an argument, or of memory that the program allocates.
std::set<Var> size_variables(const PrimFunc& func, const std::vector<Buffer>& allocated) {
  std::set<Var> out;
  auto add = [&](const Buffer& b) {
    for (const Expr& e : b->shape) {
      if (e->op == Op::Var) out.insert(e->var());
    }
  };
  for (const Buffer& b : func.buffer_params()) add(b);
  for (const Buffer& b : allocated) add(b);
  return out;
}

std::vector<Buffer> allocations(const PrimFunc& func) {
  std::vector<Buffer> out;
  visit_stmt(func.body, [&](const Stmt& s) {
    if (const AllocBuffer* alloc = s.as<AllocBuffer>()) out.push_back(alloc->buffer);
    return true;
  });
  return out;
}

/// Its extents are constants and scalars, and there are so many cells that runs would be about nothing else.
bool too_large(const Buffer& buffer, const std::vector<Var>& scalars, const std::vector<int64_t>& values) {
  for (const Expr& e : buffer->shape) {
    for (size_t k = 0; k < scalars.size(); ++k) {
      if (e->op == Op::Var && e->var() == scalars[k] && values[k] > kMaxCells) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Tensor> random_inputs(const PrimFunc& func, uint64_t seed, Values values) {
  std::vector<Tensor> out;
  for (const Buffer& buffer : func.buffer_params()) {
    const std::optional<std::vector<int64_t>> shape = constant_shape(buffer);
    if (!shape) {
      throw Unsupported(func.span, "'" + buffer->name + "' has a symbolic shape: there are no random inputs for it");
    }
    out.push_back(random_tensor(func, buffer, *shape, seed, values));
  }
  if (func.scalars().empty()) satisfy_assumes(func, out);
  return out;
}

std::vector<Stmt> assumes_of_scalars(const PrimFunc& func) {
  std::vector<Stmt> out;
  std::vector<Stmt> parts = func.body.as<Seq>() ? func.body.as<Seq>()->stmts : std::vector<Stmt>{func.body};
  std::vector<Var> scalars = func.scalars();
  std::set<Var> known(scalars.begin(), scalars.end());
  for (const Stmt& s : parts) {
    const Assume* a = s.as<Assume>();
    if (!a || is_data(a->condition)) continue;
    bool all = true;
    for (const Var& v : free_vars(a->condition)) all = all && known.count(v) > 0;
    if (all) out.push_back(s);
  }
  return out;
}

std::optional<RunArguments> random_arguments_at(const PrimFunc& func, const std::vector<int64_t>& at, uint64_t seed,
                                                Values values) {
  const std::vector<Var> scalars = func.scalars();
  for (const Buffer& b : allocations(func)) {
    if (too_large(b, scalars, at)) return std::nullopt;
  }
  std::vector<std::vector<int64_t>> shapes;
  for (const Buffer& b : func.buffer_params()) {
    std::optional<std::vector<int64_t>> shape = extents(b, scalars, at);
    if (!shape) return std::nullopt;
    shapes.push_back(*std::move(shape));
  }
  RunArguments out;
  for (size_t b = 0; b < shapes.size(); ++b) {
    out.buffers.push_back(random_tensor(func, func.buffer_params()[b], shapes[b], seed, values));
  }
  for (size_t k = 0, p = 0; p < func.params.size(); ++p) {
    if (!func.params[p].buffer) out.scalars.push_back(at[k++]);  // scalar parameters come first in `scalars`
  }
  satisfy_assumes(func, out.buffers, out.scalars);
  return out;
}

RunArguments random_arguments(const PrimFunc& func, uint64_t seed, Values values) {
  const std::vector<Var> scalars = func.scalars();
  if (scalars.empty()) return {random_inputs(func, seed, values), {}};
  const std::set<Var> sizes = size_variables(func, allocations(func));
  const std::vector<Stmt> assumes = assumes_of_scalars(func);
  const std::vector<int64_t> near = edges(assumes);
  std::vector<int64_t> chosen(scalars.size(), 0);
  for (int t = 0; t < kTries; ++t) {
    for (size_t k = 0; k < scalars.size(); ++k) {
      chosen[k] = sizes.count(scalars[k]) ? random_size(seed) : random_scalar(scalars[k].dtype(), seed);
      bool at_edge = !near.empty() && scalars[k].dtype() == kInt32 && next_random(seed) % 2 == 0;
      if (at_edge) chosen[k] = near[next_random(seed) % near.size()];
    }
    const bool last = t + 1 == kTries;
    if (!last && !holds(assumes, scalars, chosen)) continue;
    if (std::optional<RunArguments> out = random_arguments_at(func, chosen, seed, values)) return *std::move(out);
  }
  throw Unsupported(func.span, "no sizes were found for the arguments");
}

}  // namespace hexproof
