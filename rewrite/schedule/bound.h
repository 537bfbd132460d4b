// What the function of a primitive is given: its arguments by the names of the table, typed, and what it works on.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "rewrite/module/schedule.h"
#include "rewrite/schedule/call.h"
#include "rewrite/schedule/primitives.h"

namespace hexproof::calls {

/// The arguments of one call. Errors stand at the argument.
class Bound {
 public:
  /// `names`: the parameters; a leading '*' takes all that come by position. The first `required` must be given.
  Bound(std::string callee, const std::vector<Argument>& arguments, Span span, const std::vector<std::string>& names,
        size_t required);

  /// What came by position for `*parameter`.
  const std::vector<Argument>& rest() const { return rest_; }
  /// Null: it is not given, or None.
  const Argument* find(const std::string& name) const;
  const Argument& at(const std::string& name) const;

  /// "'loop' of split: ", or nothing where nobody knows.
  static std::string named(const Argument& one) { return one.of.empty() ? "" : one.of + ": "; }
  template <class T>
  static const T& as(const Argument& one, const char* what) {
    const T* value = one.value.as<T>();
    if (!value) throw Error(one.span, named(one) + "expected " + what + ", not " + describe(one.value));
    return *value;
  }
  template <class T>
  const T& get(const std::string& name, const char* what) const {
    return as<T>(at(name), what);
  }
  const std::string& text(const std::string& name, const char* what) const { return get<std::string>(name, what); }
  int64_t integer(const std::string& name) const { return get<int64_t>(name, "an integer"); }
  bool flag(const std::string& name, bool otherwise) const;
  const LoopRef& loop(const std::string& name) const { return get<LoopRef>(name, "a loop"); }
  /// The items of a list or tuple, each at the place of the argument.
  std::vector<Argument> items(const std::string& name, const char* what) const;
  /// Loops by position, one by one or in a list.
  std::vector<LoopRef> loops() const;
  /// "A", 0, ("read", 0), ("write", 0)
  BufferChoice buffer(const std::string& name) const;
  /// "IfElseStmt", tir.transform.HoistConditional.IfElseStmt, or a list of these, as the sum of what they stand for.
  std::optional<uint8_t> flags(const std::string& name, const std::map<std::string, uint8_t>& known) const;

  /// An argument that is accepted only with this value (or not at all).
  void only(const std::string& name, bool accepted) const;
  /// An argument that must not be given.
  void none(const std::string& name) const;

 private:
  std::string callee_;
  Span span_;
  std::map<std::string, Argument> given_;
  std::vector<Argument> rest_;
};

/// One call of one primitive.
struct PrimitiveCall {
  const Primitive& primitive;
  const Target& target;
  const std::string& text;
  const Span& span;
  Bound args;

  std::string name() const { return std::string(primitive.name); }
  /// The schedule of the function that primitives go to; Error when a module has several, and none was chosen.
  Schedule& schedule() const;
  /// The schedule of a module; Error when it is that of one function.
  ModuleSchedule& module() const;
  /// A block, or its name.
  BlockRef block(const std::string& parameter) const;
  /// A block, or the nest of a loop in place of one.
  BlockRef nest(const std::string& parameter) const;
};

/// The function of each row of the table.
#define PRIMITIVE(name, parameters, help, rules) Value name(PrimitiveCall& call);
#include "rewrite/schedule/primitives.def"
#undef PRIMITIVE

}  // namespace hexproof::calls
