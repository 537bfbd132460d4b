// The walk over a program that says what has to be shown of it.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/visit.h"
#include "tools/checker/needs.h"
#include "tools/checker/terms.h"

namespace hexproof::checker {

/// Where a buffer lies, in terms of the place of its declaration.
struct Layout {
  std::vector<std::string> extents, strides;
  std::string offset = "0";
  std::vector<int> separators;
  std::string text() const;
  friend bool operator==(const Layout&, const Layout&) = default;
};
/// What a memory was made for.
struct Memory {
  DType dtype;
  std::string elements;  // empty: not modelled
  Buffer owner;          // missing: T.allocate
};
/// One load or store of one of two executions that are compared.
struct Touch {
  Stmt stmt;
  Buffer buffer;
  Layout layout;
  bool write = false;
  std::vector<std::string> at, given, loops;  // indices; what is known there; values of the loops, outermost first
  std::string address;                        // empty: not modelled
  std::optional<Op> sum = {};                 // of T[c] = T[c] op e on integers: in any order the same
  std::vector<std::string> other = {};        // where it lands in the program after a step, if that is asked
  Stmt block;                                 // the outermost block around it, and what it binds its spatial ones to
  std::vector<std::string> spatial;
};

class Walk {
 public:
  Walk(const PrimFunc& func, std::string file, const Premises* given, std::set<const void*> of_callees = {})
      : func_(func), file_(std::move(file)), given_(given), of_callees_(std::move(of_callees)) {}
  virtual ~Walk() = default;
  std::vector<Need> run();

 protected:
  /// Called where a statement is about to run.
  virtual void meets(const Stmt&) {}
  // What is known of arguments, and where buffers lie.
  void argument(const Buffer& buffer);
  std::optional<Expr> in_my_names(const Expr& e) const;
  void declare(const Buffer& buffer);
  void owns(const Buffer& buffer);
  void counts(const std::string& term, const std::string& least);  // elements: up to 2^63 - 1, from `least` if any
  void can_exist(const Memory& memory);
  std::string address(const Buffer& buffer, const std::vector<std::string>& at) const;
  std::string in_bounds(const Buffer& buffer, const std::vector<Expr>& indices);
  bool is_view(const Buffer& buffer) const;

  /// What one formula is to claim, under what decides about its parts.
  struct Goals {
    std::vector<std::string> parts;
    size_t guards = 0;
  };
  Goals goals() const { return {{}, guards_.size()}; }
  void claim(Goals& goals, std::string what);
  void ask(const Goals& goals, const std::string& what);
  void claim_here(const std::string& what, const std::string& why);
  void evaluate(const Expr& e, Goals& out);
  void operand(const Expr& e, const char* of, bool decide = true);
  void decides(const Expr& e);
  bool holds_undef(const Expr& e) const;
  void access(const Buffer& buffer, const std::vector<Expr>& indices, bool write, const char* what);
  void layout_of(const Buffer& buffer);

  void inside(const Stmt& part, const std::vector<std::string>& facts, bool of_block = false);
  void let(const Var& var, const Expr& value);
  void forget_stored(const Stmt& stmt);
  /// What the statement stores to, others may store to while `run` runs.
  void unstably(const Stmt& stmt, const std::function<void()>& run);
  void stmt(const Stmt& s);
  void run(const Store& s);
  void run(const For& s);
  void run(const If& s);
  void run(const LetStmt& s);
  void run(const Seq& s) {
    std::for_each(s.stmts.begin(), s.stmts.end(), [this](const Stmt& part) { stmt(part); });
  }
  void run(const Evaluate& s) { operand(s.value, "what is evaluated", false); }
  void run(const Assume& s);
  void with_buffer(const Buffer& buffer, const Stmt& body, bool fresh);
  void run(const AllocBuffer& s) { with_buffer(s.buffer, s.body, true); }
  void run(const Allocate& s);
  void run(const DeclBuffer& s) { with_buffer(s.buffer, s.body, false); }
  void run(const Block& s);
  void run(const AttrStmt& s) { stmt(s.body); }
  void run(const AsyncCommit&) { throw Unsupported(at_->span, "asynchronous copies, for hexproof-check"); }
  void run(const AsyncWait&) { throw Unsupported(at_->span, "asynchronous copies, for hexproof-check"); }
  /// The iterations of the loop: its variable has some value of its range.
  void iterations(const For& s, const std::string& min, const std::string& last);

  // Two executions of one statement, compared.
  std::vector<Touch> touches(int execution, const Stmt& beside, const std::function<void()>& execute);
  virtual void touch(const Buffer& buffer, const std::vector<Expr>& indices, bool write);
  void races(const For& s, const std::string& min, const std::string& last);
  void instances(const Stmt& scope);
  using Differ = std::function<std::string(const Touch&, const Touch&)>;  // empty: they are not compared
  void apart(const Stmt& beside, const std::function<void()>& execute, const Differ& differ, const std::string& claim);
  /// What must not hold at once for the two to share a cell, `differs` being what is known of their executions.
  std::vector<std::string> meeting(const Touch& a, const Touch& b, const std::string& differs) const;
  void never(const std::vector<std::string>& meeting, const Touch& a, const Touch& b, const std::string& what);

  const PrimFunc& func_;
  std::string file_;
  const Premises* given_;
  std::set<const void*> of_callees_;
  Terms terms_;
  std::map<std::string, Var> scalars_;
  std::map<const BufferNode*, Layout> layouts_;
  std::map<uint32_t, Memory> memories_;
  std::set<Var> undefs_;  // bound to what holds an undef
  std::vector<std::string> guards_;
  bool in_assume_ = false;
  bool quiet_ = false;  // nothing is asked
  Stmt at_;
  std::vector<Need> needs_;

  // Of the execution that is looked at.
  Terms::Mark began_;
  std::vector<Touch>* touches_ = nullptr;
  std::vector<std::string> loops_;
  std::map<uint32_t, size_t> allocated_;  // in it: the memory, and how many loops stand around
  Stmt block_;
  std::vector<std::string> spatial_;
};

/// Is a part of the expression such a one?
template <typename Kind>
bool holds(const Expr& e, const Kind& is) {
  bool found = false;
  visit_expr(e, [&](const Expr& part) { return !(found = found || is(part)); });
  return found;
}
/// Does a statement of that kind stand in them?
template <typename Kind>
bool holds(const std::vector<Stmt>& stmts) {
  bool found = false;
  for (const Stmt& stmt : stmts) {
    visit_stmt(stmt, [&](const Stmt& s) { return !(found |= s.as<Kind>() != nullptr); });
  }
  return found;
}
/// Two evaluations may be two values: of what is undefined, and of floats, which granted flags round either way.
bool has_choice(const Expr& e);
/// "the two lie at one cell"
std::string same_cell(const Touch& a, const Touch& b);
/// What the statement may change; `all`: it cannot be told.
std::set<uint32_t> stored_in(const Stmt& stmt, bool* all);

}  // namespace hexproof::checker
