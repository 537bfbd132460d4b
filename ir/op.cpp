#include "ir/op.h"

#include <array>

namespace hexproof {
namespace {

enum Law : uint8_t { kNone = 0, kCommutative = 1, kAssociative = 2, kZero = 4, kOne = 8, kOnes = 16 };

constexpr std::optional<int> neutral(int laws) {
  if (laws & kZero) return 0;
  if (laws & kOne) return 1;
  return laws & kOnes ? std::optional(-1) : std::nullopt;
}

constexpr std::array<OpInfo, kOpCount> kTable = {{
#define HEXPROOF_OP(name, text, arity, operands, result, laws, meaning) \
  OpInfo{#name,                                                         \
         text,                                                          \
         arity,                                                         \
         Operands::operands,                                            \
         Result::result,                                                \
         ((laws)&kCommutative) != 0,                                    \
         ((laws)&kAssociative) != 0,                                    \
         neutral(laws),                                                 \
         meaning},
    HEXPROOF_OPS(HEXPROOF_OP)
#undef HEXPROOF_OP
}};

}  // namespace

const OpInfo& info(Op op) { return kTable[static_cast<size_t>(op)]; }

std::optional<Op> op_by_name(std::string_view name) {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

bool is_division(Op op) { return op >= Op::FloorDiv && op <= Op::TruncMod; }

bool is_infix(Op op) {
  std::string_view text = info(op).text;
  return info(op).arity == 2 && op != Op::SameBits && !text.empty() && !text.starts_with("T.");
}

}  // namespace hexproof
