// What the cells of buffers are known to hold at a place, from the assumes and the stores that ran before it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "verify/facts/facts.h"

namespace hexproof {

/// A store that may have run since, and have changed what a statement about memory speaks of: for some values of
/// `loops`, all `conditions` hold. They depend on no memory but that which the changed cell's own index reads.
struct Clobber {
  std::vector<LoopRange> loops;
  std::vector<Expr> conditions;
};

/// For all values of `loops`: where every expression of `when` holds and no hit happened, `says` holds of the
/// memory as it is at the place. (Ranges of the loops stand in `when`.) Free variables are the loops around the place
/// and scalars; `loops` and those of the hits are bound here.
struct MemoryFact {
  std::vector<LoopRange> loops;
  std::vector<Expr> when;
  Expr says;                   // a condition that was assumed, or same_bits(cell, value) after a store
  std::vector<Expr> triggers;  // loads in `says`: where one of them is read, the fact is of use
  std::vector<Expr> cells;     // all loads in `when` and `says`
  std::vector<Clobber> hits;
  bool permission = false;      // `says` is may_hold_anything: a load of the cell ends it, too
  bool not_minus_zero = false;  // `says` is that a float is not -0.0: an addition to the cell keeps it

  /// "for all io, ii: 0 <= io and ... : A[io, ii] == 0" (without the hits).
  std::string str() const;
};

/// Proof-only: the last that happened to the cell of `load` was a store of T.undef(), and nobody has looked at it
/// since. Then the cell may be given any value here.
Expr may_hold_anything(const Expr& load);

/// The fact with all that it binds renamed apart, and with `names` put in for free variables.
MemoryFact renamed_apart(MemoryFact fact, VarMap names = {});

/// The facts of all places of one function. Building it costs a walk; it is thread-safe afterwards.
///
/// - An assume holds of its cells where it stands; after the loops around it have run it holds for all their values.
/// - A store leaves its value's bits in its cell; after the loops around it, for all their values, unless a later
///   iteration stored to the same cell. What its value reads must not have changed since.
/// - In a serial loop what held before it holds unless an earlier iteration stored there, and what the earlier
///   iterations established holds for them.
/// - A store of T.undef() is the permission to leave anything in the cell (may_hold_anything), until it is stored to or
///   loaded from again.
/// - A store of a float that is never -0.0 (+0.0, say) leaves a cell that is not -0.0, and so does every addition to it
///   after that (`cell = cell + e`): under round to nearest, x + y is -0.0 only when both are. Adding +0.0 to such a
///   sum changes nothing. (Not where `contract` or `reassoc` is granted.)
/// - A branch or a block predicate guards what its body established; its condition is a fact in it.
///
/// A store that may hit the cells does not kill a fact: it becomes a `Hit`, left out only when the first stage of the
/// prover (bounds and normal form) sees that it cannot happen. No solver is asked.
class Content {
 public:
  explicit Content(const PrimFunc& func);
  /// The same, but what the statement at `unseen`, if given, does ends no permission: what held of permissions if it
  /// had not run. Of memory that neither `about` lists nor says something of what it lists nothing need be known.
  Content(const PrimFunc& func, const std::optional<Path>& unseen, const std::optional<std::set<Var>>& about);
  ~Content();
  Content(const Content&) = delete;

  /// Just before the statement at `path`.
  std::vector<MemoryFact> at(const Path& path) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The facts put in for the cells that `about` reads, as formulas to stand in `given` besides those of `given` itself:
/// each is a disjunction of the statement, the negated conditions under which it holds, and the hits with variables of
/// their own ("some store hit it" as a given needs no quantifier). What a statement reads in turn is looked up, too,
/// a few times over.
std::vector<Expr> instances(const std::vector<MemoryFact>& facts, const std::vector<Expr>& given,
                            const std::vector<Expr>& about);

/// `given` and what is known of the cells that `about` (and `given`) read at the place. The one call of rules.
std::vector<Expr> with_content(const PrimFunc& func, const Path& path, std::vector<Expr> given,
                               const std::vector<Expr>& about);
/// The same with the facts at hand.
std::vector<Expr> with_content(const std::vector<MemoryFact>& facts, std::vector<Expr> given,
                               const std::vector<Expr>& about);

/// Values that the load is known to have at the place, as candidates: constants, and index expressions over variables
/// in scope there (no loads). Whoever uses one owes same_bits(load, value) under with_content.
std::vector<Expr> known_values(const std::vector<MemoryFact>& facts, const std::vector<Expr>& given, const Expr& load);

}  // namespace hexproof
