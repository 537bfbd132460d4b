// Values of Python's as primitives take them, and back.
#include "tools/python/objects.h"
#include "verify/prove/effort.h"

namespace hexproof::python {
namespace {

std::string text_of(py::handle value, const Span& span) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(value.ptr(), &size);
  if (!text) {
    PyErr_Clear();
    throw Error(span, "a string that is no text");
  }
  return {text, static_cast<size_t>(size)};
}

int64_t integer_of(py::handle value, const Span& span) {
  auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!number) throw py::error_already_set();
  int overflow = 0;
  const long long out = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow) throw Error(span, "the integer exceeds 64 bits");
  if (out == -1 && PyErr_Occurred()) throw py::error_already_set();
  return out;
}

std::string article(const std::string& name) {
  const bool vowel = !name.empty() && std::string("aeiouAEIOU").find(name[0]) != std::string::npos;
  return (vowel ? "an " : "a ") + name;
}

/// A function of the user's. What is called through it needs the lock, which its caller does not hold.
calls::Value callable_of(py::handle value, const Span& span) {
  py::object function = py::reinterpret_borrow<py::object>(value);
  if (py::isinstance(value, support().attr("IndexMap"))) function = function.attr("func");
  const bool method = PyMethod_Check(function.ptr());
  auto plain = py::reinterpret_borrow<py::object>(method ? PyMethod_GET_FUNCTION(function.ptr()) : function.ptr());
  if (!PyFunction_Check(plain.ptr())) return {calls::Foreign{"an object that is called"}};
  auto code = py::reinterpret_borrow<py::object>(PyFunction_GetCode(plain.ptr()));
  const py::object defaults = plain.attr("__defaults__");
  const size_t with_default = defaults.is_none() ? 0 : py::len(defaults);
  const auto positional = code.attr("co_argcount").cast<size_t>();
  const auto keyword_only = code.attr("co_kwonlyargcount").cast<size_t>();
  const auto names = code.attr("co_varnames").cast<py::tuple>();
  calls::Callable out{.name = plain.attr("__name__").cast<std::string>(), .params = {}, .call = {}};
  // Parameters with defaults hold what the lambda was made with (`lambda i, k=k: ...`); they are no indices.
  for (size_t k = method ? 1 : 0; k < positional - std::min(with_default, positional); ++k) {
    out.params.push_back(names[k].cast<std::string>());
  }
  if (code.attr("co_flags").cast<int>() & CO_VARARGS) {
    out.rest = out.params.size();
    out.params.push_back(names[positional + keyword_only].cast<std::string>());
  }
  if (out.name == "<lambda>") {
    out.name = "lambda";
    out.body = written_body(plain);
  }
  out.call = [held = std::make_shared<py::object>(std::move(function)), span, name = out.name](
                 const std::vector<calls::Value>& values, const std::map<std::string, calls::Value>& given) {
    py::gil_scoped_acquire lock;
    py::tuple arguments(values.size());
    for (size_t k = 0; k < values.size(); ++k) arguments[k] = from_value(values[k]);
    py::object called = *held;
    if (!given.empty() && PyFunction_Check(called.ptr())) {
      py::dict space;
      for (const auto& [name, meaning] : given) space[py::str(name)] = from_value(meaning);
      called = support().attr("rebound")(called, space);
    }
    try {
      return to_value(called(*arguments), span);
    } catch (const py::error_already_set& e) {
      if (hand_on_interrupt(e)) throw OutOfTime("interrupted in " + name);
      throw;
    }
  };
  return {std::make_shared<const calls::Callable>(std::move(out))};
}

}  // namespace

calls::Value to_value(py::handle value, const Span& span, int depth) {
  if (depth > 50) throw Error(span, "this nests too deeply");
  if (value.is_none()) return {calls::None{}};
  if (PyBool_Check(value.ptr())) return {value.ptr() == Py_True};
  if (PyUnicode_Check(value.ptr())) return {text_of(value, span)};
  if (PyFloat_Check(value.ptr())) return {PyFloat_AS_DOUBLE(value.ptr())};
  if (py::isinstance<LoopRef>(value)) return {value.cast<LoopRef>()};
  if (py::isinstance<BlockRef>(value)) return {value.cast<BlockRef>()};
  if (py::isinstance<Expr>(value)) return {value.cast<Expr>()};
  if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()) || PyRange_Check(value.ptr())) {
    calls::Sequence out{.items = {}, .tuple = PyTuple_Check(value.ptr()) != 0};
    const Py_ssize_t size = PyObject_Length(value.ptr());
    if (size < 0) throw py::error_already_set();
    if (size > 10000) throw Error(span, "a list of more than 10000 items");
    for (py::handle item : value) out.items.push_back(to_value(item, span, depth + 1));
    return {out};
  }
  if (PyIndex_Check(value.ptr())) return {integer_of(value, span)};
  if (py::isinstance<calls::AxisSeparator>(value)) return {calls::AxisSeparator{}};
  if (py::isinstance<calls::Undefined>(value)) return {value.cast<calls::Undefined>()};
  if (py::isinstance<calls::TransformedBuffer>(value)) return {value.cast<calls::TransformedBuffer>()};
  if (py::isinstance<ScheduleObject>(value)) return {calls::Foreign{"the schedule"}};
  if (py::isinstance(value, support().attr("Names"))) {
    auto path = value.attr("_path").cast<std::string>();
    return {calls::Name{path.starts_with("tvm.") ? path.substr(4) : path}};
  }
  const std::string type = Py_TYPE(value.ptr())->tp_name;
  if (type.starts_with("numpy.bool")) return {PyObject_IsTrue(value.ptr()) == 1};
  if (type.starts_with("numpy.float")) return {py::float_(py::reinterpret_borrow<py::object>(value)).cast<double>()};
  if (PyCallable_Check(value.ptr()) && !PyType_Check(value.ptr())) return callable_of(value, span);
  return {calls::Foreign{PyType_Check(value.ptr()) ? "a class" : article(type)}};
}

py::object from_value(const calls::Value& value) {
  struct From {
    py::object operator()(const calls::None&) const { return py::none(); }
    py::object operator()(bool b) const { return py::bool_(b); }
    py::object operator()(int64_t k) const { return py::int_(k); }
    py::object operator()(double x) const { return py::float_(x); }
    py::object operator()(const std::string& s) const { return py::str(s); }
    py::object operator()(const Expr& e) const { return py::cast(e); }
    py::object operator()(const calls::Sequence& s) const {
      py::list out;
      for (const calls::Value& item : s.items) out.append(from_value(item));
      return s.tuple ? py::object(py::tuple(out)) : py::object(out);
    }
    py::object operator()(const BlockRef& b) const { return py::cast(b); }
    py::object operator()(const LoopRef& l) const { return py::cast(l); }
    py::object operator()(const calls::AxisSeparator&) const {
      return support().attr("IndexMap").attr("AXIS_SEPARATOR");
    }
    py::object operator()(const calls::Undefined& u) const { return py::cast(u); }
    py::object operator()(const calls::TransformedBuffer& b) const { return py::cast(b); }
    py::object operator()(const calls::Name& n) const { return support().attr("import_names")(n.path); }
    py::object operator()(const calls::Foreign& f) const { return py::str(f.what); }
    py::object operator()(const std::shared_ptr<const calls::Callable>& f) const { return py::str(f->name); }
  };
  return std::visit(From{}, value.v);
}

}  // namespace hexproof::python
