// Cells of an argument that may not be read when the function starts: padding that nobody promised to fill.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"
#include "verify/prove/solvers/evaluate.h"

namespace hexproof {

/// An attribute of the function, "hexproof.padding.K" for the parameter at position K, says which cells of that
/// parameter's buffer are uninitialised when the function starts (semantics: "Memory"): a text such as
/// "lambda io, ii: io * 4 + ii >= 14", over the indices and the function's scalars. Such a cell may be read only after
/// the function has written it, or where an assume allows it.
struct ArgumentPadding {
  std::vector<Var> indices;
  Expr predicate;
  bool unreadable = false;  // the text: every cell may be padding, and none is known to be
  /// The predicate at a cell.
  Expr at(const std::vector<Expr>& cell) const;
  /// Whether the cell is padding, under values for the scalars; nothing where that is not known.
  std::optional<bool> holds(const Valuation& scalars, const std::vector<int64_t>& cell) const;
};

/// What the attribute says of the parameter; nothing when it has none. A text that cannot be read, or names what the
/// function does not have, means that every cell may be padding.
std::optional<ArgumentPadding> argument_padding(const PrimFunc& func, size_t param);
/// The function with the attribute, or without it where there is no predicate. Nothing when the text would say
/// something else: of what is neither an index nor a scalar of the function, or is a scalar whose name another one has.
std::optional<PrimFunc> with_argument_padding(PrimFunc func, size_t param, const std::vector<Var>& indices,
                                              const Expr& predicate);
/// Do the attributes of two functions, one program otherwise, say the same? They are texts that go by names.
bool same_argument_padding(const PrimFunc& a, const PrimFunc& b);

}  // namespace hexproof
