// Where buffers lie, and when an access is in bounds.
#include "ir/interpreter/fault.h"
#include "tools/checker/walk.h"

namespace hexproof::checker {
namespace {

/// A constant extent is known as a number: products of them stay linear.
struct Size {
  Wide number = 1;
  std::vector<std::string> factors;
  void times(const Expr& e, const std::string& term) {
    if (e->op == Op::IntImm && int_value(e) >= 0 && int_value(e) <= kMaxBufferBytes && number <= kMaxBufferBytes) {
      number *= int_value(e);
    } else {
      factors.push_back(term);
    }
  }
  std::string term() const {
    std::string out = numeral(number);
    for (const std::string& factor : factors) out = "(* " + out + " " + factor + ")";
    return out;
  }
};

/// A memory is no larger. (An element of vectors has all their lanes.)
std::string can_hold(DType type, const std::string& elements) {
  return "(<= (* " + numeral(Wide{type.bytes()} * type.lanes) + " " + elements + ") " + numeral(kMaxBufferBytes) + ")";
}

}  // namespace

std::string Layout::text() const {
  std::string out = " at " + offset;
  for (const auto* part : {&extents, &strides}) {
    out += " by";
    for (const std::string& term : *part) out += " " + term;
  }
  return out + ":";
}

/// A buffer that exists has no negative extent and fits in memory.
void Walk::argument(const Buffer& buffer) {
  size_t open = 0;
  Size size;
  const Layout& layout = layouts_.at(buffer.operator->());
  for (size_t k = 0; k < buffer->shape.size(); ++k) {
    size.times(buffer->shape[k], layout.extents[k]);
    if (buffer->shape[k]->op != Op::IntImm) terms_.know("(<= 0 " + layout.extents[k] + ")"), ++open;
  }
  if (open == 1 && buffer->strides.empty()) terms_.know(can_hold(buffer->dtype, size.term()));
}

void Walk::declare(const Buffer& buffer) {
  Layout layout;
  layout.extents = terms_.terms(buffer->shape);
  layout.strides = terms_.terms(buffer->strides);
  if (buffer->elem_offset) layout.offset = terms_.term(buffer->elem_offset);
  layout.separators = buffer->axis_separators;
  layouts_[buffer.operator->()] = layout;
  terms_.lies[buffer->id] = layout.text();
}

void Walk::owns(const Buffer& buffer) {
  Size size;
  const Layout& layout = layouts_.at(buffer.operator->());
  for (size_t k = 0; k < buffer->shape.size(); ++k) size.times(buffer->shape[k], layout.extents[k]);
  const bool plain = buffer->strides.empty() && !buffer->elem_offset;
  memories_[buffer->data.id()] = {buffer->dtype, plain ? size.term() : "", buffer};
  allocated_[buffer->data.id()] = loops_.size();
}

void Walk::counts(const std::string& term, const std::string& least) {
  if (term.size() < 19 && term.find_first_not_of("0123456789") == term.npos) return;
  claim_here("(<= " + least + term + " " + numeral(max_value(kInt64)) + ")", "what counts elements is in its range");
}

/// A larger allocation is an error. (A strided one lies where its last element does: no stride is negative.)
void Walk::can_exist(const Memory& memory) {
  std::string elements = memory.elements;
  if (elements.empty()) {
    std::vector<std::string> last = layouts_.at(memory.owner.operator->()).extents;
    for (std::string& extent : last) extent = "(- " + extent + " 1)";
    elements = "(+ 1 " + address(memory.owner, last) + ")";
  }
  claim_here(can_hold(memory.dtype, elements), "the allocation is no larger than a memory may be");
}

/// In elements of the buffer's type.
std::string Walk::address(const Buffer& buffer, const std::vector<std::string>& at) const {
  const Layout& layout = layouts_.at(buffer.operator->());
  std::string out = layout.offset;
  Size stride;
  for (size_t k = at.size(); k-- > 0;) {
    const std::string step = layout.strides.empty() ? stride.term() : layout.strides[k];
    out = "(+ " + out + " (* " + step + " " + at[k] + "))";
    stride.times(buffer->shape[k], layout.extents[k]);
  }
  return out;
}

/// The indices lie in the axes; through a view, the address lies in the memory, too.
std::string Walk::in_bounds(const Buffer& buffer, const std::vector<Expr>& indices) {
  std::vector<std::string> parts;
  auto found = layouts_.find(buffer.operator->());
  if (found == layouts_.end() || found->second.extents.size() != indices.size()) return "false";
  const Layout& layout = found->second;
  const std::vector<std::string> at = terms_.terms(indices);
  for (size_t k = 0; k < at.size(); ++k) parts.push_back(is_below(at[k], layout.extents[k]));
  auto memory = memories_.find(buffer->data.id());
  if (memory == memories_.end()) return "false";
  if (memory->second.owner == buffer) return conjunction(parts);
  // Another element type than that of the memory, and views of what has strides itself, are not modelled.
  if (memory->second.elements.empty() || !(memory->second.dtype == buffer->dtype)) return "false";
  parts.push_back(is_below(address(buffer, at), memory->second.elements));
  return conjunction(parts);
}

bool Walk::is_view(const Buffer& buffer) const {
  auto memory = memories_.find(buffer->data.id());
  return memory == memories_.end() || !(memory->second.owner == buffer);
}

void Walk::run(const Allocate& s) {
  for (const Expr& e : s.extents) operand(e, "the shape");
  for (const Expr& e : s.constant) operand(e, "the constants", false);
  Size size;
  for (const Expr& e : s.extents) size.times(e, terms_.term(e)), counts(terms_.term(e), "0 ");
  memories_[s.data.id()] = {s.dtype, size.term(), {}};
  allocated_[s.data.id()] = loops_.size();
  can_exist(memories_.at(s.data.id()));
  stmt(s.body);
}

}  // namespace hexproof::checker
