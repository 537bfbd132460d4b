// Exceptions of ours in Python, and Python's in C++.
#include <pybind11/pybind11.h>

#include "ir/text/lexer.h"
#include "rewrite/schedule/schedule.h"
#include "tools/python/interpreter.h"
#include "tools/python/objects.h"
#include "verify/prove/effort.h"
#include "verify/prove/interrupted.h"
#include "verify/prove/model_value.h"

namespace hexproof::python {
namespace {

constexpr const char* kCapsule = "hexproof.exception";

/// Raises the exception of that class, which keeps ours.
void raise(const char* kind, const std::string& what, const Span& span, const std::string& hint,
           const std::exception_ptr& ours, const Refused* refused = nullptr) {
  py::object type = support().attr(kind);
  py::object raised = type(what);
  if (refused) raised.attr("report") = report_of(*refused);
  raised.attr("hint") = hint;
  if (span) {
    raised.attr("file") = span.file ? span.file->path : "";
    raised.attr("line") = span.line;
    raised.attr("column") = span.column;
  }
  auto* kept = new std::exception_ptr(ours);
  raised.attr("_ours") = py::capsule(kept, kCapsule, [](PyObject* capsule) {
    delete static_cast<std::exception_ptr*>(PyCapsule_GetPointer(capsule, kCapsule));
  });
  PyErr_SetObject(type.ptr(), raised.ptr());
}

const char* kind_of(const Refused& refused) {
  return refused.answer.verdict == Verdict::Refuted ? "RefutedError" : "UndecidedError";
}

void translate(const std::exception_ptr& ours) {
  try {
    std::rethrow_exception(ours);
  } catch (py::error_already_set& e) {
    e.restore();
  } catch (const py::builtin_exception& e) {
    e.set_error();
  } catch (const Misuse& e) {
    raise(e.kind.c_str(), e.what(), {}, e.hint, ours);
  } catch (const Error& e) {
    raise("InputError", e.what(), e.span, "", ours);
  } catch (const Unsupported& e) {
    raise("UnsupportedError", e.what(), e.span, "", ours);
  } catch (const PrimitiveRefused& e) {
    raise(kind_of(e), e.what(), e.span, "", ours, &e);
  } catch (const Refused& e) {
    raise(kind_of(e), e.what(), {}, "", ours, &e);
  } catch (const OutOfTime& e) {
    raise("UndecidedError", e.what(), {}, "", ours);
  } catch (const NotApplicable& e) {
    raise("InputError", e.what(), {}, "", ours);
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    raise("InternalError", e.what(), {}, "", ours);
  }
}

/// Text of an object, whatever its own __str__ does.
std::string text_of(py::handle value) {
  auto text = py::reinterpret_steal<py::object>(PyObject_Str(value.ptr()));
  const char* bytes = text ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (!bytes) PyErr_Clear();
  std::string out = bytes ? bytes : "";
  if (out.size() > 1000) out = out.substr(0, 1000) + "...";
  return out;
}

py::object attribute(py::handle value, const char* name) {
  auto out = py::reinterpret_steal<py::object>(PyObject_GetAttrString(value.ptr(), name));
  if (!out) PyErr_Clear();
  return out ? out : py::none();
}

int number(py::handle value) { return PyLong_Check(value.ptr()) ? static_cast<int>(PyLong_AsLong(value.ptr())) : 0; }

struct Traced {
  Span span;          // the innermost place in the file
  std::string below;  // "FILE:LINE", when it was raised deeper
  py::object frame;   // of the innermost place in the file
};

Traced trace(py::handle traceback, const std::shared_ptr<const SourceFile>& file) {
  Traced out;
  auto here = py::reinterpret_borrow<py::object>(traceback);
  for (int depth = 0; here && !here.is_none() && depth < 100000; ++depth) {
    auto* tb = reinterpret_cast<PyTracebackObject*>(here.ptr());
    auto code = py::reinterpret_steal<py::object>(reinterpret_cast<PyObject*>(PyFrame_GetCode(tb->tb_frame)));
    const std::string path = text_of(attribute(code, "co_filename"));
    if (path == file->path) {
      out.span = span_of(reinterpret_cast<PyCodeObject*>(code.ptr()), tb->tb_lasti, file);
      out.below.clear();
      out.frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(tb->tb_frame));
    } else if (!path.starts_with("<")) {
      out.below = path + ":" + std::to_string(number(attribute(here, "tb_lineno")));
    }
    here = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(tb->tb_next));
  }
  return out;
}

/// The place of a SyntaxError: its column counts characters, ours bytes.
Span syntax_span(py::handle value, const std::shared_ptr<const SourceFile>& file) {
  if (text_of(attribute(value, "filename")) != file->path) return {};
  Span span{file, std::max(1, number(attribute(value, "lineno"))), 1, 1};
  py::object line = attribute(value, "text");
  const int offset = number(attribute(value, "offset")), end = number(attribute(value, "end_offset"));
  auto bytes = [&](int characters) {
    if (!PyUnicode_Check(line.ptr()) || characters <= 0) return std::max(0, characters);
    auto part = py::reinterpret_steal<py::object>(PyUnicode_Substring(line.ptr(), 0, characters));
    return static_cast<int>(text_of(part).size());
  };
  span.column = std::max(1, bytes(offset - 1) + 1);
  if (number(attribute(value, "end_lineno")) == span.line && end > offset)
    span.length = bytes(end - 1) + 1 - span.column;
  return span;
}

/// What the name may have been meant to be: names of the frame, or of the object.
std::string meant(py::handle value, const Traced& where) {
  const std::string name = text_of(attribute(value, "name"));
  py::list known;
  try {
    if (PyErr_GivenExceptionMatches(value.ptr(), PyExc_NameError) && where.frame) {
      for (const char* scope : {"f_locals", "f_globals"}) {
        for (py::handle one : where.frame.attr(scope)) known.append(one);
      }
    } else if (PyErr_GivenExceptionMatches(value.ptr(), PyExc_AttributeError)) {
      known = py::list(py::module_::import("builtins").attr("dir")(attribute(value, "obj")));
    }
    std::vector<std::string> names;
    for (py::handle one : known) {
      const std::string text = text_of(one);
      if (!text.starts_with("__")) names.push_back(text);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    const std::string nearest = nearest_name(name, names);
    return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
  } catch (py::error_already_set&) {
    return "";
  }
}

[[noreturn]] void throw_at(const Span& span, const std::string& message, const std::string& hint, bool unsupported) {
  if (unsupported) throw Unsupported(span, message, hint);
  throw Error(span, message, hint);
}

}  // namespace

py::dict report_of(const Refused& refused) {
  const Place& where = refused.obligation.where;
  py::dict out, values;
  out["verdict"] = refused.answer.verdict == Verdict::Refuted ? "refuted" : "undecided";
  out["rule"] = refused.obligation.rule, out["why"] = refused.obligation.why;
  out["statement"] = where.statement, out["function"] = where.function, out["reason"] = refused.answer.reason;
  for (const auto& [var, value] : refused.answer.model) {
    py::object number = py::int_(py::str(to_string(value)));
    if (var.dtype().is_float()) number = py::float_(scalar_of_model(var.dtype(), value).d());
    values[py::str(var.name())] = number;
  }
  out["values"] = values;
  return out;
}

void set_python_error(const std::exception_ptr& exception) {
  try {
    translate(exception);
  } catch (py::error_already_set& e) {
    e.restore();  // no memory for the exception, say
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
}

bool hand_on_interrupt(const py::error_already_set& exception) {
  if (!exception.matches(PyExc_KeyboardInterrupt)) return false;
  if (!python_is_ours()) {
    work_is_interrupted = true;
    PyErr_SetInterrupt();
  }
  return true;
}

void throw_as_ours(const py::error_already_set& exception, const std::shared_ptr<const SourceFile>& file) {
  if (exception.matches(PyExc_MemoryError)) throw std::bad_alloc();
  py::object value = exception.value();
  const Traced where = trace(exception.trace() ? exception.trace() : py::none(), file);
  const Span span = where.span ? where.span : Span{file, 1, 1, 1};
  const std::string below = where.below.empty() ? "" : "raised at " + where.below;
  if (py::object kept = attribute(value, "_ours"); PyCapsule_IsValid(kept.ptr(), kCapsule)) {
    auto* ours = static_cast<std::exception_ptr*>(PyCapsule_GetPointer(kept.ptr(), kCapsule));
    try {
      std::rethrow_exception(*ours);
    } catch (const Misuse& e) {
      throw_at(span, e.what(), e.hint, e.kind == "UnsupportedError" || e.kind == "MissingError");
    } catch (const Error& e) {
      if (e.span) throw;
      std::string message = e.what();
      if (message.starts_with("error: ")) message = message.substr(7);
      throw Error(span, message, below);
    } catch (const Unsupported& e) {
      if (e.span) throw;
      std::string message = e.what();
      if (message.starts_with("unsupported: ")) message = message.substr(13);
      throw Unsupported(span, message, below);
    }
  }
  const std::string type = Py_TYPE(value.ptr())->tp_name;
  if (hand_on_interrupt(exception)) throw Error(span, "interrupted: KeyboardInterrupt");
  if (PyErr_GivenExceptionMatches(value.ptr(), PyExc_SyntaxError)) {
    if (Span at = syntax_span(value, file)) throw Error(at, text_of(attribute(value, "msg")));
  }
  if (PyErr_GivenExceptionMatches(value.ptr(), support().attr("Error").ptr())) {  // of tools/python/support/
    const bool unsupported = PyErr_GivenExceptionMatches(value.ptr(), support().attr("UnsupportedError").ptr()) != 0;
    py::object arguments = attribute(value, "args");
    const size_t count = PyTuple_Check(arguments.ptr()) ? py::len(arguments) : 0;
    auto nth = [&](size_t k) { return count > k ? text_of(py::reinterpret_borrow<py::tuple>(arguments)[k]) : ""; };
    throw_at(span, nth(0), nth(1), unsupported);
  }
  const std::string text = text_of(value);
  if (PyErr_GivenExceptionMatches(value.ptr(), PyExc_SystemExit)) {
    throw Error(span, "the schedule ends the program", "a schedule ends where its text ends");
  }
  if (PyErr_GivenExceptionMatches(value.ptr(), PyExc_NameError)) {
    throw Error(span, "the name '" + text_of(attribute(value, "name")) + "' is not defined", meant(value, where));
  }
  const std::string hint = below.empty() ? meant(value, where) : below;
  throw Error(span, type + (text.empty() ? "" : ": " + text), hint);
}

}  // namespace hexproof::python
