// Expressions: one immutable node type, shared, with a cached structural hash.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "ir/dtype.h"
#include "ir/op.h"

namespace hexproof {

struct BufferNode;
class Expr;

/// A variable is an id; the name is only a hint for printing. Two variables are the same when their ids are.
class Var {
 public:
  Var() = default;
  /// A variable that equals no other one. `data`: it is bound to a value that depends on a buffer's content, a call or
  /// an undef (a let or block variable), so arithmetic on it is data arithmetic.
  static Var fresh(std::string name, DType type, bool data = false);
  /// A variable of no program: whatever value a thing has at a moment that nothing is known of.
  static Var any_value(DType type);

  uint32_t id() const { return node_ ? node_->id : 0; }
  const std::string& name() const { return node_->name; }
  DType dtype() const { return node_->type; }
  bool is_data() const { return node_->data; }
  bool is_any_value() const { return node_->any_value; }
  explicit operator bool() const { return node_ != nullptr; }
  friend bool operator==(const Var& a, const Var& b) { return a.id() == b.id(); }
  friend bool operator<(const Var& a, const Var& b) { return a.id() < b.id(); }

 private:
  struct Node {
    uint32_t id;
    std::string name;
    DType type;
    bool data = false;
    bool any_value = false;
  };
  std::shared_ptr<const Node> node_;
  static Var make(std::string name, DType type, bool data, bool any_value);
};

/// A buffer is compared by identity, as a variable is; see ir/buffer.h for what it holds.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::shared_ptr<const BufferNode> node) : node_(std::move(node)) {}
  const BufferNode* operator->() const { return node_.get(); }
  const BufferNode& operator*() const { return *node_; }
  explicit operator bool() const { return node_ != nullptr; }
  const std::shared_ptr<const BufferNode>& node() const { return node_; }
  friend bool operator==(const Buffer& a, const Buffer& b) { return a.node_ == b.node_; }
  friend bool operator<(const Buffer& a, const Buffer& b);  // by id

 private:
  std::shared_ptr<const BufferNode> node_;
};

struct ExprNode;

class Expr {
 public:
  Expr() = default;
  explicit Expr(std::shared_ptr<const ExprNode> node) : node_(std::move(node)) {}
  Expr(const Var& var);  // NOLINT: a variable is an expression

  const ExprNode* operator->() const { return node_.get(); }
  const ExprNode& operator*() const { return *node_; }
  const ExprNode* get() const { return node_.get(); }
  explicit operator bool() const { return node_ != nullptr; }
  /// Structural equality; variables and buffers by identity, floats by bits. Never builds an expression.
  friend bool operator==(const Expr& a, const Expr& b);

 private:
  std::shared_ptr<const ExprNode> node_;
};

/// A float constant. It is one with another by its bits: the zeros are two, and a NaN is itself.
struct FloatBits {
  double value;
  friend bool operator==(FloatBits a, FloatBits b);
};

struct ExprNode {
  Op op;
  DType dtype;
  std::vector<Expr> args;
  /// IntImm: the value (uint64 as its bit pattern). FloatImm: the value after rounding. Var, Load: whose.
  /// Call, StringImm, uninterpreted functions: the text.
  std::variant<std::monostate, int64_t, FloatBits, Var, Buffer, std::string> payload;
  uint64_t hash = 0;
  uint32_t depth = 1;  // height of the tree; the parser bounds it so that recursion is safe
  /// Does the value depend on a buffer's content, a call or an undef? (Of a let: does its body?)
  bool data = false;
  /// Integer +, -, *, << and ramps: data arithmetic, which wraps; else index arithmetic, where an overflow is an error.
  /// Fixed when the node is made, and kept when other operands are put in.
  bool wraps = false;

  const Var& var() const { return std::get<Var>(payload); }
  const Buffer& buffer() const { return std::get<Buffer>(payload); }
  int64_t int_value() const { return std::get<int64_t>(payload); }
  double float_value() const { return std::get<FloatBits>(payload).value; }
  const std::string& text() const { return std::get<std::string>(payload); }
};

// Builders. Each checks the types of its operands (InternalError: the parser reports the user's mistakes
// before it builds) and folds nothing, so what is built is what is printed.

/// An integer or bool constant; `value` must fit the type.
Expr imm(DType type, Wide value);
inline Expr i32(int64_t value) { return imm(kInt32, value); }
inline Expr boolean(bool value) { return imm(kBool, value ? 1 : 0); }
/// A float constant, rounded to `type` (to nearest even).
Expr fimm(DType type, double value);
/// Zero of any type of numbers: of a vector, in each lane.
Expr zero(DType type);
Expr string_imm(std::string text);
Expr undef(DType type);

/// Is it an operation of which `wraps` decides? (+, -, *, << and ramps of integers)
bool may_wrap(Op op, DType type);

/// Any unary or binary operator whose result type follows from its operands.
Expr unary(Op op, Expr a);
Expr binary(Op op, Expr a, Expr b);
/// The same with the class of the arithmetic as told, where the operation has one; `binary` takes it from the operands.
Expr binary(Op op, Expr a, Expr b, bool wraps);
inline Expr operator+(Expr a, Expr b) { return binary(Op::Add, std::move(a), std::move(b)); }
inline Expr operator-(Expr a, Expr b) { return binary(Op::Sub, std::move(a), std::move(b)); }
inline Expr operator*(Expr a, Expr b) { return binary(Op::Mul, std::move(a), std::move(b)); }
inline Expr floordiv(Expr a, Expr b) { return binary(Op::FloorDiv, std::move(a), std::move(b)); }
inline Expr floormod(Expr a, Expr b) { return binary(Op::FloorMod, std::move(a), std::move(b)); }
inline Expr min(Expr a, Expr b) { return binary(Op::Min, std::move(a), std::move(b)); }
inline Expr max(Expr a, Expr b) { return binary(Op::Max, std::move(a), std::move(b)); }
inline Expr eq(Expr a, Expr b) { return binary(Op::EQ, std::move(a), std::move(b)); }
inline Expr ne(Expr a, Expr b) { return binary(Op::NE, std::move(a), std::move(b)); }
inline Expr lt(Expr a, Expr b) { return binary(Op::LT, std::move(a), std::move(b)); }
inline Expr le(Expr a, Expr b) { return binary(Op::LE, std::move(a), std::move(b)); }
inline Expr gt(Expr a, Expr b) { return binary(Op::GT, std::move(a), std::move(b)); }
inline Expr ge(Expr a, Expr b) { return binary(Op::GE, std::move(a), std::move(b)); }
inline Expr land(Expr a, Expr b) { return binary(Op::And, std::move(a), std::move(b)); }
inline Expr lor(Expr a, Expr b) { return binary(Op::Or, std::move(a), std::move(b)); }
inline Expr lnot(Expr a) { return unary(Op::Not, std::move(a)); }
/// The conjunction; `true` of none.
Expr all(const std::vector<Expr>& conditions);
Expr select(Expr condition, Expr yes, Expr no);
Expr if_then_else(Expr condition, Expr yes, Expr no);
Expr cast(DType type, Expr value);
Expr let(const Var& var, Expr value, Expr body);
/// One index per dimension of the buffer; one of them may be a vector, which makes the load a vector.
Expr load(const Buffer& buffer, std::vector<Expr> indices);
Expr ramp(Expr base, Expr stride, int lanes);
Expr broadcast(Expr value, int lanes);
Expr likely(Expr condition);
Expr call(DType type, std::string name, std::vector<Expr> args);
/// Proof-only: no operation inside `e` is an error.
Expr fits(Expr e);
/// Proof-only: the two values are one. On floats -0.0 and +0.0 differ, and all NaNs are the same value (`==` is
/// IEEE's); on integers and bools it is `==`.
Expr same_bits(Expr a, Expr b);
/// Proof-only: a function of the group Uninterpreted. Two of one operator, name and type are one function.
Expr uninterpreted(Op op, DType type, std::string name, std::vector<Expr> args);
/// The same operator and payload over other operands (types are checked again).
Expr with_args(const Expr& e, std::vector<Expr> args);

/// The value of an integer or bool constant, else nothing.
inline const int64_t* as_int(const Expr& e) {
  return e && e->op == Op::IntImm ? &std::get<int64_t>(e->payload) : nullptr;
}
inline bool is_int(const Expr& e, int64_t value) {
  const int64_t* v = as_int(e);
  return v && *v == value;
}
/// The constant as a mathematical integer (so that uint64 above 2^63 is positive).
Wide int_value(const Expr& e);

}  // namespace hexproof
