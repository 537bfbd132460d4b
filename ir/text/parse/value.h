// What an expression of the text evaluates to while it is read: a Python literal that has no dtype yet, an
// expression of the IR, a buffer, or a call that only a statement can make sense of.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/buffer.h"
#include "ir/stmt.h"

namespace hexproof::text {

struct Value;
using ValuePtr = std::shared_ptr<Value>;

struct None {};
struct List {
  std::vector<Value> items;
  bool tuple = false;
};
struct Dict {
  std::vector<Value> keys, values;
};
/// a:b:c; a part that is left out is null.
struct Slice {
  ValuePtr start, stop, step;
};
/// A[...] with at least one slice: a region, or a vector load.
struct Region {
  Buffer buffer;
  std::vector<Value> indices;
  DType dtype;  // as which it is seen, where that is another type of its width
};
/// T.undef() whose dtype follows from where it stands.
struct WeakUndef {};
/// T.int32, not called.
struct TypeName {
  DType dtype;
};
/// T.something, not called, that is no type.
struct Path {
  std::string name;
};
struct Keyword;
/// A call of something that is a statement or a part of one: T.grid(...), T.allocate(...), ...
struct Call {
  std::string name;
  std::shared_ptr<const std::vector<Value>> args;
  std::shared_ptr<const std::vector<Keyword>> keywords;
};
/// T.env_thread("threadIdx.x")
struct ThreadTag {
  std::string tag;
};

struct Value {
  std::variant<None, Wide, double, bool, std::string, Expr, Buffer, List, Dict, Slice, Region, WeakUndef, TypeName,
               Path, Call, ThreadTag>
      v;
  Span span;
  /// Of an expression that is a cell of a view of another type: the cell, in the type of the memory.
  Expr cell = {};

  template <class T>
  const T* as() const {
    return std::get_if<T>(&v);
  }
  /// A number or bool of Python, without a dtype.
  bool is_literal() const { return as<Wide>() || as<double>() || as<bool>(); }
};

struct Keyword {
  std::string name;
  Value value;
};

/// In words, for messages: "an integer", "the buffer 'A'", "an expression of type int32", ...
std::string describe(const Value& value);

// Where dtypes come from (docs/tvmscript.md, "Types").

/// The value as an expression. A Python int or float takes `want` when given, else int32 (int64 when it does not
/// fit) and float32. Error when the constant does not fit.
Expr to_expr(const Value& value, std::optional<DType> want = std::nullopt);
/// The load of an element, or of a vector where an index is one. Error, at `span`, when two are, and when it has more
/// lanes than a type counts.
Expr load_at(const Buffer& buffer, std::vector<Expr> indices, const Span& span);
/// The cells that the text names, in the type of the memory; none when it is something else.
Expr cell_of(const Value& value);
/// Both operands in one dtype, as TVM's BinaryOpMatchTypes has it; a Python int takes the other's dtype.
std::pair<Expr, Expr> match_types(const Value& a, const Value& b, const Span& span);
/// The value as what a store or an annotated let of dtype `want` takes: constants change their type, integers and
/// floats are cast as TVM does; a float never silently becomes an integer.
Expr to_dtype(const Value& value, DType want, const std::string& what);
/// A scalar integer expression (an extent, an index).
Expr to_index(const Value& value, const std::string& what);
/// A scalar bool.
Expr to_condition(const Value& value, const std::string& what);
/// An operator of Python applied to two values; folds literals as Python does.
Value apply_binary(Op op, const Value& a, const Value& b, const Span& span);
Value apply_unary(const std::string& op, const Value& a, const Span& span);
/// [start, stop) as minimum and extent. `stop` written as `start + n` gives the extent n.
Range to_range(const Value& start, const Value& stop, const std::string& what);

/// The dtype named by a string, T.int32, or "..." as `text`; Unsupported for dtypes of TVM that are not modelled.
DType to_dtype_name(const Value& value);
DType dtype_named(const std::string& name, const Span& span);
/// An integer known while reading (a number of lanes, an axis separator).
int64_t to_constant(const Value& value, const std::string& what);

/// An expression of bounded depth; Error beyond it.
Value make_value(Expr e, const Span& span);
inline constexpr uint32_t kMaxDepth = 2000;

}  // namespace hexproof::text
