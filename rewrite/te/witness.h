// A box is the smallest that moves with the loops around when one iteration of these asks for its first and its last
// cell.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace hexproof::te {

/// An index that is read, and when.
struct Asked {
  Expr index;
  std::vector<Expr> conditions;
};

/// The values that variables may have: first, ..., first + count - 1; perhaps more than they do, where conditions say
/// so.
using Choices = std::map<Var, std::pair<int64_t, int64_t>>;

/// An iteration of the `fixed` variables whose indices spread over `extent` cells, in words: found by evaluation.
/// Nothing when none was found; not all are looked at where there are many.
std::optional<std::string> spread(const std::vector<Asked>& asked, const Choices& choices, const std::set<Var>& fixed,
                                  int64_t extent);

}  // namespace hexproof::te
