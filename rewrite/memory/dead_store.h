// A store whose cells are written again before anybody looks at them.
#pragma once
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"
#include "verify/access/footprint.h"

namespace hexproof {

/// A later store that writes the cells again, and which inversion of its index map says so.
struct Again {
  Path by;
  int64_t witness = 0;
};
/// "1.0.0#1"
std::string print(const Again& again);

/// The store in question, and what stands around it.
struct DeadStore {
  std::string rule;
  Path store;
  /// What the statement at `copy` reads does not count (it ends in cells that nobody looks at either). Missing: every
  /// read counts, but for operands of the store itself where it stands next to the later one.
  std::optional<Path> copy = {};
};

/// Owes that nobody reads the cells that the store writes between it and the later store, where they are written again;
/// and adds to `lost` the condition, over the loops around the store, under which they are. `lost` holds those of other
/// later stores: of their cells nothing is owed. NotApplicable when the later store is none that writes the cells.
void lost_in_part(const PrimFunc& func, const DeadStore& what, const Again& again, std::vector<Expr>* lost,
                  std::vector<Obligation>* needs);
/// The same, and owes besides that all remaining cells are written again.
void lost_altogether(const PrimFunc& func, const DeadStore& what, const Again& again, const std::vector<Expr>& lost,
                     std::vector<Obligation>* needs);

/// Where an access stands, relative to the statement whose footprint it is of.
Path place_in(const Access& access);
/// The one path behind the other.
Path joined(const Path& a, const Path& b);

}  // namespace hexproof
