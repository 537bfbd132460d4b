// Loads and stores of a symbolic run. An index that depends on data means each cell that it may name.
#include <fmt/format.h>

#include "ir/interpreter/address.h"
#include "ir/interpreter/arguments.h"
#include "verify/equiv/symbolic/executor.h"

namespace hexproof::symbolic {
namespace {
/// How many cells one access with data-dependent indices may mean.
constexpr size_t kMaxCandidates = size_t{1} << 16;
}  // namespace

View& Executor::view(uint32_t slot, const BufferNode& buffer) {
  View& v = views_[slot];
  if (v.memory == nullptr) throw Error("the buffer " + buffer.name + " is used where it is not declared");
  return v;
}

/// The indices of each element of an access, in the order of the lanes.
std::vector<std::vector<Executor::Index>> Executor::elements(const std::vector<const Code*>& indices) {
  std::vector<std::vector<Index>> parts;
  size_t lanes = 1;
  for (const Code* e : indices) {
    std::vector<Index>& part = parts.emplace_back();
    auto add = [&](const Scalar& s) {
      Wide wide = wide_value(s);
      if (!fits_type(kInt64, wide)) {
        throw Fault{ErrorKind::Overflow, "the number " + to_string(wide) + " in an index is beyond int64"};
      }
      part.push_back({static_cast<int64_t>(wide), kNoTerm});
    };
    if (!e->data) {
      for (const Scalar& s : numbers(e)) add(s);
    } else {
      for (Term t : terms(e)) {
        if (t_.is_constant(t)) {
          add(t_.value(t));
        } else {
          part.push_back({0, checked(t, "an index")});
        }
      }
    }
    lanes = std::max(lanes, part.size());
  }
  std::vector<std::vector<Index>> out(lanes, std::vector<Index>(indices.size()));
  for (size_t k = 0; k < lanes; ++k) {
    for (size_t i = 0; i < indices.size(); ++i) out[k][i] = parts[i][parts[i].size() == 1 ? 0 : k];
  }
  return out;
}

size_t Executor::position(const View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, int lane,
                          bool write) const {
  for (size_t i = 0; i < view.shape.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= view.shape[i]) faults::out_of_bounds(write, buffer, indices, i, view.shape[i]);
  }
  const std::optional<Wide> element = element_address(buffer, view.shape, view.strides, view.offset, indices);
  const Wide place = element ? *element * buffer.dtype.lanes + lane : -1;
  const auto size = static_cast<int64_t>(view.memory->cells.size());
  if (place < 0 || place >= size) {
    faults::outside_memory(write, buffer, indices, address_text(element), size / buffer.dtype.lanes);
  }
  return static_cast<size_t>(place);
}

/// The elements that an access may mean, each with the condition under which it does; the conditions exclude each
/// other, and one of them holds where the access is no error. At least one.
std::vector<Executor::Candidate> Executor::candidates(const View& view, const BufferNode& buffer,
                                                      const std::vector<Index>& indices, bool write) {
  std::vector<Candidate> out{{Terms::kTrue, {}}};
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const Index& index = indices[axis];
    if (index.term == kNoTerm) {
      for (Candidate& c : out) c.indices.push_back(index.value);
      continue;
    }
    const int64_t size = view.shape[axis];
    const DType type = t_.type(index.term);
    Interval range = known_.range(index.term);
    Interval inside = meet(range, {0, Wide{size} - 1});
    Term low = range.lo >= 0 ? Terms::kFalse : t_.binary(Op::LT, index.term, t_.constant(zero_scalar(type)));
    Term high =
        range.hi < size ? Terms::kFalse : t_.binary(Op::LT, t_.constant(int_scalar(type, Wide{size} - 1)), index.term);
    std::string message =
        fmt::format("{} out of bounds: axis {} of buffer '{}' (size {}), by an index that depends on data",
                    write ? "write" : "read", axis, buffer.name, size);
    if (inside.empty()) throw Fault{ErrorKind::OutOfBounds, message};
    error_if(t_.lor(low, high), message);
    inside = meet(inside, known_.range(index.term));
    if (inside.empty()) throw Fault{ErrorKind::OutOfBounds, message};
    const Wide count = inside.hi - inside.lo + 1;
    if (count * static_cast<Wide>(out.size()) > static_cast<Wide>(kMaxCandidates)) {
      throw Unsupported(current_->stmt->span,
                        fmt::format("an index that depends on data and may be one of {} in axis {} of {}",
                                    to_string(count), axis, buffer.name),
                        "smaller buffers, or an assume that bounds the index, are supported");
    }
    std::vector<Candidate> next;
    for (const Candidate& c : out) {
      for (Wide v = inside.lo; v <= inside.hi; ++v) {
        Term is = count == 1 ? Terms::kTrue : t_.binary(Op::EQ, index.term, t_.constant(int_scalar(type, v)));
        Candidate more{t_.land(c.condition, is), c.indices};
        more.indices.push_back(static_cast<int64_t>(v));
        next.push_back(std::move(more));
      }
    }
    out = std::move(next);
  }
  return within_memory(view, buffer, std::move(out), write);
}

/// Without those that a view has and its memory has not: an error where, and only where, such a one is meant.
std::vector<Executor::Candidate> Executor::within_memory(const View& view, const BufferNode& buffer,
                                                         std::vector<Candidate> all, bool write) {
  if (all.size() == 1) return all;  // `position` says it
  std::vector<Candidate> out;
  for (size_t k = 0; k < all.size(); ++k) {
    Candidate& c = all[k];
    try {
      for (int lane : {0, buffer.dtype.lanes - 1}) position(view, buffer, c.indices, lane, write);
      out.push_back(std::move(c));
    } catch (const Fault& fault) {
      if (out.empty() && k + 1 == all.size()) throw;
      error_if(c.condition, fault.message);
    }
  }
  return out;
}

void Executor::touch(View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t at, bool write,
                     Term guard) {
  if (parallel_depth_ == 0) return;
  auto clash = [&](Term condition, const std::string& loop, bool earlier_write) {
    std::string message;
    try {
      faults::race(buffer, indices, loop, write, earlier_write);
    } catch (const Fault& fault) {
      message = fault.message;
    }
    error_if(condition, message);
  };
  view.memory->shadow.touch(static_cast<int64_t>(at), static_cast<int64_t>(view.memory->cells.size()), write,
                            t_.land(path_, guard), t_, parallel_, clash);
}

Term Executor::read(View& view, const BufferNode& buffer, const std::vector<int64_t>& indices, size_t at) {
  const Memory& m = *view.memory;
  if (m.filled[at] != Terms::kTrue) {
    if (m.filled[at] == Terms::kFalse) faults::uninitialised(buffer, indices);
    error_if(t_.lnot(m.filled[at]), "read of the uninitialised cell " + faults::cell_text(buffer, indices));
  }
  return m.cells[at];
}

Term Executor::load_scalar(const Code* e) {
  const BufferNode& buffer = *e->source->buffer();
  // The usual case, without allocations: all indices are numbers, and all sums have 64 bits.
  constexpr size_t kAxes = 8;
  if (e->args.size() <= kAxes && buffer.dtype.is_scalar()) {
    int64_t at[kAxes];
    bool plain = true;
    for (const Code* a : e->args) plain &= !a->data && a->type.is_scalar();
    if (plain) {
      Wide wide = 0;
      bool inside = true;
      for (size_t i = 0; i < e->args.size(); ++i) {
        wide = wide_value(number(e->args[i]));
        if (!fits_type(kInt64, wide))
          throw Fault{ErrorKind::Overflow, "the number " + to_string(wide) + " in an index is beyond int64"};
        at[i] = static_cast<int64_t>(wide);
      }
      View& v = view(e->slot, buffer);
      int64_t place = v.offset;
      for (size_t i = 0; i < e->args.size(); ++i) {
        int64_t term = 0;
        inside &= at[i] >= 0 && at[i] < v.shape[i] && v.strides[i] != kNoStride;
        inside &= !__builtin_mul_overflow(at[i], v.strides[i], &term);
        inside &= !__builtin_add_overflow(place, term, &place);
      }
      Memory& m = *v.memory;
      inside = inside && place >= 0 && place < static_cast<int64_t>(m.cells.size());
      if (inside && parallel_depth_ == 0 && m.filled[static_cast<size_t>(place)] == Terms::kTrue) {
        return m.cells[static_cast<size_t>(place)];
      }
      std::vector<int64_t> indices(at, at + e->args.size());
      size_t position = this->position(v, buffer, indices, 0, false);
      touch(v, buffer, indices, position, false, Terms::kTrue);
      return read(v, buffer, indices, position);
    }
  }
  return load(e)[0];
}

std::vector<Term> Executor::load(const Code* e) {
  const BufferNode& buffer = *e->source->buffer();
  std::vector<Term> out;
  for (const std::vector<Index>& element : elements(e->args)) {
    View& v = view(e->slot, buffer);
    std::vector<Candidate> cells = candidates(v, buffer, element, false);
    for (int lane = 0; lane < buffer.dtype.lanes; ++lane) {
      Term value = kNoTerm;
      for (size_t k = cells.size(); k-- > 0;) {
        const Candidate& c = cells[k];
        size_t at = position(v, buffer, c.indices, lane, false);
        touch(v, buffer, c.indices, at, false, c.condition);
        Term held;
        if (cells.size() == 1) {
          held = read(v, buffer, c.indices, at);
        } else {
          const Memory& m = *v.memory;
          error_if(t_.land(c.condition, t_.lnot(m.filled[at])),
                   "read of the uninitialised cell " + faults::cell_text(buffer, c.indices));
          if (m.filled[at] == Terms::kFalse) continue;
          held = m.cells[at];
        }
        value = value == kNoTerm ? held : t_.select(c.condition, held, value);
      }
      if (value == kNoTerm) faults::uninitialised(buffer, cells[0].indices);
      out.push_back(value);
    }
  }
  return out;
}

void Executor::write_element(View& view, const BufferNode& buffer, const std::vector<Index>& indices, int lane,
                             Term value) {
  for (const Candidate& c : candidates(view, buffer, indices, true)) {
    size_t at = position(view, buffer, c.indices, lane, true);
    Memory& m = *view.memory;
    if (m.constant) faults::constant_written(buffer, c.indices);
    touch(view, buffer, c.indices, at, true, c.condition);
    Term cell = m.filled[at] == Terms::kFalse ? value : t_.select(c.condition, value, m.cells[at]);
    write(m, at, cell, t_.lor(m.filled[at], c.condition));
  }
}

}  // namespace hexproof::symbolic
