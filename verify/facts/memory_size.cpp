#include "verify/facts/memory_size.h"

#include <algorithm>

#include "ir/interpreter/fault.h"
#include "verify/facts/facts.h"
#include "verify/prove/opaque_name.h"

namespace hexproof {

Expr wide(const Expr& e) {
  if (e->dtype == kInt64) return e;
  return as_int(e) ? imm(kInt64, std::min(int_value(e), max_value(kInt64))) : cast(kInt64, e);
}

Expr counted_in_int64(const Expr& e) {
  if (as_int(e)) return boolean(int_value(e) <= max_value(kInt64));
  return e->dtype == kUInt64 ? le(e, imm(kUInt64, max_value(kInt64))) : boolean(true);
}

namespace {

/// The extents and the bytes of one element, constants multiplied out. Beyond the limit the product stays there.
struct Product {
  Wide constant = 1;  // bytes, without the symbolic extents
  std::vector<Expr> symbolic;
  bool negative = false;

  explicit Product(const MemoryLayout& layout) : constant(Wide{layout.dtype.bytes()} * layout.dtype.lanes) {
    bool empty = false;
    for (const Expr& e : layout.shape) {
      if (!as_int(e)) {
        symbolic.push_back(e);
        continue;
      }
      negative |= int_value(e) < 0;
      empty |= int_value(e) == 0;
      if (constant <= kMaxBufferBytes) constant *= int_value(e);
    }
    if (empty) constant = 0;
  }
  /// How often a memory of the constants' size fits.
  Wide times() const { return constant > kMaxBufferBytes ? 0 : kMaxBufferBytes / constant; }
};

std::vector<Expr> positive(const std::vector<Expr>& symbolic) {
  std::vector<Expr> out;
  for (const Expr& e : symbolic) out.push_back(ge(e, imm(e->dtype, 1)));
  return out;
}

/// The address of the last element, where no extent is 0. Strides below 0 lead to no higher address.
Expr last_element(const MemoryLayout& layout) {
  Expr last = layout.offset ? wide(layout.offset) : imm(kInt64, 0);
  for (size_t d = 0; d < layout.shape.size(); ++d) {
    Expr stride = wide(layout.strides[d]);
    if (as_int(stride) && int_value(stride) <= 0) continue;
    if (!as_int(stride)) stride = max(stride, imm(kInt64, 0));
    last = fold(last + fold(fold(wide(layout.shape[d]) - imm(kInt64, 1)) * stride));
  }
  return last;
}

bool counts_by_strides(const MemoryLayout& layout) {
  return !layout.strides.empty() || (layout.offset && !is_int(layout.offset, 0));
}

/// Row-major strides, for a layout that has an offset alone.
MemoryLayout with_strides(MemoryLayout layout) {
  if (!layout.strides.empty()) return layout;
  Expr stride = imm(kInt64, 1);
  layout.strides.resize(layout.shape.size());
  for (size_t d = layout.shape.size(); d-- > 0;) {
    layout.strides[d] = stride;
    stride = fold(stride * wide(layout.shape[d]));
  }
  return layout;
}

bool any_data(const MemoryLayout& layout) {
  bool found = layout.offset && is_data(layout.offset);
  for (const std::vector<Expr>* list : {&layout.shape, &layout.strides}) {
    for (const Expr& e : *list) found |= is_data(e);
  }
  return found;
}

std::string counted(const std::string& what, const std::string& name) {
  return what + " of " + name + " are counted in int64";
}
std::string too_large(const std::string& name) { return "the memory of " + name + " is at most 2^31 - 1 bytes"; }

void strided_goals(const MemoryLayout& layout, const Product& size, const std::string& name,
                   std::vector<SizeGoal>* out) {
  Wide bytes = Wide{layout.dtype.bytes()} * layout.dtype.lanes;
  if (layout.offset && !is_int(layout.offset, 0)) {
    Expr goal = le(zero(layout.offset->dtype), layout.offset);
    if (as_int(layout.offset)) goal = boolean(int_value(layout.offset) >= 0);
    if (!is_int(goal, 1)) out->push_back({"the offset of " + name + " is not negative", {}, goal});
  }
  if (size.constant == 0) return;
  Expr last = last_element(with_strides(layout));
  Expr goal = lt(last, imm(kInt64, kMaxBufferBytes / bytes));
  if (as_int(last)) goal = boolean((int_value(last) + 1) * bytes <= kMaxBufferBytes);
  // Data wraps, and then a sum says nothing of the size.
  if (any_data(layout)) goal = boolean(false);
  if (!is_int(goal, 1)) out->push_back({too_large(name), positive(size.symbolic), goal});
}

}  // namespace

MemoryLayout layout_of_memory(const Buffer& buffer, const std::function<Expr(const Expr&)>& resolve) {
  MemoryLayout out{
      .shape = buffer->shape, .strides = buffer->strides, .offset = buffer->elem_offset, .dtype = buffer->dtype};
  for (std::vector<Expr>* list : {&out.shape, &out.strides}) {
    for (Expr& e : *list) e = resolve(e);
  }
  if (out.offset) out.offset = resolve(out.offset);
  return out;
}

std::vector<Expr> extents_of(const Allocate& memory, const Facts& facts) {
  std::vector<Expr> out;
  for (const Expr& extent : memory.extents) {
    Expr value = inline_lets(facts.resolve(extent), facts.loops);
    std::string name = opaque_name(OpaqueKind::Size, memory.data.id(), memory.data.name(), out.size());
    out.push_back(may_inline(value, memory.body) ? value : opaque_value(name, extent->dtype, facts.loops));
  }
  return out;
}

Expr memory_elements(const MemoryLayout& layout) {
  if (!counts_by_strides(layout)) {
    Expr out = imm(kInt64, 1);
    for (const Expr& e : layout.shape) out = fold(out * wide(e));
    return out;
  }
  Product size(layout);
  if (size.constant == 0) return imm(kInt64, 0);
  Expr elements = fold(last_element(with_strides(layout)) + imm(kInt64, 1));
  return size.symbolic.empty() ? elements : select(all(positive(size.symbolic)), elements, imm(kInt64, 0));
}

std::vector<SizeGoal> size_goals(const MemoryLayout& layout, const std::string& name) {
  Product size(layout);
  std::vector<SizeGoal> out;
  const std::string sign = "the extents of " + name + " are not negative";
  if (size.negative) out.push_back({sign, {}, boolean(false)});
  for (const Expr& e : size.symbolic) {
    if (!e->dtype.is_uint()) out.push_back({sign, {}, le(zero(e->dtype), e)});
  }
  const bool by_strides = counts_by_strides(layout);
  // (Where the limit is asked of one extent alone, it says so.)
  const bool by_limit = !by_strides && size.constant != 0 && size.symbolic.size() == 1;
  for (const Expr& e : layout.shape) {
    const Expr goal = counted_in_int64(e);
    if (!is_int(goal, 1) && (as_int(e) || !by_limit)) out.push_back({counted("the extents", name), {}, goal});
  }
  if (layout.offset && !is_int(counted_in_int64(layout.offset), 1)) {
    out.push_back({counted("the elements in front", name), {}, counted_in_int64(layout.offset)});
  }
  if (by_strides) {
    strided_goals(layout, size, name, &out);
    return out;
  }
  if (size.constant == 0) return out;
  if (size.symbolic.empty()) {
    if (size.constant > kMaxBufferBytes) out.push_back({too_large(name), {}, boolean(false)});
    return out;
  }
  // Where no extent is 0, each product on the way is at most the whole: so nothing wraps on the way, data neither.
  std::vector<Expr> goals;
  for (const Expr& e : size.symbolic) {
    if (size.times() < max_value(e->dtype)) goals.push_back(le(e, imm(e->dtype, size.times())));
  }
  Expr product = wide(size.symbolic[0]);
  for (size_t k = 1; k < size.symbolic.size(); ++k) {
    product = product * wide(size.symbolic[k]);
    goals.push_back(le(product, imm(kInt64, size.times())));
  }
  bool single = size.symbolic.size() == 1;
  if (!goals.empty()) {
    out.push_back({too_large(name), single ? std::vector<Expr>{} : positive(size.symbolic), all(goals)});
  }
  return out;
}

void size_facts(const MemoryLayout& layout, std::vector<Expr>* out) {
  Product size(layout);
  for (const Expr& e : size.symbolic) out->push_back(ge(e, zero(e->dtype)));
  if (size.symbolic.empty() || size.constant <= 0) return;
  if (counts_by_strides(layout)) {
    if (any_data(layout)) return;
    Wide bytes = Wide{layout.dtype.bytes()} * layout.dtype.lanes;
    Expr within = lt(last_element(with_strides(layout)), imm(kInt64, kMaxBufferBytes / bytes));
    if (!as_int(within)) out->push_back(if_then_else(all(positive(size.symbolic)), within, boolean(true)));
    return;
  }
  Expr bound = imm(kInt64, size.times());
  if (size.symbolic.size() == 1) {
    const Expr& e = size.symbolic[0];
    if (fits_type(e->dtype, size.times())) out->push_back(le(e, imm(e->dtype, size.times())));
    return;
  }
  Expr product = wide(size.symbolic[0]);
  for (size_t i = 1; i < size.symbolic.size(); ++i) product = product * wide(size.symbolic[i]);
  if (size.symbolic.size() == 2 && size.symbolic[0]->dtype == kInt32 && size.symbolic[1]->dtype == kInt32) {
    out->push_back(le(product, bound));
    return;
  }
  // The product is known to stay inside of its type only when no factor is zero.
  out->push_back(if_then_else(all(positive(size.symbolic)), le(product, bound), boolean(true)));
}

}  // namespace hexproof
