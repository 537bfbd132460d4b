// Calls between the functions of a module, and the one function that a module with calls means.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ir/function.h"

namespace hexproof {

/// `Module.callee(A.data, n)`: a statement that runs another function of the module. There is one argument per
/// parameter: the pointer of a buffer that the caller owns (a parameter, or one that it allocates), or a scalar.
struct FunctionCall {
  std::string callee;
  std::vector<Expr> args;
};
/// The call that the statement is; nothing when it is another statement.
std::optional<FunctionCall> function_call(const Stmt& stmt);
Stmt make_function_call(const FunctionCall& call, Span span = {});

bool has_calls(const PrimFunc& func);
bool has_calls(const IRModule& module);
/// Unsupported at the first call: for everything that reads one function alone. Callers link first.
void demand_no_calls(const PrimFunc& func);

/// The function of that name, or null.
const PrimFunc* find_function(const IRModule& module, const std::string& name);
/// The buffer that the function owns (parameter or T.alloc_buffer) with that memory; missing when there is none.
Buffer owned_buffer(const PrimFunc& func, const Var& data);
/// The functions that no other one calls, in order: where a module with calls is entered.
std::vector<std::string> entries(const IRModule& module);
/// Where a command enters the module when the user names no function: `main`, else the only function that no other one
/// calls. Error when that leaves a choice.
std::string entry_of(const IRModule& module);

/// Errors at the call: an unknown function, a function that calls itself (over others too), another number of arguments
/// than of parameters, a buffer for a scalar or the reverse, a scalar of another type (a constant is converted where
/// it fits). Unsupported: a pointer that is not of a parameter's or an allocated buffer.
void resolve_calls(IRModule* module);

/// Are two extents, over the scalars of the entry and the loops around the call, equal? Unknown is no.
using SameExtent = std::function<bool(const Expr&, const Expr&)>;

/// An assume of a callee, where it stands in the linked function. It is the callee's precondition: at the call it must
/// be proved.
struct CalleeAssume {
  std::vector<int> path;
  std::string callee;
  Span call;
};

struct Linked {
  PrimFunc func;
  std::vector<CalleeAssume> assumes;  // none when the entry calls nothing
};

/// The function that `entry` means: the body of each callee put in for its call, parameters bound to the caller's
/// buffers and scalars, variables, blocks and allocations renamed apart. Fast-math flags are those that the entry and
/// all callees grant. Without calls it is the function itself.
///
/// Errors at the call: layouts that disagree (dtype, number of dimensions, an extent that is not seen to be equal, axis
/// separators, strides, scope), and one buffer passed twice when the callee writes it through one of the parameters.
/// `same` is asked for extents that are not the same expression; missing: they disagree.
Linked link(const IRModule& module, const std::string& entry, const SameExtent& same = {});

}  // namespace hexproof
