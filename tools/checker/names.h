// Two programs held against each other: what is one statement in both, and where they differ.
#pragma once
#include <map>
#include <optional>
#include <set>

#include "ir/visit.h"

namespace hexproof::checker {

using Stmts = std::vector<Stmt>;
/// The statements in order: nested sequences are flattened, and what does nothing is left out.
Stmts parts_of(const Stmt& stmt);

/// The names of the program after a step, paired with those of the program before it.
class Names {
 public:
  /// False: a parameter has another layout, or an attribute another value but that the function is lowered.
  bool pair(const PrimFunc& before, const PrimFunc& after);
  void pair(const Var& before, const Var& after) { vars_[after] = before; }

  /// One expression (statement) but for names. What is bound inside is paired on the way.
  bool same(const Expr& before, const Expr& after);
  bool same(const std::vector<Expr>& before, const std::vector<Expr>& after);
  bool same(const Stmt& before, const Stmt& after) { return same(parts_of(before), parts_of(after)); }
  bool same(const Stmts& before, const Stmts& after);
  /// As above, the parts of the statements left aside. Kinds of loops and T.attr count; annotations and regions do not.
  bool head(const Stmt& before, const Stmt& after);
  /// The expressions of loops, branches, lets, blocks and what is evaluated held against each other by `equal`.
  using Equal = std::function<bool(const Expr&, const Expr&)>;
  bool head(const Stmt& before, const Stmt& after, const Equal& equal);

  /// What does not fit pairs no names.
  template <typename Fits>
  bool attempt(const Fits& fits) {
    Names tried = *this;
    if (!fits(tried)) return false;
    *this = std::move(tried);
    return true;
  }

  /// Loops are the same only under one name.
  bool by_name = false;
  /// Variables of the program before that stand for an expression of the program after: found where they stand.
  std::map<Var, Expr> holes;
  std::set<Var> open;

  const std::map<Var, Var>& vars() const { return vars_; }
  bool paired(const Buffer& before, const Buffer& after) const;
  bool same_layout(const Buffer& before, const Buffer& after);
  void pair(const Buffer& before, const Buffer& after);
  /// With the names of the program before.
  Expr mine(const Expr& after) const;
  Stmt mine(const Stmt& after) const;

 private:
  bool one(const Stmt& before, const Stmt& after);
  bool same_name(const Var& before, const Var& after) const;
  std::map<Var, Var> vars_;
  std::map<Buffer, Buffer> buffers_;
};

/// Where a step changed the program: at `before[0]`, reached from the body of the function.
struct Place {
  Stmts before, after;
};
/// Nothing where the two are one. The place is the smallest one that holds all that differs.
std::optional<Place> difference(Names& names, Stmts before, Stmts after);

}  // namespace hexproof::checker
