// Questions that say the same under other names.
#pragma once
#include <cstdint>
#include <vector>

#include "ir/expr.h"

namespace hexproof {

/// What is given and the goal as numbers: variables, buffers and opaque values in the order in which they occur first,
/// everything else in full. Two questions with equal keys are one question up to these names, and their variables were
/// made in the same order.
using QuestionKey = std::vector<uint64_t>;
QuestionKey question_key(const std::vector<Expr>& given, const Expr& goal);

struct QuestionKeyHash {
  size_t operator()(const QuestionKey& key) const {
    uint64_t h = 0x9e3779b97f4a7c15ull;
    for (uint64_t word : key) h = (h ^ word) * 0xff51afd7ed558ccdull, h ^= h >> 32;
    return h;
  }
};

}  // namespace hexproof
