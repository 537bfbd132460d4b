// A box is the smallest of constant extent that moves with the loops around when one iteration of these asks for its
// first and its last cell. Where none does, all iterations are looked at, and a smaller box is proposed.
#pragma once
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
  std::vector<Expr> domains;     // ranges of loops, which some iteration satisfies
  std::vector<Expr> conditions;  // guards, which perhaps none does
};

/// The values that variables may have: first, ..., first + count - 1; perhaps more than they do, where conditions say
/// so.
using Choices = std::map<Var, std::pair<int64_t, int64_t>>;

/// The least and the greatest index that one iteration of the fixed variables asks for.
struct Ends {
  int64_t low = 0, high = 0;
};

struct Needed {
  std::optional<std::string> witness;  // an iteration that asks for as many cells as the box has, in words
  // Without one, where all iterations were looked at:
  bool complete = false;
  std::vector<Var> fixed;
  std::vector<std::pair<std::vector<int64_t>, Ends>> ends;  // of each iteration that asks for something
};

/// What iterations of the `fixed` variables ask for, by evaluation, up to one that asks for `extent` cells. Not all are
/// looked at where there are many.
Needed needed(const std::vector<Asked>& asked, const Choices& choices, const std::set<Var>& fixed, int64_t extent);

/// The index at the first iteration of the loops that move, and the lesser of that and the one at their last.
std::vector<Expr> ends_of(const Expr& index, const Choices& choices, const std::set<Var>& fixed);

struct SmallerBox {
  Expr base;
  int64_t extent = 0;
};
/// A box as small as what one iteration asks for, at one of `bases` (expressions of the fixed variables), moved by a
/// number and perhaps held between two numbers. Nothing when none of these holds what is needed.
std::optional<SmallerBox> smaller_box(const Needed& needed, const std::vector<Expr>& bases);

}  // namespace hexproof::te
