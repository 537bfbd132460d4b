// What must be shown of a program: its bounds, and that what has no order does not meet; and of a step, that the
// program after it does what the program before it does. Derived from the programs alone.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof::checker {

/// One formula: unsat means that the claim holds wherever the statement runs; sat, that what is given can hold.
struct Need {
  std::string claim;            // "source.py:12:9: B[vi] = 0: the store to B is in bounds"
  std::string script;           // SMT-LIB
  const char* shown = "unsat";  // by which answer the claim is
};

/// An assume of scalars alone that every run meets, by the names of what it speaks of.
using Premises = std::vector<Expr>;
/// Those of a function: no loop, branch or block stands around them.
Premises premises(const PrimFunc& func);
/// Says its term all of it? Only then does a model of it show that it can hold.
bool is_modelled(const Expr& premise);

/// Two expressions are equal, whatever their variables are.
Need equal_always(const Expr& a, const Expr& b, const std::string& file);

/// For each access of the function: its indices are in the axes and its address in the memory, and each operation on
/// the way fits its type; the same operations in everything else that is evaluated. Where a block's predicate holds,
/// its bindings lie in their domains. Two iterations of a loop without an order, and two instances of a block whose
/// spatial values differ, share no cell that one of them writes. No undef that stands in an index, a condition or a
/// bound, be it by its name in a let or a block, decides anything. `file` names the text it is of.
///
/// Its own assumes, where they speak of no memory: of the first program they are given from where they stand, being the
/// user's, but for those `of_callees`, which are needs whatever is passed there; of a later one (`given`: the premises
/// of the first) all are needs, too.
std::vector<Need> needs(const PrimFunc& func, const std::string& file, const Premises* given,
                        const std::set<const void*>& of_callees = {});

/// What of a step has to be shown, whatever it calls itself: where the two programs differ, and by how. Nothing where
/// the change has none of the shapes that are known here. `given`: the premises of the first program; `file` holds the
/// program after.
std::optional<std::vector<Need>> follow(const PrimFunc& before, const PrimFunc& after, const std::string& file,
                                        const Premises& given);

/// Of a step that is to put a branch around what stood there, or that takes one away (`gone`), the condition being its
/// own affair: is that all that it does? (Domains of blocks may grow, those of reductions at their end. In the place of
/// an only store a branch that is new may store something else to its cell. The side that goes is not looked at.)
bool only_a_branch(const PrimFunc& before, const PrimFunc& after, bool gone);

/// What a solver of the user's choice says of each need: "unsat", "sat", "unknown"; "time" when it took longer than
/// `seconds` for one; "none" when it cannot be started. `command` is split at blanks. One child process is asked many
/// scripts, with `(reset)` in between; what it does not answer so is asked again of a process of its own. Each script
/// must be a plain one (ir/base/plain_script.h).
std::vector<std::string> ask(const std::string& command, const std::vector<Need>& needs, int seconds);

}  // namespace hexproof::checker
