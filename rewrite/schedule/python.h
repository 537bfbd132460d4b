// The evaluator behind run_schedule: it walks the tokens, and walks them again for each turn of a loop and each call.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/text/lexer.h"
#include "rewrite/module/schedule.h"
#include "rewrite/schedule/call.h"

namespace hexproof::python {

struct Value;
struct None {};
/// `tir`, `tvm.tir.IndexMap`, `sch.mod`: a dotted name that is only looked into.
struct Name {
  std::string path;
};
struct ScheduleObject {};
/// te.AXIS_SEPARATOR in the result of an index map.
struct AxisSeparator {};
struct Sequence {
  std::vector<Value> items;
  bool tuple = false;
};
/// A lambda or a function: where its body starts, and for a lambda the variables around it.
struct Function {
  std::string name;
  std::vector<std::string> params;
  std::vector<std::shared_ptr<Value>> defaults;  // null: none
  size_t body = 0;                               // token
  bool lambda = false;
  std::shared_ptr<const std::map<std::string, Value>> around;
};
/// T.undef(), with the type that it says, if any.
struct Undefined {
  std::optional<DType> dtype;
};
/// In a pad value: the transformed buffer, whose cells are taken by `[...]`.
struct TransformedBuffer {
  std::string name;
  DType dtype;
  size_t ndim = 0;
};
/// sch.split, sch.get_block, ...
struct Method {
  std::string name;
};

/// tvm.tir.transform.RemoveNoOp(): a pass that was made and not yet run.
struct PassObject {
  std::string name;
};

struct Value {
  std::variant<None, bool, int64_t, double, std::string, Expr, Sequence, BlockRef, LoopRef, Name, ScheduleObject,
               AxisSeparator, Undefined, TransformedBuffer, Function, Method, PassObject>
      v;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&v);
  }
};
/// In words: "an integer", "a loop", ...
std::string describe(const Value& value);

using Scope = std::map<std::string, Value>;

/// The arguments of a call, with the places where they stand.
struct Arguments {
  struct One {
    std::string keyword;  // empty: by position
    Value value;
    Span span;
  };
  std::vector<One> list;
};

class Evaluator {
 public:
  Evaluator(Schedule& schedule, TokenList list);
  /// The schedule of a module: primitives go to the function that was chosen.
  Evaluator(ModuleSchedule& module, TokenList list);
  void run();
  /// A single lambda, and nothing else.
  IndexMap single_index_map();

 private:
  // Statements (python_statements.cpp)
  void define_names();
  void statement();
  void assignment_or_expression();
  void import();
  void for_loop();
  void define();
  /// Runs the suite that starts at the current token; leaves the position after it.
  void suite();
  void skip_suite();
  void skip_line();
  void assign(const std::vector<Token>& target, const Value& value);

  // Expressions (python_expressions.cpp)
  Value expression_list();  // a, b: a tuple
  Value expression();
  Value sum();
  Value product();
  Value unary();
  Value power();
  Value postfix();
  Value atom();
  Value lambda();
  Value bracketed(std::string_view close, bool tuple);
  Value subscript(const Value& of, const Token& at);
  Value attribute(const Value& of, const Token& name);
  Value arithmetic(const Token& op, const Value& a, const Value& b);
  Value lookup(const Token& name);
  Arguments call_arguments();
  void skip_brackets();
  /// Unsupported when a `for` stands in the brackets that were just opened.
  void reject_comprehension() const;

  // Calls (python_calls.cpp)
  Value call(const Value& callee, const Token& start, const Token& at);
  Value call_function(const Function& f, const Arguments& args, const Span& span);
  /// A value as primitives take it, and the body of a lambda as it is written.
  calls::Value to_call(const Value& value, const Span& span);
  std::string written_body(const Function& f) const;

  // Layouts (python_layouts.cpp)
  IndexMap index_map(const Value& value, const Span& span);
  /// T.float32(1), T.undef(), float("inf"), T.min_value("int8"), ...; nothing when it is none of these.
  std::optional<Value> constant_call(const std::string& path, const Arguments& args, const Span& span) const;
  /// Is the dotted name one of those?
  static bool makes_constant(const std::string& path);

  const Token& peek() const { return list_.tokens[at_]; }
  bool at(std::string_view text) const { return peek().is(text); }
  bool accept(std::string_view text);
  void expect(std::string_view text);
  Token take() { return list_.tokens[at_ + 1 < list_.tokens.size() ? at_++ : at_]; }
  Span span(const Token& token) const { return list_.span(token); }
  [[noreturn]] void fail(const Token& token, const std::string& message, const std::string& hint = "") const;
  [[noreturn]] void unsupported(const Token& token, const std::string& what) const;
  void count_step(const Token& token);

  /// Bounds the nesting of what is read, so that recursion is safe.
  struct Depth {
    Depth(Evaluator& e, const Token& token);
    ~Depth() { --evaluator.depth_; }
    Evaluator& evaluator;
  };

  Schedule* schedule_ = nullptr;      // of one function
  ModuleSchedule* module_ = nullptr;  // or of a module
  TokenList list_;
  size_t at_ = 0;
  std::vector<Scope> scopes_{1};   // the globals, and the locals of each call
  std::optional<Value> returned_;  // set by `return` until its function ends
  int depth_ = 0, steps_ = 0;
};

}  // namespace hexproof::python
