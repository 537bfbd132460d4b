// What the agreement tests hold against each other: every operator on integers and bools as an expression, and what
// ir/interpreter/scalar_ops.h, which the interpreter runs, says of its value.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ir/buffer.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof {

inline const std::vector<DType> kTypes = {kBool, kInt8, kUInt8, kInt16, kUInt16, kInt32, kUInt32, kInt64, kUInt64};

/// An operator as an expression over two operands of one type, and what scalar_ops says of it.
struct Row {
  std::string name;
  Op op;
  std::function<Expr(const Expr&, const Expr&)> build;
  std::function<ScalarResult(const Scalar&, const Scalar&, Arith)> value;
  bool right = true;  // does the right operand matter?
};

/// The rows of one operator on type `t`; none when it does not take such operands. No default: a new operator does
/// not compile until it stands here.
inline std::vector<Row> rows_of(Op op, DType t) {
  auto two = [&]() -> std::vector<Row> {
    return {{info(op).name.data(), op, [op](const Expr& x, const Expr& y) { return binary(op, x, y); },
             [op](const Scalar& x, const Scalar& y, Arith mode) { return apply_binary(op, x, y, mode); }}};
  };
  auto one = [&]() -> std::vector<Row> {
    return {{info(op).name.data(), op, [op](const Expr& x, const Expr&) { return unary(op, x); },
             [op](const Scalar& x, const Scalar&, Arith) { return ScalarResult{apply_unary(op, x)}; }, false}};
  };
  auto choice = [&](std::function<Expr(const Expr&, const Expr&)> build) -> std::vector<Row> {
    return {{info(op).name.data(), op, std::move(build),
             [](const Scalar& x, const Scalar& y, Arith) { return ScalarResult{x == y ? y : x}; }}};
  };
  switch (op) {
    case HEXPROOF_CASES(Ring):
    case HEXPROOF_CASES(MinMax):
    case HEXPROOF_CASES(Order):
    case HEXPROOF_CASES(IntegerDivision):
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case HEXPROOF_CASES(Shift):
      return t.is_bool() ? std::vector<Row>{} : two();
    case Op::EQ:
    case Op::NE:
      return two();
    case Op::And:
    case Op::Or:
      return t.is_bool() ? two() : std::vector<Row>{};
    case Op::Not:
      return t.is_bool() ? one() : std::vector<Row>{};
    case Op::BitNot:
      return t.is_bool() ? std::vector<Row>{} : one();
    case Op::Select:
      return choice([](const Expr& x, const Expr& y) { return select(eq(x, y), y, x); });
    case Op::IfThenElse:
      return choice([](const Expr& x, const Expr& y) { return if_then_else(ne(x, y), x, y); });
    case Op::Likely:
      return choice([](const Expr& x, const Expr& y) { return select(likely(eq(x, y)), y, x); });
    case Op::Let:
      return choice([](const Expr& x, const Expr& y) {
        Var v = Var::fresh("v", x->dtype);
        return let(v, x, select(eq(v, y), y, v));
      });
    case Op::Cast: {
      std::vector<Row> rows;
      for (DType to : kTypes) {
        rows.push_back({to.str().insert(0, "Cast to "), op, [to](const Expr& x, const Expr&) { return cast(to, x); },
                        [to](const Scalar& x, const Scalar&, Arith) { return apply_cast(to, x); }, false});
      }
      return rows;
    }
    case Op::Var:  // these two are what every row is made of
    case Op::IntImm:
    case Op::Load:  // has no value of its own
    case Op::Call:
    case Op::Undef:
    case HEXPROOF_CASES(ProofOnly):  // what Index and Data errors are asked by, below
    case Op::FloatImm:               // no integers
    case Op::Div:
    case Op::StringImm:
    case Op::Ramp:  // no scalars: not modelled
    case Op::Broadcast:
      return {};
  }
  return {};
}

inline std::vector<Row> rows_of(DType t) {
  std::vector<Row> rows;
  for (int op = 0; op <= static_cast<int>(Op::Fits); ++op) {
    for (Row& row : rows_of(static_cast<Op>(op), t)) rows.push_back(std::move(row));
  }
  return rows;
}

/// All values at 8 bits and below, in order; else values where things change, and arbitrary ones.
inline std::vector<Scalar> values_of(DType t) {
  std::vector<Scalar> out;
  if (t.bits <= 8) {
    for (Wide v = min_value(t); v <= max_value(t); ++v) out.push_back(int_scalar(t, v));
    return out;
  }
  for (Wide v : {min_value(t), min_value(t) + 1, Wide{-1}, Wide{0}, Wide{1}, Wide{2}, Wide{7}, Wide{t.bits} - 1,
                 Wide{t.bits}, max_value(t) / 2 + 1, max_value(t) - 1, max_value(t)}) {
    out.push_back(int_scalar(t, v));
  }
  for (uint64_t i = 0; i < 4; ++i) out.push_back(arbitrary_scalar(t, i * 131 + t.bits));
  return out;
}

inline Expr constant(const Scalar& s) { return imm(s.type, wide_value(s)); }

enum class Kind : uint8_t { Data, Index, RightConstant };
inline const char* name_of(Kind kind) {
  return kind == Kind::Data ? "data" : kind == Kind::Index ? "index" : "constant right";
}

/// An operand that is data (a cell) or index (a variable).
inline Expr operand(Kind kind, DType t, const char* name) {
  return kind == Kind::Index ? Expr(Var::fresh(name, t)) : load(make_buffer(name, t, {i32(1)}), {i32(0)});
}
inline Arith arith_of(Kind kind) { return kind == Kind::Index ? Arith::Index : Arith::Data; }
inline bool is_shift(const Row& row) { return row.op == Op::Shl || row.op == Op::Shr; }
inline bool is_of_bits(const Row& row) { return row.op == Op::BitAnd || row.op == Op::BitOr || row.op == Op::BitXor; }

}  // namespace hexproof
