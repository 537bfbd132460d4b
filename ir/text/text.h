// TVMScript in and out (tiers 0 to 3, and thread bindings).
#pragma once
#include <memory>
#include <string>

#include "ir/function.h"

namespace hexproof {

/// Parses a module: one `@I.ir_module` class, or functions on their own (decorated or not). Throws Error
/// (with place, caret and hint) or Unsupported.
IRModule parse_module(std::shared_ptr<const SourceFile> file);
IRModule parse_module(const std::string& text, const std::string& path = "<text>");
/// Reads and parses; an unreadable path, a file that is not text (NUL bytes, invalid UTF-8) is an Error.
IRModule parse_file(const std::string& path);
/// The function named `name`, or the only one when `name` is empty.
const PrimFunc& pick_function(const IRModule& module, const std::string& name);

/// TVMScript that TVM 0.14 reads back, and that parse_module reads back to the same program. Names are
/// made unique from the hints, deterministically: the text does not depend on variable ids.
std::string print(const IRModule& module);
std::string print(const PrimFunc& func);
/// Pieces, for messages and reports; free variables go by their hint.
std::string print(const Stmt& stmt);
std::string print(const Expr& e);
/// A name as programs print it: an identifier that is neither a keyword nor a name of TVMScript's own ("max" is
/// "max_").
namespace text {
std::string identifier(const std::string& hint);
}
/// "i, j": the variables, by names that are told apart, and the expressions over them.
struct TextOver {
  std::string vars;
  std::vector<std::string> exprs;
};
TextOver print_over(const std::vector<Var>& vars, const std::vector<Expr>& exprs);

/// Nothing when the function is well formed; else which rule is broken and where: types, numbers of indices, variables
/// in scope, every binding of a variable and every declaration of a buffer unique, block bindings, a
/// `Fits` in a program. Run after every rule in debug builds.
std::string ill_formed(const PrimFunc& func);

}  // namespace hexproof
