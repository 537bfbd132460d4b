// The operators of expressions; ops.def is the table with their meaning.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/ops.def"

namespace hexproof {

#define HEXPROOF_OP(name, ...) name,
enum class Op : uint8_t { HEXPROOF_OPS(HEXPROOF_OP) };
#undef HEXPROOF_OP

#define HEXPROOF_OP(...) +1
inline constexpr int kOpCount = 0 HEXPROOF_OPS(HEXPROOF_OP);
#undef HEXPROOF_OP

/// `case HEXPROOF_CASES(Group):` - the operators of a group of ops.def as labels of a switch.
#define HEXPROOF_CASES(group) HEXPROOF_OPS_##group(HEXPROOF_FIRST_CASE, HEXPROOF_NEXT_CASE)
#define HEXPROOF_FIRST_CASE(name, ...) Op::name
#define HEXPROOF_NEXT_CASE(name, ...) : case Op::name

/// What the operands of an operator are, and its result; `Own` where its builder in ir/expr.h tells.
enum class Operands : uint8_t { Own, Number, Integer, Float, Bool, Value };
enum class Result : uint8_t { Own, Same, Truth };

struct OpInfo {
  std::string_view name;  // of the enumerator
  std::string_view text;  // as TVMScript writes it; empty where the syntax is special
  int arity;              // -1: any
  Operands operands;
  Result result;
  bool commutative, associative;  // on integers and bools
  std::optional<int> neutral;     // on them: 0, 1, or -1 (all bits set)
  std::string_view meaning;       // in words
};
const OpInfo& info(Op op);
std::optional<Op> op_by_name(std::string_view name);

inline bool is_comparison(Op op) { return info(op).result == Result::Truth; }
bool is_division(Op op);
/// An uninterpreted function, which only proofs contain.
inline bool is_uninterpreted(Op op) { return op >= Op::Opaque && op <= Op::Accumulator; }
/// A function of its operands that arithmetic does not look into: a load, a call, an uninterpreted function.
inline bool is_application(Op op) { return op == Op::Load || op == Op::Call || is_uninterpreted(op); }
/// May the operands change places? (Not of min and max of floats, which see zeros of two signs and NaNs.)
inline bool commutes(Op op, bool floats) {
  return info(op).commutative && !(floats && (op == Op::Min || op == Op::Max));
}
/// An infix operator of TVMScript (including `and`, `or`).
bool is_infix(Op op);

}  // namespace hexproof
