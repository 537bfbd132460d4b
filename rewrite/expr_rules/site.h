// The expressions of one statement as places where rules apply, with what is known at each.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rewrite/expr_rules/match.h"
#include "verify/memory/content.h"

namespace hexproof {

/// One use of an expression rule: which of its matches (match_rule's order), in which statement, at which
/// expression: the position among `expressions(stmt)`, then operands on the way down.
struct Application {
  std::string rule;
  int ordinal = 0;
  Path statement;
  Path expr;
};

/// A match with what it owes here.
struct Candidate {
  Match match;
  int ordinal;
  std::vector<Obligation> needs;
};

/// The rule `known-value`: a load becomes the value that stores and assumes are known to have left in its cell, a
/// constant or an expression over variables. Owes that the bits are equal, and that the value is free of errors. Not in
/// an assume.
inline constexpr const char* kKnownValue = "known-value";

/// The statement at `at` while expressions in it are replaced by equal ones. All facts are those of the function as it
/// was given: every replacement is of an expression by one of the same value at that place, so they stay true.
///
/// Regions and domains of blocks are claims, and a condition of an assume is not executed: neither is known to be free
/// of errors, so there a rule owes `fits` of what it matched besides. An assume never becomes a constant.
class ExprSite {
 public:
  ExprSite(const PrimFunc& func, Path at);
  /// With the facts at the statement already at hand; `content` is of the function, too.
  ExprSite(const PrimFunc& func, Path at, Facts facts, std::shared_ptr<const Content> content = nullptr);

  const std::vector<Expr>& roots() const { return roots_; }
  bool may_rewrite(size_t root) const { return roles_[root] != Role::Fixed; }
  const Expr& expr(const Path& where) const;
  /// Matches at a place: of all rules, or of the one named.
  std::vector<Candidate> candidates(const Path& where) const;
  std::vector<Candidate> candidates(const Path& where, const std::string& rule) const;
  void replace(const Path& where, const Expr& after);
  /// What is known where the expression stands: at the statement, under the conditions of if_then_else that guard the
  /// place, with the lets around it. Nothing where it may not be replaced, or is the value of a let.
  std::optional<Facts> known_at(const Path& where) const;
  bool changed() const { return changed_; }
  /// The statement with its expressions as they are now.
  Stmt statement() const { return with_expressions(stmt_, roots_); }

 private:
  enum class Role : uint8_t { Plain, Predicate, Domain, Region, Assume, Fixed };
  void find_roles();
  /// Without `matches`: those of `known-value`.
  std::vector<Candidate> owed(const Path& where, std::optional<std::vector<Match>> matches) const;
  const std::vector<MemoryFact>& cells() const;
  /// Would a variable be bound to data that is not now, or the other way round, with `after` there?
  bool turns_a_variable(const Path& where, const Expr& after) const;

  const PrimFunc& func_;
  Path at_;
  Stmt stmt_;
  Facts facts_;
  Facts inside_;  // of a block: with its variables inlined, under its predicate
  mutable std::shared_ptr<const Content> content_;
  mutable std::optional<std::vector<MemoryFact>> cells_;  // at the statement, once needed
  Place place_;
  std::vector<Expr> roots_;
  std::vector<Role> roles_;
  bool changed_ = false;
};

}  // namespace hexproof
