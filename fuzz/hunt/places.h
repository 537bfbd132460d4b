// Where rules might apply: statements by kind and shape.
#pragma once
#include <string>
#include <vector>

#include "ir/function.h"
#include "verify/facts/facts.h"

namespace hexproof {

/// Paths of statements, in the order of the program; and what can be named.
struct Places {
  explicit Places(const PrimFunc& func);

  std::vector<Path> all, loops, ifs, blocks, lets, stores;
  std::vector<Path> in_sequence;  // statements with a following one in the same Seq
  // Shapes that rules look for.
  std::vector<Path> nests;             // a loop right inside of a loop
  std::vector<Path> loops_of_several;  // a loop over several statements
  std::vector<Path> unit_loops;        // of a constant extent 1, or with equal ends
  std::vector<Path> constant_loops;    // serial, of a constant extent
  std::vector<Path> guarded_loops;     // a loop over an if without else, perhaps with others between
  std::vector<Path> adjacent_loops, adjacent_ifs;
  std::vector<Path> open_ifs;    // without else
  std::vector<Path> closed_ifs;  // with else
  std::vector<Path> nested_ifs;  // an open if right inside of an open if, or one on a conjunction
  std::vector<Path> reductions;  // blocks with an init
  std::vector<Path> undef_stores, empties;
  std::vector<Path> predicated;  // blocks with a predicate
  std::vector<std::string> block_names;
  std::vector<Buffer> buffers;      // parameters and allocations
  std::vector<Buffer> allocations;  // of T.alloc_buffer

 private:
  void visit(const Stmt& s, const Path& path);
  void sequence(const std::vector<Stmt>& parts, const Path& path);
};

/// Positions in the expressions of the statement at `at` (among its expressions, then operands) of all that `fits`.
std::vector<Path> expr_places(const PrimFunc& func, const Path& at, bool (*fits)(const Expr&));

}  // namespace hexproof
