// A call of a schedule primitive, as any front end makes it: its name, and arguments as plain values with their places.
// The table of primitives (primitives.def) says what is called with what.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rewrite/schedule/schedule.h"

namespace hexproof {
class ModuleSchedule;
}

namespace hexproof::calls {

struct Value;
struct None {};
/// IndexMap.AXIS_SEPARATOR in the result of an index map.
struct AxisSeparator {};
struct Sequence {
  std::vector<Value> items;
  bool tuple = false;
};
/// T.undef(), with the type that it says, if any.
struct Undefined {
  std::optional<DType> dtype;
};
/// In a pad value: the transformed buffer, whose cells are taken by `[...]` (see `cell_of`).
struct TransformedBuffer {
  std::string name;
  DType dtype;
  size_t ndim = 0;
};
/// A dotted name that is only looked into: `tir.HoistConditional.IfElseStmt`.
struct Name {
  std::string path;
};
/// Anything else that a front end has; no primitive takes it.
struct Foreign {
  std::string what;  // in words: "the schedule"
};

/// A function of the user's.
struct Callable {
  std::string name;                 // "lambda", or that of a def
  std::vector<std::string> params;  // by position
  /// `*rest` among them: it stands at this place and takes as many as there are left.
  std::optional<size_t> rest = {};
  /// Calls it with one value per parameter, `*rest` spread out. Inside of it the names that it finds nowhere else mean
  /// what `names` says.
  std::function<Value(const std::vector<Value>& values, const std::map<std::string, Value>& names)> call;
  /// The body of a lambda as it is written; empty: it is none.
  std::string body = {};
};

struct Value {
  std::variant<None, bool, int64_t, double, std::string, Expr, Sequence, BlockRef, LoopRef, AxisSeparator, Undefined,
               TransformedBuffer, Name, Foreign, std::shared_ptr<const Callable>>
      v = None{};

  template <class T>
  const T* as() const {
    return std::get_if<T>(&v);
  }
  const Callable* callable() const {
    const auto* f = as<std::shared_ptr<const Callable>>();
    return f ? f->get() : nullptr;
  }
};
/// In words: "an integer", "a loop", ...
std::string describe(const Value& value);

Value list_of(const std::vector<LoopRef>& loops);
/// The value of a cell of the transformed buffer; Error at `span` for a wrong number of indices, or such that are none.
Value cell_of(const TransformedBuffer& buffer, const std::vector<Value>& indices, const Span& span);

/// An argument of a call, with the place where it stands.
struct Argument {
  std::string keyword;  // empty: by position
  Value value;
  Span span;
  std::string of = {};  // which parameter of which primitive it is, for messages: "'loop' of split"
};

/// What primitives work on: the schedule of one function, or that of a module.
struct Target {
  Schedule* schedule = nullptr;
  ModuleSchedule* module = nullptr;
};

/// Calls a primitive of the table. `text` is the call as it is written, in one line, for the steps that it makes.
/// Errors: those of Schedule; Error for arguments that do not fit, at the argument; Unsupported for a primitive of TVM
/// that the table lacks, and an Error with the nearest names for any other.
Value call_primitive(const Target& target, const std::string& name, const std::vector<Argument>& arguments,
                     const std::string& text, const Span& place);

/// `f` as an index map. `ndim`: how many indices there are, which `*rest` in it asks for; nothing when nobody knows.
IndexMap index_map(const Value& value, const Span& span, std::optional<size_t> ndim);
/// What goes into "pad_value" of the rule: nothing for None, else a constant, an undef, or an IndexMap over `ndim`
/// indices.
std::optional<PadArg> pad_value(const Value& value, const Buffer& buffer, size_t ndim, const Span& span);

}  // namespace hexproof::calls
