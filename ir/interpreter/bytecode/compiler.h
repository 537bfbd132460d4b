// From a function to bytecode. An operation that cannot be an error (interval analysis decides) is moved out to the
// outermost loop where its operands are known and computed once per value; one that can is done where it stands. So
// whatever faults, faults at its statement in program order.
#pragma once
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>

#include "ir/base/early_exit.h"
#include "ir/function.h"
#include "ir/interpreter/bytecode/bytecode.h"

namespace hexproof::fast {

/// Thrown when the function must be run by the general walk.
struct NotCompiled : EarlyExit {
  NotCompiled() : EarlyExit("not compiled to bytecode") {}
};

class Compiler {
 public:
  Compiler(const PrimFunc& func, const Arguments& arguments, const RunOptions& options);
  Bytecode compile();

 private:
  /// A piece of code in which values may be defined: the function, the body of a loop, a branch.
  struct Region {
    std::vector<Instr> code;
    std::vector<std::map<std::tuple<Code, int64_t, int, int, int, int64_t, int64_t>, int>::iterator> known;
    uint64_t steps = 0;
  };

  // Statements: compiler.cpp
  void statement(const Stmt& stmt);
  void store(const Store& s);
  void loop(const For& s);
  void branch(const Value& condition, const std::function<void()>& yes, const std::function<void()>& no);
  void block(const Block& s);
  void alloc_buffer(const AllocBuffer& s);
  void allocate(const Allocate& s);
  void declare(const DeclBuffer& s);
  void assume(const Assume& s);
  void group(const AsyncCommit& s);
  void wait(const AsyncWait& s);
  /// The memory goes away: nothing in flight touches it.
  void gone(uint16_t memory, const std::string& what, const Stmt& stmt);
  ViewInfo layout(const Buffer& buffer);
  uint16_t new_memory(DType type, Wide elements);
  void bind(const Var& var, Value value, bool is_loop = false);
  void bind_view(const Buffer& buffer, ViewInfo view);
  void bind_handle(const Var& var, uint16_t memory);
  int site();

  // Expressions: compile_expr.cpp
  Value expr(const Expr& e);
  Value binary(Op op, const Value& a, const Value& b, bool wraps);
  Value arithmetic(Op op, const Value& a, const Value& b, bool wraps);
  Value division(Op op, const Value& a, const Value& b);
  Value comparison(Op op, const Value& a, const Value& b);
  Value float_binary(Op op, const Value& a, const Value& b);
  Value cast(DType to, const Value& a);
  Value select(const Value& c, const Value& yes, const Value& no);
  Value choose(const Expr& condition, const std::function<Value()>& yes, const std::function<Value()>& no, DType type);
  Value call(const Expr& e);
  /// scalar_ops.h does it; `can_fail` keeps it where it stands.
  Value any_binary(Op op, const Value& a, const Value& b, bool wraps, bool can_fail);

  // Values and code: compile_value.cpp
  Value constant(const Scalar& s);
  Value in_register(int reg, DType type);
  Value in_register(int reg, DType type, Wide lo, Wide hi);
  std::optional<Value> linear(DType type, Wide lo, Wide hi, const Value& a, int64_t factor_a, const Value& b,
                              int64_t factor_b);
  int reg(const Value& v);
  int sum(const std::vector<std::pair<int, int64_t>>& terms, int64_t offset);
  int new_register(int depth);
  int constant_register(const Scalar& s);
  int depth_of(int reg) const { return depth_[static_cast<size_t>(reg)]; }
  int pure(Instr instr);
  int here(Instr instr);  // with a new register for the result
  void emit(Instr instr) { regions_.back().code.push_back(instr); }
  int64_t operation(AnyOperation op);
  void open() { regions_.emplace_back(); }
  Region close();
  void splice(Region region);

  // Accesses: compile_access.cpp
  Value load(const Expr& e);
  /// The place of an access in its memory: r[a] * imm + r[b].
  struct Place {
    int a = 0, b = 0;
    int64_t factor = 0;
    uint16_t memory = 0;
  };
  Place place(const Buffer& buffer, const std::vector<Expr>& indices, bool write);
  Instr access(Code code, int dst, const Place& place, int site);

  const PrimFunc& func_;
  const Arguments& arguments_;
  RunOptions options_;
  Bytecode out_;
  std::vector<Region> regions_;
  std::vector<int> depth_;                    // of each register: the region that defines it
  std::vector<std::pair<Wide, Wide>> range_;  // of each register that is a term of a sum
  std::map<std::tuple<Code, int64_t, int, int, int, int64_t, int64_t>, int> known_;
  std::map<std::pair<bool, uint64_t>, int> constants_;  // by (is float32, bits)
  std::unordered_map<uint32_t, Value> vars_;
  std::unordered_map<uint32_t, ViewInfo> views_;
  std::unordered_map<uint32_t, uint16_t> handles_;
  std::shared_ptr<const Scope> scope_;
  const Stmt* current_ = nullptr;
  bool in_assume_ = false;
  const bool has_groups_;  // of asynchronous copies
  int parallel_depth_ = 0;
  Wide memory_bytes_ = 0;  // of all memories, with their marks
};

}  // namespace hexproof::fast
