// How the cells of the arguments of two programs correspond, in terms.
#pragma once
#include <functional>
#include <optional>

#include "verify/equiv/pair.h"
#include "verify/equiv/parametric/content.h"

namespace hexproof::parametric {

class Relation {
 public:
  Relation(const ProgramPair& pair, Scenario& scenario) : pair_(pair), scenario_(scenario) {}

  /// What a cell of an argument holds on entry: a load of the argument of `before`, or what padding holds.
  Expr entry_before(const Cell& cell);
  Expr entry_after(const Cell& cell);

  /// The logical index that a cell of `after` stands for.
  struct Origin {
    std::vector<Expr> index;
    std::vector<Expr> conditions;  // under these it is the one; they are free of errors
  };
  std::optional<Origin> origin(size_t pair, const std::vector<Expr>& at);
  /// Is it shown that no logical index maps here where the conditions do not hold?
  bool complete(size_t pair, const std::vector<Expr>& at, const Origin& from);
  /// Does every cell of after's buffer stand for a logical index?
  bool no_padding(size_t pair);
  /// Any logical index of a pair, each component as a sum of digits: then there is no division in the indices of
  /// programs that take it apart by constants. `steps`: the sizes of the digits, per dimension.
  struct AnyIndex {
    std::vector<Expr> index;
    std::vector<Expr> facts;
    std::map<Var, std::pair<size_t, Wide>> digits;  // a digit's dimension and its weight
  };
  using Steps = std::vector<std::set<Wide>>;
  AnyIndex any_logical(size_t pair, const Steps& steps);
  /// The digits that the layout takes.
  Steps layout_steps(size_t pair);
  /// What the pad value of the only layer is at a cell; `content` says what the cells hold that it reads.
  Expr pad_at(size_t pair, const std::vector<Expr>& at, const std::function<Expr(const Cell&)>& content);
  const VarMap& after_scalars() const { return pair_.after_scalars; }
  /// Fresh variables for the cells of a buffer, with their ranges added to `facts`.
  struct AnyCell {
    std::vector<Expr> indices, facts;  // that the indices are in the box
  };
  static AnyCell any_cell(const std::vector<Expr>& shape, bool int32);

 private:
  struct ParamCell {
    size_t param;
    Cell cell;
  };
  ParamCell cell_of_param(const std::vector<Buffer>& params, const Cell& cell, const VarMap& scalars);

  Expr padding_on_entry(size_t pair, const std::vector<Expr>& at, const Origin& from);

  const ProgramPair& pair_;
  Scenario& scenario_;
  std::map<size_t, bool> covers_;
  bool in_pad_ = false;
};

}  // namespace hexproof::parametric
