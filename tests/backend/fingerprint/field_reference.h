// The evaluation of programs over the field by the general walk, one operation at a time and with plain remainders:
// what native evaluation is held against.
#pragma once
#include "ir/interpreter/walk/walk.h"
#include "verify/equiv/native.h"

namespace hexproof::testing {

using Wide128 = unsigned __int128;

/// Remainders of the full product; nothing is lazy.
class SlowCells {
 public:
  using Cell = std::vector<uint64_t>;
  using Operand = fingerprint::Operand<Cell>;
  using Label = fingerprint::Label;
  explicit SlowCells(const fingerprint::Algebra& algebra) : algebra_(algebra) {}

  Cell constant(const Scalar& value) const {
    Cell out(algebra_.words(value.type));
    algebra_.constant(value, out.data());
    return out;
  }
  Cell ring(Op op, const Cell& a, const Cell& b) const {
    Cell out;
    for (size_t i = 0; i < a.size(); ++i) {
      Wide128 x = a[i], y = b[i];
      Wide128 r = op == Op::Add ? x + y : op == Op::Mul ? x * y : x + kFieldPrime - y;
      out.push_back(static_cast<uint64_t>(r % kFieldPrime));
    }
    return out;
  }
  Cell tree(const Label& label, bool commutative, const Cell& a, const Cell& b) const {
    Cell out;
    for (size_t i = 0; i < a.size(); ++i) {
      auto c = algebra_.coefficients(label, static_cast<int>(i));
      Wide128 left = (Wide128{a[i]} + c.left) % kFieldPrime;
      Wide128 right = (Wide128{b[i]} + (commutative ? c.left : c.right)) % kFieldPrime;
      out.push_back(static_cast<uint64_t>((left * right + c.plus) % kFieldPrime));
    }
    return out;
  }
  Cell tree(const Label& label, const Cell& a) const { return tree(label, false, a, Cell(a.size(), 0)); }
  Cell sum(const Cell& a, const Cell& b) const {
    Cell summand = ring(Op::Add, half(a, 0), half(b, 0));
    return join(summand, words(algebra_.label("sum"), summand, summand.size()));
  }
  Cell product(const Cell& a, const Cell& b) const {
    Cell factor = ring(Op::Mul, half(a, 1), half(b, 1));
    return join(words(algebra_.label("product"), factor, factor.size()), factor);
  }
  Cell random(const Label& label, bool commutative, const std::vector<Operand>& args, DType result) const {
    bool swap = commutative && args[1].cell < args[0].cell;
    Cell all;
    for (size_t i = 0; i < args.size(); ++i) {
      const Cell& cell = args[swap ? 1 - i : i].cell;
      all.insert(all.end(), cell.begin(), cell.end());
    }
    return words(label, all, algebra_.words(result));
  }

 private:
  static Cell half(const Cell& cell, size_t which) {
    auto middle = cell.begin() + static_cast<std::ptrdiff_t>(cell.size() / 2);
    return which == 0 ? Cell(cell.begin(), middle) : Cell(middle, cell.end());
  }
  static Cell join(Cell a, const Cell& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  Cell words(const Label& label, const Cell& in, size_t count) const {
    Cell out(count);
    algebra_.random(label, in.data(), in.size(), out.data(), count);
    return out;
  }
  const fingerprint::Algebra& algebra_;
};

class FieldDomain {
 public:
  struct Cell {
    SlowCells::Cell words;
    bool number = false;  // depends on no buffer
  };
  explicit FieldDomain(const fingerprint::Algebra& algebra) : slow_(algebra), operations_(slow_, algebra) {}

  Cell constant(const Scalar& s) { return {slow_.constant(s), true}; }
  Cell unary(Op op, const Cell& a, DType t) { return {operations_.unary(op, a.words, t)}; }
  Cell binary(Op op, const Cell& a, const Cell& b, DType t) { return {operations_.binary(op, a.words, b.words, t)}; }
  Cell cast(DType to, const Cell& a, DType from) { return {operations_.cast(to, a.words, from)}; }
  /// A condition that depends on no buffer chooses.
  Cell select(const Cell& c, const Cell& yes, const Cell& no, DType t) {
    if (c.number) return {c.words == constant(bool_scalar(true)).words ? yes.words : no.words};
    return {operations_.select(c.words, yes.words, no.words, t)};
  }
  Cell call(const std::string& name, DType t, const std::vector<Cell>& args) {
    std::vector<SlowCells::Operand> operands;
    for (const Cell& a : args) operands.push_back({a.words, t});  // the functions of the tests have one type
    return {operations_.call(name, operands, t)};
  }
  Cell undef(DType) { throw Unsupported(Span{}, "undef"); }
  std::optional<Scalar> number(const Cell&, DType, const std::string&) { return std::nullopt; }
  void assume(const Cell&) {}

 private:
  SlowCells slow_;
  fingerprint::Operations<SlowCells> operations_;
};

/// As NativeEvaluator::run with residues.
inline void run_over_field(const PrimFunc& func, const fingerprint::Algebra& algebra,
                           std::vector<std::vector<uint64_t>>& arguments) {
  FieldDomain domain(algebra);
  Walk<FieldDomain> walk(domain);
  std::vector<Tensor> tensors;
  for (const Buffer& b : func.buffer_params()) {
    std::vector<int64_t> shape = constant_shape(b).value();
    tensors.push_back(make_tensor(b->dtype, shape));
  }
  Arguments bound = bind_arguments(func, tensors, {});
  std::vector<Walk<FieldDomain>::Memory*> memories;
  for (size_t b = 0; b < arguments.size(); ++b) {
    memories.push_back(&walk.bind_buffer(bound.buffers[b]));
    size_t width = algebra.words(bound.buffers[b].buffer->dtype);
    for (size_t i = 0; i < memories[b]->cells.size(); ++i) {
      auto from = arguments[b].begin() + static_cast<std::ptrdiff_t>(i * width);
      memories[b]->cells[i] = {{from, from + static_cast<std::ptrdiff_t>(width)}};
      memories[b]->filled[i] = 1;
    }
  }
  size_t next = 0;
  for (const Param& p : func.params) walk.bind_handle(p.var, *memories[next++]);
  RunResult result = walk.run(func.body);
  if (result.error) throw Error(result.error->str());
  for (size_t b = 0; b < arguments.size(); ++b) {
    size_t at = 0;
    for (const auto& cell : memories[b]->cells) {
      for (uint64_t word : cell.words) arguments[b][at++] = word;
    }
  }
}

}  // namespace hexproof::testing
