// What must be shown of a program for its accesses to be in bounds, derived from the program alone.
#pragma once
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof::checker {

/// One formula: unsat means that the claim holds wherever the statement runs.
struct Need {
  std::string place;   // "source.py:12:9: B[vi] = 0"
  std::string claim;   // "the store to B is in bounds"
  std::string script;  // SMT-LIB
};

/// An assume of scalars alone that every run meets, by the names of what it speaks of.
using Premises = std::vector<Expr>;
/// Those of a function: no loop, branch or block stands around them.
Premises premises(const PrimFunc& func);

/// For each access of the function: its indices are in the axes and its address in the memory, and each operation on
/// the way fits its type; the same operations in everything else that is evaluated. `file` names the text it is of.
///
/// Its own assumes, where they speak of no memory: of the first program they are given, being the user's; of a later
/// one (`given` is not null: the premises of the first) they are needs, too.
std::vector<Need> needs(const PrimFunc& func, const std::string& file, const Premises* given);

}  // namespace hexproof::checker
