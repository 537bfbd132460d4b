// Cells that are values: the domain of the interpreter.
#pragma once
#include "ir/interpreter/fault.h"
#include "ir/interpreter/math.h"

namespace hexproof {

/// A value, and whether it was computed from T.undef().
struct ConcreteCell {
  Scalar value;
  bool undef = false;
};

class ConcreteDomain {
 public:
  using Cell = ConcreteCell;
  explicit ConcreteDomain(uint64_t undef_seed) : seed_(undef_seed) {}

  Cell constant(const Scalar& s) { return {s}; }
  Cell unary(Op op, const Cell& a, DType) { return {apply_unary(op, a.value), a.undef}; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType) {
    ScalarResult r = apply_binary(op, a.value, b.value, Arith::Data);
    if (!r) faults::operation(r.error, op, a.value, b.value);
    return {r.value, a.undef || b.undef};
  }
  Cell cast(DType to, const Cell& a, DType) {
    ScalarResult r = apply_cast(to, a.value);
    if (!r) faults::cast(r.error, to, a.value);
    return {r.value, a.undef};
  }
  /// The operand that is not chosen does not matter to what the value depends on.
  Cell select(const Cell& c, const Cell& yes, const Cell& no, DType) {
    const Cell& chosen = c.value.truth() ? yes : no;
    return {chosen.value, c.undef || chosen.undef};
  }
  Cell call(const std::string& name, DType type, const std::vector<Cell>& args) {
    std::vector<Scalar> values;
    bool undef = false;
    for (const Cell& a : args) values.push_back(a.value), undef |= a.undef;
    std::optional<Scalar> value = apply_call(name, type, values);
    if (!value) throw Unsupported(Span{}, "the call of " + name);
    return {*value, undef};
  }
  Cell undef(DType type) { return {arbitrary_scalar(type, seed_ * 0x9e3779b97f4a7c15ull + evaluations_++), true}; }
  std::optional<Scalar> number(const Cell& a, DType, const std::string& where) {
    if (a.undef) faults::undef_in(where);
    return a.value;
  }
  void assume(const Cell&) {}

 private:
  uint64_t seed_;
  uint64_t evaluations_ = 0;
};

}  // namespace hexproof
