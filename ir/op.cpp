#include "ir/op.h"

#include <array>

namespace hexproof {
namespace {
constexpr std::array<OpInfo, kOpCount> kTable = {{
#define OP(name, text, arity, meaning) OpInfo{#name, text, arity, meaning},
#include "ir/ops.def"
#undef OP
}};
}  // namespace

const OpInfo& info(Op op) { return kTable[static_cast<size_t>(op)]; }

std::optional<Op> op_by_name(std::string_view name) {
  for (size_t i = 0; i < kTable.size(); ++i) {
    if (kTable[i].name == name) return static_cast<Op>(i);
  }
  return std::nullopt;
}

bool is_infix(Op op) {
  std::string_view text = info(op).text;
  return info(op).arity == 2 && !text.empty() && !text.starts_with("T.");
}

}  // namespace hexproof
