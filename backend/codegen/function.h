// A program as an LLVM function.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <set>
#include <unordered_map>

#include "backend/codegen/operators.h"
#include "backend/grants.h"
#include "backend/kernel.h"

namespace hexproof::codegen {

struct CodegenOptions {
  Target target = Target::Host;
  Grants grants = {};
  /// The function takes one pointer to an array of 64-bit words: pointers of the buffers, values of the scalars
  /// (each at the start of its word), the workspace. So functions of all signatures can be called alike.
  bool packed_arguments = false;
  /// Assumes are skipped and an undef is zero, which is one of the values it may have. Only for native evaluation.
  bool skip_assumes = false;
  /// Vectorized loops, by their variables, that are not handed to LLVM's vectorizer.
  std::set<Var> scalar_loops = {};
};

/// Adds functions to one module. Each throws Unsupported, with its place, for what has no exact code.
class FunctionEmitter {
 public:
  FunctionEmitter(llvm::Module& module, const CodegenOptions& options);
  llvm::Function* emit(const PrimFunc& func, const std::string& symbol);

 private:
  struct Value {
    llvm::Value* v = nullptr;
  };
  /// Memory that a data variable names.
  struct Memory {
    llvm::Value* base = nullptr;
    size_t loops = 0;  // parallel loops around the place where it came to be
    Expr bytes;        // its size, int64
    bool constant = false;
  };
  struct ParallelLoop {
    llvm::MDNode* group;
  };

  void parameters(const PrimFunc& func, const std::string& symbol);
  void fast_math(const PrimFunc& func);

  void stmt(const Stmt& s);
  void store(const Store& s);
  void loop(const For& s);
  void branch(llvm::Value* condition, const Stmt& yes, const Stmt& no);
  void block(const Block& s);
  void allocate(const Var& data, const Expr& bytes, const Stmt& body);
  void constant_memory(const Allocate& s);
  llvm::MDNode* loop_metadata(const For& s, llvm::MDNode* group);

  Value expr(const Expr& e);
  Value choice(const Expr& e);
  Value load(const Expr& e);
  Value call(const Expr& e);
  Value ramp(const Expr& e);
  llvm::Value* scalar(const Expr& e) { return expr(e).v; }

  /// The pointer to a cell; `indices` are scalar values of the types of the index expressions.
  llvm::Value* address(const Buffer& buffer, const std::vector<Expr>& types, const std::vector<llvm::Value*>& indices);
  llvm::Value* word(const Expr& e, llvm::Value* value);  // an index at the width of a pointer
  llvm::Value* load_cell(const Buffer& buffer, DType type, llvm::Value* pointer);
  void store_cell(const Buffer& buffer, DType type, llvm::Value* pointer, llvm::Value* value);
  /// The access is one contiguous vector: the last index is a Ramp of stride one in a compact dimension.
  bool contiguous(const Buffer& buffer, const std::vector<Expr>& indices) const;
  void annotate(llvm::Instruction* access, const Buffer& buffer);
  const Memory& memory(const Buffer& buffer);
  /// The buffer is compact, starts where its memory does, and is not larger: an index in bounds is in the memory.
  bool inside(const Buffer& buffer);
  [[noreturn]] void unsupported(const std::string& message) const;

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  CodegenOptions options_;
  llvm::IRBuilder<> b_;
  Operators ops_;
  llvm::IntegerType* word_ = nullptr;
  llvm::Function* function_ = nullptr;
  llvm::Value* workspace_ = nullptr;
  llvm::Value* top_ = nullptr;  // bytes of the workspace in use
  std::unordered_map<uint32_t, Value> vars_;
  std::unordered_map<uint32_t, Memory> memory_;  // by id of the data variable
  std::vector<ParallelLoop> parallel_;
  std::vector<Var> scalars_;
  Span where_;
};

}  // namespace hexproof::codegen
