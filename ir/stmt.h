// Statements: a closed set of named records in one variant, immutable and shared.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/base/diagnostic.h"
#include "ir/buffer.h"
#include "ir/expr.h"

namespace hexproof {

struct StmtNode;

class Stmt {
 public:
  Stmt() = default;
  explicit Stmt(std::shared_ptr<const StmtNode> node) : node_(std::move(node)) {}
  const StmtNode* operator->() const { return node_.get(); }
  const StmtNode& operator*() const { return *node_; }
  const StmtNode* get() const { return node_.get(); }
  explicit operator bool() const { return node_ != nullptr; }
  /// The record, or null when the statement is of another kind.
  template <class Record>
  const Record* as() const;

 private:
  std::shared_ptr<const StmtNode> node_;
};

/// A value of `annotations=`, `T.block_attr`, `T.func_attr`: an expression (constants, mostly) or a text. Lists, dicts,
/// None and T.target(...) are Calls of type handle named "list", "dict" (keys and values in turn), "None", "T.target".
using Annotation = std::variant<Expr, std::string>;
using Annotations = std::map<std::string, Annotation>;

/// buffer[indices] = value. A vector value goes with one Ramp index.
struct Store {
  Buffer buffer;
  std::vector<Expr> indices;
  Expr value;
};

enum class ForKind : uint8_t { Serial, Parallel, Vectorized, Unrolled, ThreadBinding };

/// var runs from min to min + extent - 1 in order; no iteration when extent <= 0.
struct For {
  Var var;
  Expr min, extent;
  ForKind kind = ForKind::Serial;
  Stmt body;
  Annotations annotations = {};
  std::string thread_tag = {};  // ThreadBinding only
};

struct If {
  Expr condition;
  Stmt then_case;
  Stmt else_case;  // may be missing
};

/// var is bound to value, evaluated once, in the body.
struct LetStmt {
  Var var;
  Expr value;
  Stmt body;
};

/// One after the other. Empty: nothing happens.
struct Seq {
  std::vector<Stmt> stmts;
};

struct Evaluate {
  Expr value;
};

/// The condition holds here; executing it when it is false is an error. `and`, `or` are plain logic in it.
struct Assume {
  Expr condition;
};

/// Fresh, uninitialised memory for one buffer (T.alloc_buffer, T.decl_buffer without data), for each
/// execution of the statement.
struct AllocBuffer {
  Buffer buffer;
  Stmt body;
};

/// Raw memory (T.allocate, T.allocate_const); buffers are declared over `data` inside.
struct Allocate {
  Var data;
  DType dtype;
  std::vector<Expr> extents;
  std::string scope = "global";
  Stmt body;
  std::vector<Expr> constant = {};  // T.allocate_const: every element; then nothing may write it
  Annotations annotations = {};
};

/// A view over memory that exists: T.decl_buffer or T.Buffer with data=.
struct DeclBuffer {
  Buffer buffer;
  Stmt body;
};

struct Range {
  Expr min, extent;
};

struct BufferRegion {
  Buffer buffer;
  std::vector<Range> region;
};

enum class IterKind : uint8_t { Spatial, Reduce, Opaque };

/// var in [dom.min, dom.min + dom.extent), bound to `binding` in each execution of the block.
struct IterVar {
  Var var;
  Range dom;
  IterKind kind = IterKind::Spatial;
  Expr binding;
};

/// Binds its iteration variables, and runs `init` (in the instances where each Reduce variable is at the
/// start of its domain) and `body` when the predicate holds. Kinds, domains, reads and writes are claims.
struct Block {
  std::string name;
  std::vector<IterVar> iters = {};
  Expr predicate = {};                                               // T.where; missing: true
  std::optional<std::vector<BufferRegion>> reads = {}, writes = {};  // missing: as the body has them
  Stmt init = {};                                                    // may be missing
  Stmt body = {};
  Annotations annotations = {};
};

/// with T.attr(node, key, value): a note on the body.
struct AttrStmt {
  Annotation node;
  std::string key;
  Annotation value;
  Stmt body;
};

/// What the body does is one group on a queue, in flight from here on until a wait for that queue has seen it through.
/// (TVM's "async_commit_queue_scope" with "async_scope" in it.)
struct AsyncCommit {
  int64_t queue = 0;
  Stmt body;
};

/// Waits until at most `inflight` groups of the queue are in flight, the youngest ones; then the body runs. (TVM's
/// "async_wait_queue_scope" with "async_wait_inflight_count" in it.)
struct AsyncWait {
  int64_t queue = 0;
  Expr inflight;
  Stmt body;
};

struct StmtNode {
  std::variant<Store, For, If, LetStmt, Seq, Evaluate, Assume, AllocBuffer, Allocate, DeclBuffer, Block, AttrStmt,
               AsyncCommit, AsyncWait>
      record;
  Span span;
};

template <class Record>
const Record* Stmt::as() const {
  return node_ ? std::get_if<Record>(&node_->record) : nullptr;
}

template <class Record>
Stmt make_stmt(Record record, Span span = {}) {
  return Stmt(std::make_shared<const StmtNode>(StmtNode{std::move(record), std::move(span)}));
}

/// Flattens nested Seqs; a single statement stays itself.
Stmt seq(std::vector<Stmt> stmts);
/// The statement that does nothing.
Stmt empty_stmt();

/// The parts of a statement that are statements, in the order in which they stand: For, If (then, else),
/// Block (init, body), Seq, ... A missing else or init is not listed.
std::vector<Stmt> children(const Stmt& stmt);
/// The same statement with other parts, as many as `children` gave; the span is kept.
Stmt with_children(const Stmt& stmt, const std::vector<Stmt>& parts);

/// Overloaded lambdas for std::visit.
template <class... F>
struct match : F... {
  using F::operator()...;
};
template <class... F>
match(F...) -> match<F...>;

}  // namespace hexproof
