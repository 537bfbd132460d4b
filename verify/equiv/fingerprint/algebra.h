// What the operations of a program become over the field, so that equal results mean equal programs (docs: the
// argument and its error bound). Each type lives in one of three worlds:
//   Tree          bool; floats.  Equal means: the same tree of operations, up to the order of the operands of a
//                 commutative one. An operation on A and B is the polynomial (A + p)(B + p') + q.
//   Ring          integers.      Equal means: equal as polynomials, which machine integers keep, modulo 2^bits.
//   Reassociated  floats, where `reassoc` is granted. Equal means: equal up to the order and the grouping of sums and
//                 of products. A value is a pair: what it is as a summand, and what it is as a factor.
// What leads out of a world or into it, or is no operation of its world, is a random function of its operands.
#pragma once
#include <string>
#include <vector>

#include "ir/interpreter/scalar_ops.h"
#include "verify/equiv/fingerprint/field.h"

namespace hexproof::fingerprint {

enum class World : uint8_t { Tree, Ring, Reassociated };

/// The name of an operation or of a variable, as two random words.
using Label = std::array<uint64_t, 2>;

/// An integer as the number of least magnitude that is equal to it modulo 2^bits.
inline Wide centred(const Scalar& value) {
  DType type = value.type;
  return type.is_integer() ? wrap_to({TypeCode::Int, type.bits, 1}, wide_value(value)) : wide_value(value);
}

class Algebra {
 public:
  static constexpr double kAnyConstant = 0x1p100;
  /// `rounds` independent evaluations; `reassociate` where both programs grant `reassoc`. Constants of the ring whose
  /// magnitude is beyond `largest` are variables: less is equal then, and coefficients stay small.
  Algebra(uint64_t seed, int rounds, bool reassociate, double largest = kAnyConstant)
      : seed_(seed), rounds_(rounds), reassociate_(reassociate), largest_(largest) {}

  int rounds() const { return rounds_; }
  World world(DType type) const {
    if (type.is_float()) return reassociate_ ? World::Reassociated : World::Tree;
    return type.is_integer() ? World::Ring : World::Tree;
  }
  /// The residues of a cell: one per round; in the reassociated world as a summand, then as a factor.
  size_t words(DType type) const { return static_cast<size_t>(rounds_) * (world(type) == World::Reassociated ? 2 : 1); }

  Label label(const std::string& name) const;
  /// p, p' and q of an operation of the tree world. A commutative one takes p for both operands.
  struct Coefficients {
    uint64_t left, right, plus;
  };
  Coefficients coefficients(const Label& label, int round) const;

  double largest_constant() const { return largest_; }
  /// Is this constant of the ring a number, and no variable?
  bool is_number(const Scalar& value) const {
    Wide number = centred(value);
    return static_cast<double>(number < 0 ? -number : number) <= largest_;
  }
  /// A constant: the number in the ring, else a variable of its own per value. `words` residues.
  void constant(const Scalar& value, uint64_t* out) const;
  /// A variable: element `index` of what `label` names.
  void variable(const Label& label, uint64_t index, DType type, uint64_t* out) const;
  /// A random function of `count` words (any representatives of residues).
  void random(const Label& label, const uint64_t* in, size_t count, uint64_t* out, size_t words) const;

 private:
  uint64_t seed_;
  int rounds_;
  bool reassociate_;
  double largest_;
};

/// An operand with its scalar type.
template <class Cell>
struct Operand {
  Cell cell;
  DType type;
};

/// The operations of programs in terms of a few of cells. `Code` has a type Cell and
///   Cell constant(Scalar)
///   Cell ring(Op, Cell, Cell)          Add, Sub, Mul of the ring world
///   Cell sum(Cell, Cell), product(Cell, Cell)   of the reassociated world
///   Cell tree(Label, commutative, Cell, Cell), tree(Label, Cell)
///   Cell random(Label, commutative, vector<Operand<Cell>>, DType result)
template <class Code>
class Operations {
 public:
  using Cell = typename Code::Cell;
  Operations(Code& code, const Algebra& algebra) : code_(code), algebra_(algebra) {}

  Cell binary(Op op, const Cell& a, const Cell& b, DType type) {
    // a > b is b < a, also with a NaN.
    if (op == Op::GT) return binary(Op::LT, b, a, type);
    if (op == Op::GE) return binary(Op::LE, b, a, type);
    DType result = is_comparison(op) ? kBool : type;
    switch (algebra_.world(type)) {
      case World::Tree:
        return code_.tree(label(op, type), commutative(op, type), a, b);
      case World::Ring:
        if (op == Op::Add || op == Op::Sub || op == Op::Mul) return code_.ring(op, a, b);
        break;
      case World::Reassociated:
        if (op == Op::Add) return code_.sum(a, b);
        if (op == Op::Sub) return code_.sum(a, code_.random(algebra_.label("minus"), false, {{b, type}}, type));
        if (op == Op::Mul) return code_.product(a, b);
        break;
    }
    return code_.random(label(op, type), commutative(op, type), {{a, type}, {b, type}}, result);
  }

  Cell unary(Op op, const Cell& a, DType type) {
    if (op == Op::BitNot && type.is_integer()) return code_.ring(Op::Sub, code_.constant(int_scalar(type, -1)), a);
    return apply(label(op, type), {{a, type}}, type);
  }

  Cell cast(DType to, const Cell& a, DType from) {
    // Taking the low bits keeps equality modulo a power of two.
    if (to == from || (to.is_integer() && from.is_integer() && to.bits <= from.bits)) return a;
    return apply(algebra_.label("cast " + from.str() + " " + to.str()), {{a, from}}, to);
  }

  Cell select(const Cell& c, const Cell& yes, const Cell& no, DType type) {
    return apply(algebra_.label("select " + type.str()), {{c, kBool}, {yes, type}, {no, type}}, type);
  }

  Cell call(const std::string& name, const std::vector<Operand<Cell>>& args, DType type) {
    std::string text = "call ";
    text.append(name).append(" ").append(type.str());
    for (const Operand<Cell>& a : args) text.append(" ").append(a.type.str());
    return apply(algebra_.label(text), args, type);
  }

 private:
  /// An operation on any number of operands. In the tree world one operation per operand makes it of binary ones.
  Cell apply(const Label& label, const std::vector<Operand<Cell>>& args, DType result) {
    bool trees = algebra_.world(result) == World::Tree && !args.empty();
    for (const Operand<Cell>& a : args) trees = trees && algebra_.world(a.type) == World::Tree;
    if (!trees) return code_.random(label, false, args, result);
    auto place = [&](size_t i) { return Label{label[0] + i, label[1]}; };
    Cell out = code_.tree(place(args.size() - 1), args.back().cell);
    for (size_t i = args.size() - 1; i-- > 0;) out = code_.tree(place(i), false, args[i].cell, out);
    return out;
  }

  Label label(Op op, DType type) const { return algebra_.label(std::string(info(op).name) + " " + type.str()); }
  static bool commutative(Op op, DType type) { return commutes(op, type.is_float()); }

  Code& code_;
  const Algebra& algebra_;
};

}  // namespace hexproof::fingerprint
