// Walks over expressions and statements, and substitution.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "ir/function.h"

namespace hexproof {

/// Calls `f` on `e` and, where it returns true, on its operands.
void visit_expr(const Expr& e, const std::function<bool(const Expr&)>& f);
/// The same for what is asked of nodes, whatever stands around them: in a large expression, one that is shared is not
/// visited for each of its places (of which there may be exponentially many).
void visit_nodes(const Expr& e, const std::function<bool(const Expr&)>& f);
/// The expressions that stand in one statement itself (not in its parts): indices and value of a store,
/// bounds of a loop, bindings and predicate of a block, ...
std::vector<Expr> expressions(const Stmt& stmt);
/// The same statement with other expressions, as many as `expressions` gave; the span is kept.
Stmt with_expressions(const Stmt& stmt, const std::vector<Expr>& list);
/// Calls `f` on `stmt` and, where it returns true, on its parts, in order.
void visit_stmt(const Stmt& stmt, const std::function<bool(const Stmt&)>& f);
/// Every expression (with all its subexpressions) of every statement.
void visit_all_exprs(const Stmt& stmt, const std::function<void(const Expr&)>& f);

/// Rebuilds `e` bottom-up: `f` sees each node after its operands were rebuilt and returns what stands in
/// its place (the node itself for no change). Shared nodes are rebuilt once.
Expr rewrite_expr(const Expr& e, const std::function<Expr(const Expr&)>& f);
/// Rebuilds a statement bottom-up: `on_expr` for each expression that stands in a statement, `on_stmt`
/// (may be empty) for each statement after its parts were rebuilt.
Stmt rewrite_stmt(const Stmt& stmt, const std::function<Expr(const Expr&)>& on_expr,
                  const std::function<Stmt(const Stmt&)>& on_stmt = {});

using VarMap = std::map<Var, Expr>;
using BufferMap = std::map<Buffer, Buffer>;
/// Variables are unique, so nothing is captured. What an expression loads through a view whose layout mentions one of
/// them is loaded through the view that lies there (`moved`), since it may be another cell; in a statement the views
/// that it declares are declared anew, and those around it are where they were.
Expr substitute(const Expr& e, const VarMap& map);
Stmt substitute(const Stmt& stmt, const VarMap& map);
/// Buffers in loads, stores, declarations and regions.
Stmt substitute(const Stmt& stmt, const BufferMap& map);

/// A copy in which every variable and buffer that is bound inside is fresh (to duplicate a statement); variables are
/// called by `name`, where it is given.
Stmt refresh(const Stmt& stmt, const std::function<std::string(const Var&)>& name = {});

bool uses_var(const Expr& e, const Var& var);
bool uses_var(const Stmt& stmt, const Var& var);
/// Is there a load, a call, an undef or a variable that is bound to data in it? (Whether an operation wraps, its node
/// says.)
bool is_data(const Expr& e);
std::set<Var> free_vars(const Expr& e);

/// Equal up to the names of what is bound inside; parameters pair up by position. Spans do not count.
bool same_program(const PrimFunc& a, const PrimFunc& b);

}  // namespace hexproof
