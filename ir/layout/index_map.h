// Index maps: lambda i, j: [i // 4, j, i % 4] (RFC 39).
#pragma once
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hexproof {

struct IndexMap {
  std::vector<Var> inputs;           // int32, one per dimension of the logical buffer
  std::vector<Expr> outputs;         // over the inputs only
  std::vector<int> axis_separators;  // positions among the outputs (RFC 39, AXIS_SEPARATOR)

  /// The outputs at these indices.
  std::vector<Expr> apply(const std::vector<Expr>& indices) const;
};

/// The map as Python writes it: "lambda i, j: [i // 4, j, i % 4]".
std::string print(const IndexMap& map);

}  // namespace hexproof
