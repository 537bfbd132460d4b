// Errors of single operations, under what is known where they stand.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verify/check/check_item.h"
#include "verify/facts/facts.h"
#include "verify/memory/kept.h"

namespace hexproof {

class OperationSafety {
 protected:
  explicit OperationSafety(CheckContext& context) : context_(context) {}

  Expr resolved(const Expr& e) const;
  /// `probe` shows the error by itself; it must depend on no memory, as must the way to it.
  CheckItem question(const char* rule, std::string why, Expr goal, const Expr& probe, std::vector<Expr> also = {});
  const std::vector<MemoryFact>& cells();
  void ask(CheckItem q);
  /// Every operation that evaluating `e` evaluates, under its conditions, has a value.
  void value(const Expr& e);
  /// Index arithmetic in one question: no let in it, whose value might not be seen.
  static bool plain_index(const Expr& e);
  void operation(const Expr& node, const Evaluation& at);
  /// An index, a condition or a bound, resolved: no undef may reach it.
  void settled(const Expr& e, const std::string& what);
  /// The same, and every operation in it has a value.
  void control(const Expr& e, const std::string& what);
  /// The cell holds no undef: no store of one meets it.
  void clean(const Expr& cell, const std::string& what);
  /// A let whose value is not put in.
  static bool holds_opaque(const Expr& e);
  bool function_has_undef();
  void condition(const Expr& e);
  /// Operations on values that depend on no memory: overflow is an error, too.
  void index_arithmetic(const Expr& e);
  static std::vector<Expr> lane_range(const Var& lane, int lanes);
  static std::string text(const Expr& e);
  /// Data arithmetic wraps, but what T.nowrap says does not; division, shifts and casts to integers may still have no
  /// value.
  void data_operation(const Expr& whole);
  /// Every index lies within the shape.
  void bounds(const Buffer& buffer, const std::vector<Expr>& indices, const Expr& probe, bool write);
  Stmt plain_store(const Buffer& buffer, const std::vector<Expr>& indices);
  /// The cell at `address`, which counts elements of `lanes` scalars, lies in the memory.
  Expr in_memory(const Expr& address, int lanes, const MemoryInfo& memory) const;

  CheckContext& context_;
  Path path_;
  Stmt stmt_;
  std::optional<Place> place_;
  std::optional<std::vector<MemoryFact>> cells_;  // at the statement, once needed
  Facts facts_;
  size_t base_ = 0;  // the first condition that arose inside the statement
  std::optional<bool> has_undef_;
  std::map<Buffer, std::vector<CheckItem>> views_open_;  // views that are not seen to fit, and accesses through them
};

}  // namespace hexproof
