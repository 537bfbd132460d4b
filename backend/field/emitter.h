// A program over cells as an LLVM function. Statements and numbers mean what they mean everywhere; data values go
// through CellCode.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <set>
#include <unordered_map>

#include "backend/codegen/operators.h"
#include "backend/field/cells.h"

namespace hexproof::field {

/// Memory of the program: a parameter's, or of an allocation, which is used again each time the allocation runs.
struct Region {
  Var data;
  DType element;
  int64_t cells = 0;
  std::vector<Expr> constant = {};  // T.allocate_const: what it holds
};
/// The parameters, in order, then the allocations. Unsupported for a size that is no constant, for a parameter with
/// strides or an offset, and for a scalar parameter.
std::vector<Region> regions_of(const PrimFunc& func);

class Emitter {
 public:
  Emitter(llvm::Module& module, llvm::IRBuilder<>& builder, CellCode& code, const fingerprint::Algebra& algebra)
      : b_(builder), code_(code), operations_(code, algebra), numbers_(builder, module), module_(module) {}

  /// void symbol(ptr array): the addresses of the regions, then of the word that a watch raises. Throws Unsupported,
  /// with the place. The options must outlive the code.
  void emit(const PrimFunc& func, const std::vector<Region>& regions, const FieldRunOptions& options,
            const std::string& symbol);

 private:
  /// One lane: a number, or a cell.
  struct Value {
    DType type;
    bool data = false;
    Cell words;  // of a number: its one LLVM value
  };
  using Lanes = std::vector<Value>;
  struct Memory {
    llvm::Value* base = nullptr;
    DType element;
    bool watched = false;
  };

  void stmt(const Stmt& s);
  void store(const Store& s);
  void loop(const For& s);
  void block(const Block& s);
  void branch(llvm::Value* condition, const Stmt& yes, const Stmt& no);

  Lanes eval(const Expr& e);
  Value scalar(const Expr& e) { return eval(e)[0]; }
  Lanes choice(const Expr& e);
  /// The lanes that one of two pieces of code leaves.
  Lanes either(llvm::Value* condition, const std::function<Lanes()>& yes, const std::function<Lanes()>& no);
  Value assumed(const Expr& e);
  Lanes load(const Expr& e);
  Lanes call(const Expr& e);
  Value binary(Op op, const Value& a, const Value& b);
  Value select(const Value& c, const Value& yes, const Value& no);
  /// The value of a number; Unsupported when it is data.
  llvm::Value* number(const Expr& e, const std::string& where);
  llvm::Value* index(const Expr& e, const std::string& where);  // as 64 bits
  Cell lift(const Value& v);

  bool is_allocated(const Buffer& buffer) const { return !arguments_.count(buffer->data); }
  std::set<Var> arguments_;  // their memory
  const Memory& memory(const Buffer& buffer);
  /// The addresses of the elements' lanes that an access touches, in order.
  std::vector<llvm::Value*> addresses(const Buffer& buffer, const std::vector<Expr>& indices);
  [[noreturn]] void unsupported(const std::string& message, const std::string& hint = "") const;

  llvm::IRBuilder<>& b_;
  CellCode& code_;
  fingerprint::Operations<CellCode> operations_;
  codegen::Operators numbers_;
  llvm::Module& module_;
  llvm::Function* function_ = nullptr;
  llvm::Value* flag_ = nullptr;
  const FieldRunOptions* options_ = nullptr;
  std::unordered_map<uint32_t, Lanes> vars_;
  std::unordered_map<uint32_t, Memory> memory_;  // by id of the data variable
  Span where_;
};

}  // namespace hexproof::field
