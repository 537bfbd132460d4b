// A function as facts about memory see it: expressions resolved, accesses numbered.
#pragma once
#include "verify/access/footprint.h"
#include "verify/memory/fact_list.h"

namespace hexproof {

/// A statement with its expressions resolved: lets and block variables put in.
struct ContentNode {
  Stmt stmt;
  size_t loops = 0;         // around it
  std::vector<Expr> exprs;  // Store: indices, value. Assume, If: condition. Block: predicate, starts of reductions
  LoopRange range;          // For
  bool has_predicate = false;
  std::vector<Expr> known;  // conditions on no memory that hold when it runs
  std::vector<ContentNode> parts;
  // Loads and stores below it are accesses[first_access] up to accesses[end_access].
  size_t first_access = 0, end_access = 0;
  FactList established;  // at its end, by itself
};

struct ContentProgram {
  explicit ContentProgram(const PrimFunc& func);

  /// From now on only facts about this memory are of interest, and about what says something of it.
  void only(std::set<Var> memory);
  bool of_interest(const Buffer& buffer) const { return !interest || interest->count(buffer->data); }

  const ContentNode& at(const Path& path) const;

  ContentNode root;
  std::vector<Access> accesses;
  std::set<Buffer> varying;  // views whose layout depends on variables bound in the function
  /// (Where variables have other values, too.)
  bool varies(const Buffer& view) const { return view->declared || varying.count(view) > 0; }
  /// Sums are rounded one by one, as they are written: neither `contract` nor `reassoc` is granted.
  bool plain_sums = true;
  /// These accesses do not end a permission (Content, `unseen`).
  size_t first_unseen = 0, end_unseen = 0;
  std::optional<std::set<Var>> interest;  // missing: all memory

 private:
  void resolve(const PrimFunc& func);
  void collect_accesses(const PrimFunc& func);
};

}  // namespace hexproof
