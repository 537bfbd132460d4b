// Programs as TVMScript. print_expr.cpp: names, constants, expressions; print_stmt.cpp: statements and blocks;
// print_class.cpp: what the parser will take for data; print_function.cpp: functions, modules, and the entry points of
// ir/text/text.h.
#pragma once
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "ir/function.h"

namespace hexproof::text {

/// Is `name` a function of numbers that is written T.name(...) with this many operands? (known_calls.cpp)
bool is_math_call(const std::string& name, size_t operands);

class Printer {
 public:
  void module(const IRModule& module);
  void function(const PrimFunc& func);
  /// A statement at the current indentation; `tail`: nothing follows it in its suite, `root`: it stands
  /// directly in a function or a block.
  void stmt(const Stmt& stmt, bool tail, bool root);
  /// Parenthesised when it binds looser than `level`; `typed`: its dtype follows from what stands around it.
  void expr(const Expr& e, int level = 0, bool typed = false);

  /// A name for the time it is in scope: an identifier that nothing else has.
  std::string define(const Var& var);

  /// Names the buffers that a statement uses and does not declare, and their memory after them.
  void name_free_buffers(const Stmt& stmt);

  std::string text;

 private:
  std::string define(const Buffer& buffer);
  std::string unique(const std::string& hint);
  void release(const Var& var);
  void release(const Buffer& buffer);
  std::string name(const Var& var);
  std::string name(const Buffer& buffer);

  void line(const std::string& content);
  void start_line();
  /// ":" and, indented, what `body` prints.
  void suite(const std::function<void()>& body);
  /// What `content` prints, not yet added to the text.
  std::string apart(const std::function<void()>& content);
  void list(const std::vector<Expr>& exprs);
  void quoted(const std::string& value);
  void annotation(const Annotation& value);
  void annotation_node(const Expr& e);
  void annotations(const Annotations& values);
  /// The end of a range, so that reading it gives `extent` back.
  void stop(const Range& range);
  void operands(const Expr& e, int left, int right);
  void function_call(const std::string& callee, const std::vector<Expr>& args, bool typed);
  void integer(const Expr& e, bool bare);
  void access(const Buffer& buffer, const std::vector<Expr>& indices);
  void call(const Expr& e);
  /// The operation alone, without parentheses or class.
  void operation(const Expr& e, bool typed);

  // Which class the parser gives to what the text says (print_class.cpp).
  /// Would the parser take this for a value that depends on data?
  bool reads_as_data(const Expr& e);
  bool reads_as_wrapping(const Expr& e);
  /// The text binds the variable to a value of that class.
  void bind_class(const Var& var, bool data);
  /// The variables of T.Let in an expression.
  void bind_lets(const Expr& e);

  /// Declares the variables of T.Let in the expressions of a statement, and what to release after it.
  std::vector<Var> declare_lets(const std::vector<Expr>& exprs);
  void store(const Store& s);
  void loop(const For& s);
  void branch(const If& s, const char* word);
  void block(const Block& s);
  void iterations(const Block& s);
  void regions(const char* what, const std::vector<BufferRegion>& list);
  void let(const LetStmt& s, bool tail, bool root);
  /// A value with a name, and the statement in which it has it: an assignment at the end of a list, else `with`.
  void bound_to(const std::string& name, const std::string& value, const Stmt& body, bool tail, bool root);
  void allocation(const AllocBuffer& s, bool tail, bool root);
  void memory(const Allocate& s, bool tail, bool root);
  void view(const DeclBuffer& s, bool tail, bool root);
  void attribute(const AttrStmt& s, bool tail, bool root);
  void commit(const AsyncCommit& s, bool tail, bool root);
  void wait(const AsyncWait& s, bool tail, bool root);
  /// The shape, dtype and options of a buffer as arguments.
  void buffer_arguments(const Buffer& buffer, bool with_data);
  void shape(const std::vector<Expr>& exprs);

  int indent_ = 0;
  std::string module_name_ = "Module";
  std::map<Var, std::string> var_names_;
  std::map<Buffer, std::string> buffer_names_;
  std::map<Var, std::string> data_names_;  // memory that a buffer owns: "A.data"
  std::set<std::string> used_;
  std::map<Var, Range> loops_;
  std::set<Var> other_class_;  // variables that the text makes index where they are data, or the other way round
  std::unordered_map<const ExprNode*, bool> as_data_;  // reads_as_data, while there are such variables
};

}  // namespace hexproof::text
