// A program as an LLVM function.
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <unordered_map>

#include "backend/codegen/operators.h"
#include "backend/codegen/vector_notes.h"
#include "backend/grants.h"
#include "backend/kernel.h"

namespace hexproof {
struct NestMatch;
}

namespace hexproof::codegen {

struct CodegenOptions {
  Target target = Target::Host;
  HostCpu cpu = {};  // of a kernel for the host
  Grants grants = {};
  /// The function takes one pointer to an array of 64-bit words: pointers of the buffers, values of the scalars
  /// (each at the start of its word), the workspace. So functions of all signatures can be called alike.
  bool packed_arguments = false;
  /// Assumes are skipped and an undef is zero, which is one of the values it may have. Only for native evaluation.
  bool skip_assumes = false;
  /// Vectorized loops, by their variables, that are not handed to LLVM's vectorizer.
  std::set<Var> scalar_loops = {};
  /// Allocations of scope "local" and constant size are kept in registers (registers.cpp); else in the workspace.
  bool registers = false;
};

/// Adds functions to one module. Each throws Unsupported, with its place, for what has no exact code.
class FunctionEmitter {
 public:
  FunctionEmitter(llvm::Module& module, const CodegenOptions& options);
  ~FunctionEmitter();
  llvm::Function* emit(const PrimFunc& func, const std::string& symbol);
  /// After optimisation: the name of a buffer in registers of which a trace is left in memory, and where it is
  /// allocated. (The optimiser may run in another process: its finding comes as the name of what is left.)
  Span place_of_registers(const std::string& name) const;
  /// The vectorized loops of what was emitted.
  const std::vector<EmittedLoop>& vectorized() const { return vectorized_; }

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
    struct Registers* registers = nullptr;  // it is kept in registers
    int64_t alignment = 1;                  // of its start, in bytes; of the start of each row
    bool row_table = false;                 // `base` is a table of rows (backend/row_tables.h)
    llvm::MDNode* own = nullptr;     // of a table whose rows are granted to be their own objects: its alias scope,
    llvm::MDNode* others = nullptr;  // and those of the other tables
  };
  struct ParallelLoop {
    llvm::MDNode* group;
  };

  void parameters(const PrimFunc& func, const std::string& symbol);
  /// Gives each table of rows an alias scope, where that is granted.
  void separate_tables(const std::vector<Buffer>& params);
  void fast_math(const PrimFunc& func);

  void stmt(const Stmt& s);
  void store(const Store& s);
  void loop(const Stmt& stmt_of_loop, const For& s);
  void branch(llvm::Value* condition, const Stmt& yes, const Stmt& no);
  void block(const Block& s);
  void allocate(const Var& data, const Expr& bytes, const Stmt& body);
  void constant_memory(const Allocate& s);
  /// Memory of `bytes` bytes in registers while `body` runs; false when `scope` or the size says that it is not.
  bool in_registers(const Var& data, const std::string& scope, DType element, const Expr& bytes, const Stmt& body);
  /// Writes out a loop whose variable picks registers; false for any other loop.
  bool written_out(const For& s);
  /// Emits a vectorized loop over registers on vectors; false when it is none, or has no such form.
  bool vectors(const Stmt& s);
  /// Emits a nest that is marked as an instruction as that; false for one without a mark, or that this target has no
  /// instruction for: it is a nest as others then.
  bool instruction(const Stmt& loop);
  /// Unsupported for an operand of a marked nest that lies in more than one row of a table.
  void demand_one_row(const std::string& nest, const NestMatch& match);
  bool picks_registers(const For& s) const;
  bool touches_registers(const Stmt& s) const;
  /// Checks that the cell of a buffer in registers is known here, and notes how it is accessed.
  void register_access(const Buffer& buffer, const std::vector<Expr>& indices, llvm::Value* flat);
  llvm::MDNode* loop_metadata(const For& s, llvm::MDNode* group);
  void note_vectorized(const Stmt& loop, const std::set<std::string>& blocks);

  static constexpr const char* kBecause = "hexproof.because";
  /// The node of a grant (reasons.cpp).
  llvm::MDNode* reason(const std::string& grant);
  /// `value`; if it is an instruction with flags, it names the grant behind them.
  llvm::Value* because(const std::string& grant, llvm::Value* value);
  /// The same of an address in a table of rows, or in a row: that an index is in bounds, and what the caller promises
  /// of tables.
  llvm::Value* because_in_rows(llvm::Value* value);
  /// The load of a row's address names what the caller promises of tables.
  void because_of_table(llvm::LoadInst* row);
  /// The access names the sentence that was proved of its alignment, or where there is none the contract that elements
  /// stand at multiples of their size.
  void because_proved(llvm::Instruction* access, const std::string* sentence);
  llvm::MDNode* natural_alignment();
  /// The function names the contracts behind the attributes of its parameters.
  void name_contracts();
  /// A binary operator on index arithmetic.
  llvm::Value* indexing(Op op, DType t, llvm::Value* a, llvm::Value* b, bool no_wrap) {
    return because("no_index_overflow", ops_.binary(op, t, a, b, no_wrap));
  }

  Value expr(const Expr& e);
  Value choice(const Expr& e);
  Value load(const Expr& e);
  Value call(const Expr& e);
  Value ramp(const Expr& e);
  llvm::Value* scalar(const Expr& e) { return expr(e).v; }

  /// The pointer to a cell; `indices` are scalar values of the types of the index expressions.
  llvm::Value* address(const Buffer& buffer, const std::vector<Expr>& types, const std::vector<llvm::Value*>& indices);
  /// The position of `indices` along the axes from `first` on, row-major: cells, at the width of a pointer.
  llvm::Value* position(const Buffer& buffer, const std::vector<Expr>& types, const std::vector<llvm::Value*>& indices,
                        size_t first, size_t last, bool within);
  /// Where the row of that number starts.
  llvm::Value* row(const Buffer& buffer, llvm::Value* number, bool within);
  llvm::Value* word(const Expr& e, llvm::Value* value);  // an index at the width of a pointer
  llvm::Value* load_cell(const Buffer& buffer, DType type, llvm::Value* pointer, const void* access = nullptr);
  void store_cell(const Buffer& buffer, DType type, llvm::Value* pointer, llvm::Value* value,
                  const void* access = nullptr);
  /// What was proved of the alignment of an access (in `wide_`); null where nothing was.
  const std::string* sentence_of(const void* access) const;
  /// Of an access: the alignment that was proved for it (in `wide_`), at least that of an element.
  llvm::Align align_of(const Buffer& buffer, DType type, const void* access);
  /// The alignment of an access to a buffer of which `proved` bytes are proved from the start of its memory.
  llvm::Align align_from_start(const Buffer& buffer, int64_t proved);
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
  std::set<Var> row_tables_;                     // parameters that are tables of rows, by their data
  std::vector<ParallelLoop> parallel_;
  std::vector<Var> scalars_;
  std::vector<std::unique_ptr<struct Registers>> registers_;  // of all allocations so far
  std::vector<struct Registers*> live_;                       // those around this place
  std::vector<Var> loops_;                                    // around this place, but for those that are written out
  std::vector<EmittedLoop> vectorized_;
  int64_t written_out_ = 0;  // statements in loops that are written out
  int copies_ = 0;           // loops around this place that are written out
  struct ProvedWide {
    int64_t bytes;
    const std::string* sentence;
  };
  std::unordered_map<const void*, ProvedWide> wide_;  // proved alignment of loads and stores, by their nodes
  std::map<std::string, llvm::MDNode*> reasons_;      // by grant
  Span where_;
};

}  // namespace hexproof::codegen
