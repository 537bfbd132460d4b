// The parser of TVMScript: recursive descent over the tokens, building the IR as it goes.
// parse_tokens.cpp: tokens and names; parse_expr.cpp: expressions; builtins.cpp: T.* in expressions (by the names of
// known_calls.cpp); parse_stmt.cpp: statements; parse_scope.cpp: statements that open a scope; parse_block.cpp: blocks;
// parse_function.cpp: functions and modules.
#pragma once
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/base/codes.h"
#include "ir/base/early_exit.h"
#include "ir/function.h"
#include "ir/text/lexer.h"
#include "ir/text/parse/value.h"
#include "ir/visit.h"

namespace hexproof::text {

/// The arguments of a call by the names of its signature; a missing one is null.
using Arguments = std::vector<const Value*>;
/// Matches a call with a signature, as Python does. Error on too many, unknown, repeated or (of the first
/// `required`) missing arguments.
Arguments arguments(const Call& call, const Span& span, const std::vector<const char*>& names, size_t required);

/// What a buffer's declaration says: shape and dtype from the call T.Buffer, T.match_buffer, ...
struct BufferSpec {
  std::vector<Expr> shape;
  DType dtype = kFloat32;
  BufferOptions options;
};

/// Puts a statement around what follows in its suite.
using Wrap = std::function<Stmt(Stmt)>;

/// None as an attribute's value.
inline Expr call_none() { return call(kHandle, "None", {}); }

class Parser {
 public:
  explicit Parser(TokenList list) : list_(std::move(list)) {}
  /// ErrorList or UnsupportedList when there is more than one error.
  IRModule module();

 private:
  struct Binding {
    Value value;
    Span span;
    bool is_let = false;  // a scalar that an assignment bound
  };
  struct MemoryKind {
    std::string scope;
    DType element;
  };
  /// A block whose suite is being read.
  struct BlockState {
    Block block;
    std::optional<Expr> predicate;
  };
  struct FunctionState {
    PrimFunc func;
    std::map<Var, std::string> open_handles;  // parameters T.handle that no T.match_buffer took yet
    std::set<Var> declared;                   // n = T.int32(): must be a shape variable
    std::map<Var, Range> loops;               // domains, for T.axis.remap
    std::map<Var, MemoryKind> memories;       // by their data variables
    std::set<std::string> names = {};         // of scalars
    std::map<Buffer, DType> views = {};       // of the memory of another buffer, with the type as which they see it
  };
  struct Item {
    Stmt stmt;
    Wrap wrap;  // set: stmt is missing, and this goes around the items that follow
  };
  /// Something is wrong that follows from an error that was told.
  struct Follows : EarlyExit {
    Follows() : EarlyExit("a consequence of an error that was told") {}
  };
  /// Where a part of the text starts, and what was the case there.
  struct Kept {
    size_t pos;
    int open_scopes;
    size_t scopes, errors;
    std::vector<Item>* items;
    BlockState* block;
  };
  struct SameNode {
    bool operator()(const Expr& a, const Expr& b) const { return a.get() < b.get(); }
  };
  struct Nest {
    explicit Nest(Parser& p);
    ~Nest() { --parser.nesting_; }
    Parser& parser;
  };
  struct Scope {
    explicit Scope(Parser& p) : parser(p) { p.scopes_.emplace_back(); }
    ~Scope() { parser.scopes_.pop_back(); }
    Parser& parser;
  };

  // Errors (recovery.cpp)
  /// Reads a part; when it has an error, notes that, goes on behind the statement that starts here, and returns true.
  bool told(const std::function<void()>& part);
  Kept keep() const;
  void note(Diagnosed error, const Kept& kept);
  void recover(const Kept& kept);
  void skip_statement();
  /// Throws what was noted, if anything.
  void give_up();

  // Tokens
  const Token& peek(size_t ahead = 0) const;
  bool at(std::string_view text) const { return peek().is(text); }
  bool accept(std::string_view text);
  Span span() const { return list_.span(peek()); }
  const Token& next();
  void expect(std::string_view text, const std::string& where);
  std::string identifier(const std::string& what);
  /// What a scalar of the function is called: as it will be printed, and as no other one is; and as nothing else in
  /// the text, if it is not `written` there.
  std::string scalar_name(const std::string& name, bool written = true);
  void end_of_statement();
  [[noreturn]] void unexpected(const std::string& wanted);

  // Names
  const Binding* find(const std::string& name) const;
  void bind(const std::string& name, Value value, const Span& span, bool is_let = false);
  [[noreturn]] void unknown_name(const std::string& name, const Span& span);

  // Expressions
  Value expression();
  Value binary(int level);
  Value unary();
  Value postfix();
  Value primary();
  Value list_until(std::string_view close, bool tuple, const Span& open);
  Value dict();
  Value subscript(Value base);
  DType dtype_of(const Buffer& buffer) const;
  Value index_or_slice();
  Value attribute(const Value& base, const std::string& name, const Span& span);
  Value dotted(const Span& start);
  Value call(const std::string& name, const Span& start);
  Value builtin(const Call& call, const Span& span);
  Value constant_of(const std::string& type, const Call& call, const Span& span);
  Value let_expression(const Call& call, const Span& span);
  Value told_class(const Call& call, const Span& span);
  Expr decided_again(const Expr& e, VarMap* renamed, std::map<Expr, Expr, SameNode>* done);
  Value call_by_name(const Call& call, const Span& span, const std::string& name);

  // Statements
  Stmt suite(BlockState* block);
  void statement();
  void simple_statement();
  void assertion();
  void assignment(const std::string& name, const Span& at);
  void rebind_check(const std::string& name, const Span& at);
  void tuple_assignment();
  void store(const Value& target, const Value& value, const Span& at);
  void bind_result(const std::string& name, const Value& value, const Span& at);
  void bare(const Value& value, const Span& at);
  void add(Stmt stmt) { items_->push_back({std::move(stmt), {}}); }
  void add(Wrap wrap);
  void if_statement();
  void for_statement();
  void with_statement();
  Wrap loop(const Call& call, const std::vector<std::pair<std::string, Span>>& targets, const Span& at);
  /// Opens the scope that the call stands for and binds its name, if it has one.
  Wrap open(const Call& call, const std::string& name, const Span& at);
  Wrap open_attr(const Call& call, const Span& at);
  Wrap open_async(const std::string& key, const Value* given, const Span& at);
  Wrap open_thread(const Call& call, const std::string& name, const Span& at);
  Wrap open_allocate(const Call& call, const std::string& name, const Span& at);
  Wrap bind_memory(Allocate memory, const std::string& name, const Span& at);
  Wrap open_constant(const Call& call, const std::string& name, const Span& at);
  Wrap open_buffer(const Call& call, const std::string& name, const Span& at);
  Wrap open_let(const std::string& name, const Value& value, std::optional<DType> type, const Span& at);
  std::string scope_name(const Value* value);

  // Blocks
  void block_statement(const Call& call, const Span& at);
  void init_statement(const Span& at);
  bool is_block_part(const std::string& name) const;
  void block_part(const Call& call, const Span& at);
  /// T.axis.*: the new iteration variables, in order.
  std::vector<Var> axes(const Call& call, const std::vector<std::string>& names, const Span& at);
  std::vector<BufferRegion> regions(const Call& call);
  BufferRegion region(const Value& value);

  // Calls of other functions of the module (calls.cpp)
  /// Does `name` stand for the module (its class, or cls), and a function follow?
  bool names_module(const std::string& name) const;
  Value module_call(const Span& start);
  /// The function that a call made by module_call names.
  static std::optional<std::string> callee_of(const Call& call);
  void call_statement(const Call& call, const std::string& callee, const Span& at);

  // Functions
  IRModule read_module();
  void skip_imports_and_docstrings();
  bool decorators();
  PrimFunc function();
  void parameter(FunctionState& state);
  void match_buffer(const Call& call, const std::string& name, const Span& at);
  BufferSpec buffer_spec(const Call& call, const Span& at, bool has_handle, const std::string& name);
  std::vector<Expr> shape_of(const Value& value, const std::string& what);
  Annotation annotation(const Value& value);
  /// Attributes and annotations are notes. Those of asynchronous copies and software pipelines are none: Unsupported.
  static void demand_note(const std::string& key, const Span& at);
  Annotations annotations(const Value& value);

  TokenList list_;
  size_t pos_ = 0;
  int nesting_ = 0;
  int open_scopes_ = 0;
  std::vector<std::map<std::string, Binding>> scopes_;
  std::vector<Item>* items_ = nullptr;
  BlockState* block_ = nullptr;
  FunctionState* function_ = nullptr;
  std::set<Expr, SameNode> told_;  // operations in T.wrap or T.nowrap
  std::vector<Diagnosed> errors_;
  std::exception_ptr first_error_;
  std::set<std::string> unsure_;  // names of text that was skipped: it may have defined them
  std::string module_name_;       // of the class around the function; empty outside of one
};

}  // namespace hexproof::text
