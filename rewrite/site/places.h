// Where things stand: loops by variable, blocks and allocations by name, statements of one kind at a place.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "rewrite/kernel/kernel.h"

namespace hexproof {

/// The loop over `var`, if there is one.
std::optional<Path> find_loop(const PrimFunc& func, const Var& var);
/// Every block of that name, in program order. (TVM's names are unique; a person's need not be.)
std::vector<Path> find_blocks(const PrimFunc& func, const std::string& name);
/// The AllocBuffer of that buffer, or of a buffer of that name (the first one).
std::optional<Path> find_allocation(const PrimFunc& func, const Buffer& buffer);
std::optional<Path> find_allocation(const PrimFunc& func, const std::string& name);
/// The loops around a place, outermost first (the statement at `at` itself does not count).
std::vector<Path> loops_around(const PrimFunc& func, const Path& at);
/// Every statement for which `f` holds, in program order.
std::vector<Path> find_all(const PrimFunc& func, const std::function<bool(const Stmt&)>& f);

/// The name that stands for the whole body in a program that has no block of that name.
inline constexpr const char* kRootBlock = "root";
/// The statement below the function's own allocations and attributes: what a program does, as one statement.
Path body_below_allocations(const PrimFunc& func);
/// Does the program have a block?
bool has_blocks(const PrimFunc& func);

/// `path` and one step further down.
Path below(Path path, int part);
/// `path` without its last step; NotApplicable at the function's body.
Path above(Path path);
/// Is `inner` the statement at `outer` or inside of it?
bool is_within(const Path& inner, const Path& outer);

/// The statement at `at` as a `Record`; NotApplicable when the path leads nowhere or to another kind of statement.
template <class Record>
const Record& record_at(const PrimFunc& func, const Path& at, const char* what);
/// The function without the statement at `at`.
PrimFunc without(const PrimFunc& func, const Path& at);
/// As stmt_at, but a path that leads nowhere is NotApplicable.
Stmt checked_at(const PrimFunc& func, const Path& at);

/// Has `e` the same value wherever and however often it is evaluated: does it read no memory, and make no choice (an
/// operation on floats that the granted flags leave open, verify/prove/open_rounding.h)?
bool is_repeatable(const Expr& e);
/// NotApplicable when `e` is not: when it depends on a buffer's content, through lets too, its arithmetic wraps and its
/// value may change on the way; when it chooses, a second evaluation may have another value. It can be neither copied,
/// nor moved to where it is evaluated more often, nor computed with.
void require_index(const PrimFunc& func, const Expr& e, const std::string& what);
/// One obligation of `rule` about the statement at `at`.
Obligation need(const std::string& rule, const std::string& why, const PrimFunc& func, const Stmt& stmt,
                std::vector<Expr> given, Expr goal);
/// Γ at a place, as formulas.
std::vector<Expr> given_at(const PrimFunc& func, const Path& at);
/// `a` followed by `b`.
std::vector<Expr> join(std::vector<Expr> a, const std::vector<Expr>& b);
/// min <= var and var < min + extent (as range_of in facts.h).
std::vector<Expr> range_of(const Expr& var, const Expr& min, const Expr& extent);

template <class Record>
const Record& record_at(const PrimFunc& func, const Path& at, const char* what) {
  Stmt stmt = checked_at(func, at);
  const Record* record = stmt.as<Record>();
  if (!record) throw NotApplicable(std::string("the path does not lead to ") + what);
  return *record;  // lives in the function, which holds the statement
}

}  // namespace hexproof
