// What a statement leaves behind where it would not have run: nothing, if each of its stores leaves no trace.
#pragma once
#include <string>
#include <vector>

#include "rewrite/memory/dead_store.h"

namespace hexproof {

/// Why a store may run, or not, as one likes.
struct Trace {
  enum class Kind : uint8_t {
    Same,         // the cell holds the bits of the value already (or a zero joins a sum that is seen at its end alone)
    Overwritten,  // a later store, outside of the statement, writes the cell again before anybody else reads it
    Unread,       // memory of the function's own, and nobody else ever reads the cell
    Permitted,    // an earlier store of an undef gave the cell free, and nobody else looked at it or stored there since
  };
  Kind kind = Kind::Same;
  Path by = {};         // Overwritten: the later store
  int64_t witness = 0;  // Overwritten: which inversion of its index map
  /// Later stores that write some of the cells again; the kind above is for all others.
  std::vector<Again> first = {};
};

/// The stores of the statement at `copy` to memory that outlives it, in program order.
std::vector<Path> lasting_stores(const PrimFunc& func, const Path& copy);

/// What must hold for the store at `store`, inside the statement at `copy`, to leave no trace. The other statements of
/// the function are those that run with the copy or without it; what the copy itself reads does not count, because it
/// ends in cells that leave no trace either. NotApplicable when the trace is not of that shape.
///
/// Permitted shows that the copy may run where it did not. It does not show the other direction: a cell of undefined
/// content may hold any value, and after a store only that one.
std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const Path& store, const Trace& trace);
/// Of all stores.
std::vector<Obligation> leaves_no_trace(const std::string& rule, const PrimFunc& func, const Path& copy,
                                        const std::vector<Trace>& traces);

/// What must hold for the statement at `copy` to do what `other` would do in its place: part by part they are of one
/// shape and store equal bits to equal cells; parts of the copy that `other` lacks leave every cell as it was.
/// NotApplicable when they are of different shapes.
std::vector<Obligation> does_the_same(const std::string& rule, const PrimFunc& func, const Path& copy,
                                      const Stmt& other);

/// The program with the branch whose sides both run: `if c: S else: T` as `if c: S else: S'` (takes 1) or as
/// `if c: T' else: T` (takes 0), or a block with a predicate as such an if around the block. S' is a copy of S.
struct BothSides {
  PrimFunc func;
  Path copy;   // of S' (T')
  Stmt kept;   // S (T): what stays
  Stmt other;  // T (S); missing when there is none
};
BothSides both_sides(const PrimFunc& func, const Path& at, bool takes);

}  // namespace hexproof
