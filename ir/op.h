// The operators of expressions; ops.def is the table with their meaning.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hexproof {

enum class Op : uint8_t {
#define OP(name, text, arity, meaning) name,
#include "ir/ops.def"
#undef OP
};

inline constexpr int kOpCount = 0
#define OP(name, text, arity, meaning) +1
#include "ir/ops.def"
#undef OP
    ;

struct OpInfo {
  std::string_view name;     // of the enumerator
  std::string_view text;     // as TVMScript writes it; empty where the syntax is special
  int arity;                 // -1: any
  std::string_view meaning;  // in words
};
const OpInfo& info(Op op);
std::optional<Op> op_by_name(std::string_view name);

inline bool is_comparison(Op op) { return op >= Op::EQ && op <= Op::GE; }
inline bool is_division(Op op) { return op >= Op::FloorDiv && op <= Op::TruncMod; }
/// An infix operator of TVMScript (including `and`, `or`).
bool is_infix(Op op);

}  // namespace hexproof
