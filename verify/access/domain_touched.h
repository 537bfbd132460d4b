// Which cells of a buffer a statement touches, and when: a box, and the condition on a cell.
#pragma once
#include <vector>

#include "verify/access/footprint.h"
#include "verify/prove/prover.h"

namespace hexproof {

/// One dimension of a box: first, ..., first + extent - 1.
struct TouchedRange {
  Expr first, extent;
};

/// What one load or store touches.
struct TouchedByAccess {
  Access access;
  Expr when;           // over DomainTouched::cell
  bool exact = false;  // the access touches just the cells for which `when` holds; else at most those
};

/// The cells of one buffer that a statement touches. Loop variables of the statement are eliminated: everything here
/// speaks of `cell` and of what is in scope around the statement.
struct DomainTouched {
  Buffer buffer;
  std::vector<Var> cell;  // one variable per dimension, of the type of the extent
  /// Holds every touched cell. Empty when nothing touches the buffer.
  std::vector<TouchedRange> box;
  bool box_exact = false;                 // each side of it is reached by a touched cell, whenever the loops around run
  std::vector<TouchedByAccess> accesses;  // in program order

  /// The cell is read, written, either: no touched cell is left out. Where `exact` is true, every such cell is touched.
  Expr read_when() const { return when(false, true); }
  Expr written_when() const { return when(true, false); }
  Expr touched_when() const { return when(true, true); }
  bool exact() const;

 private:
  Expr when(bool writes, bool reads) const;
};

/// What `stmt` touches of `buffer` in a program free of errors (views of its memory are not looked through: their
/// accesses count as touching everything). `facts` are those at the statement. Loop variables are eliminated by
/// inverting the index maps; the prover confirms what is claimed, and what it does not confirm becomes an
/// over-approximation: the condition is then only that the cell lies in the box of the access.
DomainTouched domain_touched(const Stmt& stmt, const Buffer& buffer, const Facts& facts, Prover& prover);

}  // namespace hexproof
