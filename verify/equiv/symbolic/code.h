// A program prepared for symbolic runs: variables, buffers and handles by number, and for each expression whether it is
// data (depends on the content of a buffer) or a number. Which one it is is the same at each evaluation.
#pragma once
#include <deque>
#include <unordered_map>

#include "ir/function.h"
#include "ir/interpreter/scalar_ops.h"

namespace hexproof::symbolic {

struct Code {
  Op op;
  DType type;
  bool data = false;
  uint32_t slot = 0;  // Var, Load: of the variable, of the buffer
  Scalar value = {};  // IntImm, FloatImm: lane by lane the same
  std::vector<const Code*> args = {};
  const ExprNode* source = nullptr;
};

struct Action {
  enum Kind : uint8_t { Store, For, If, Let, Seq, Evaluate, Assume, Alloc, Allocate, Decl, Block, Body } kind;
  Stmt stmt;
  uint32_t slot = 0;                    // Store, Alloc, Decl: buffer; For, Let: variable; Allocate: handle
  uint32_t handle = 0;                  // Alloc, Decl: of the buffer's memory
  bool data = false;                    // Let
  const Code* value = nullptr;          // Store, Let, Evaluate, Assume, If; For: the extent
  const Code* min = nullptr;            // For
  std::vector<const Code*> codes = {};  // indices; extents; the constants of an Allocate
  std::vector<const Code*> shape = {}, strides = {};
  const Code* offset = nullptr;
  std::vector<const Action*> parts = {};
  struct Iter {
    uint32_t slot;
    bool data;
    IterKind kind;
    const Code *binding, *min;
  };
  std::vector<Iter> iters = {};  // Block; parts: init (may be null), body
};

/// The code of one function. Throws Unsupported, Error.
class Program {
 public:
  explicit Program(const PrimFunc& func);

  const PrimFunc& func() const { return func_; }
  const Action* body() const { return body_; }
  uint32_t var_slot(const Var& v) { return slot(vars_, v.id()); }
  uint32_t buffer_slot(const Buffer& b) { return slot(buffers_, b->id); }
  uint32_t handle_slot(const Var& v) { return slot(handles_, v.id()); }
  size_t vars() const { return vars_.size(); }
  size_t buffers() const { return buffers_.size(); }
  size_t handles() const { return handles_.size(); }

 private:
  using Slots = std::unordered_map<uint32_t, uint32_t>;
  static uint32_t slot(Slots& slots, uint32_t id) {
    return slots.try_emplace(id, static_cast<uint32_t>(slots.size())).first->second;
  }
  const Code* code(const Expr& e);
  std::vector<const Code*> code(const std::vector<Expr>& list);
  const Action* action(const Stmt& stmt);
  void layout(const Buffer& buffer, Action* out);

  PrimFunc func_;
  Slots vars_, buffers_, handles_;
  std::unordered_map<uint32_t, bool> data_vars_;
  std::deque<Code> codes_;
  std::deque<Action> actions_;
  std::unordered_map<const ExprNode*, const Code*> memo_;
  Span span_;
  const Action* body_ = nullptr;
};

}  // namespace hexproof::symbolic
