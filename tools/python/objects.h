// The objects that schedules in Python hold, and how values go in and out.
#pragma once
#include <pybind11/pybind11.h>

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rewrite/schedule/call.h"

namespace hexproof::python {

namespace py = pybind11;

/// `sch`. It works on what it was made for until that ends; then every use of it is a mistake with a message.
struct ScheduleObject {
  calls::Target target;
  std::function<std::string()> script;  // the program as it is now
  std::vector<std::string> functions;   // of the program, by their names
  std::function<void()> begin;          // before each primitive: its time starts; none: that of all of them runs
  std::shared_ptr<void> owner;          // keeps alive what `target` points to; null: somebody else does
  bool ended = false, busy = false;
  bool copied = false;  // of another schedule: it leads to no certificate
  std::vector<std::weak_ptr<ScheduleObject>> copies;
  void end() {
    for (const std::weak_ptr<ScheduleObject>& copy : copies) {
      if (std::shared_ptr<ScheduleObject> living = copy.lock()) living->end();
    }
    ended = true, target = {}, script = nullptr, owner.reset();
  }
};

/// A mistake in the use of an object here, which knows no place: the place is where Python stands.
class Misuse : public std::runtime_error {
 public:
  explicit Misuse(const std::string& message, std::string hint = "", std::string kind = "InputError")
      : std::runtime_error(message), hint(std::move(hint)), kind(std::move(kind)) {}
  std::string hint, kind;
};

/// A value of Python's as primitives take it. `span`: where it stands, for messages.
calls::Value to_value(py::handle value, const Span& span, int depth = 0);
py::object from_value(const calls::Value& value);

/// What is written in Python (tools/python/support/), as a module. The lock must be held, here and below.
py::module_ support();
/// The classes of C++ in Python: `_native` of tools/python/support/.
void define_expressions(py::module_& native);
void define_schedules(py::module_& native);

/// What an exception's `report` says of a step that was refused: verdict, rule, why, statement, function, reason,
/// values.
py::dict report_of(const Refused& refused);
/// Makes Python's exception of one of ours; the one is kept in the other.
void set_python_error(const std::exception_ptr& exception);
/// Is it a KeyboardInterrupt? Then the work ends, and the exception comes again where the lock was given up
/// (while_others_run), whoever catches what is thrown on the way; the command has no such caller.
bool hand_on_interrupt(const py::error_already_set& exception);
/// Throws what Python's exception stands for: ours, if it was made of one, else an Error at the place in `file`.
[[noreturn]] void throw_as_ours(const py::error_already_set& exception, const std::shared_ptr<const SourceFile>& file);

/// The call that Python is at: where it stands, as it is written, and where its arguments stand.
struct CallPlace {
  Span span;
  std::string text;
  struct Written {
    std::string keyword;  // "*" and "**" for what is unpacked
    Span span;
  };
  std::vector<Written> arguments;
  /// Where the argument at `position` of `count` by position, or that of the keyword stands.
  Span at(size_t position, size_t count) const;
  Span at(const std::string& keyword) const;
};
CallPlace place_of_call();
/// The place of a function's body as it is written, in one line; empty: it is no lambda, or its text is not known.
std::string written_body(py::handle function);
/// From now on a file of this name has this text. Compiles it; a SyntaxError is Python's.
py::object compile_file(const std::shared_ptr<const SourceFile>& file);
/// The place of an instruction.
Span span_of(PyCodeObject* code, int instruction, const std::shared_ptr<const SourceFile>& file);

}  // namespace hexproof::python
