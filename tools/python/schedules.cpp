// `sch` in Python: a method for each row of the table of primitives, and the handles that they give.
#include "ir/text/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/schedule/blocks/stages.h"
#include "rewrite/schedule/blocks/tiles.h"
#include "rewrite/schedule/primitives.h"
#include "tools/python/working.h"

namespace hexproof::python {
namespace {

/// While it lives nobody else works on the schedule.
class Busy {
 public:
  explicit Busy(ScheduleObject& schedule) : schedule_(schedule) {
    if (schedule.ended) throw Misuse("this schedule has ended: its handles are of no use any more");
    if (schedule.busy) throw Misuse("another primitive of this schedule is at work");
    schedule.busy = true;
  }
  ~Busy() { schedule_.busy = false; }
  Busy(const Busy&) = delete;

 private:
  ScheduleObject& schedule_;
};

/// What was called on `sch`. Looked up where attributes of one's own lie: no code of Python's runs, whose
/// KeyboardInterrupt would be lost.
py::list calls_of(py::handle self) {
  py::dict own = self.attr("__dict__");
  if (!own.contains("_calls")) own["_calls"] = py::list();
  return own["_calls"];
}

/// The call, for `sch.trace`: what was given and what came of it, as Python has them. They live as long as `sch` does
/// there.
void record(py::handle self, const Primitive& row, const std::string& written, PyObject* const* given, size_t count,
            PyObject* keywords, const py::object& out) {
  py::tuple args(count);
  for (size_t k = 0; k < count; ++k) args[k] = py::reinterpret_borrow<py::object>(given[k]);
  py::dict named;
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    named[py::handle(PyTuple_GET_ITEM(keywords, k))] =
        py::reinterpret_borrow<py::object>(given[count + static_cast<size_t>(k)]);
  }
  calls_of(self).append(py::make_tuple(std::string(row.name), args, named, out, written));
}

py::object call_row(const Primitive& row, PyObject* self, PyObject* const* given, size_t count, PyObject* keywords) {
  auto& schedule = py::cast<ScheduleObject&>(py::handle(self));
  const CallPlace place = place_of_call();
  std::vector<calls::Argument> arguments;
  for (size_t k = 0; k < count; ++k) {
    const Span span = place.at(k, count);
    arguments.push_back({"", to_value(given[k], span), span});
  }
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    const auto name = py::handle(PyTuple_GET_ITEM(keywords, k)).cast<std::string>();
    const Span span = place.at(name);
    arguments.push_back({name, to_value(given[count + static_cast<size_t>(k)], span), span});
  }
  const std::string written = place.text.empty() ? "sch." + std::string(row.name) + "(...)" : place.text;
  Busy busy(schedule);
  calls::Value result = while_others_run([&] {
    if (schedule.begin) schedule.begin();
    return calls::call_primitive(schedule.target, std::string(row.name), arguments, written, place.span);
  });
  py::object out = from_value(result);
  if (row.name.starts_with("sample_")) out = support().attr("sampled")(out);
  record(py::handle(self), row, written, given, count, keywords, out);
  return out;
}

enum Row : size_t {
#define PRIMITIVE(name, parameters, help, rules) kRow_##name,
#include "rewrite/schedule/primitives.def"
#undef PRIMITIVE
};

template <size_t row>
PyObject* method(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* keywords) {
  try {
    return call_row(primitives()[row], self, given, static_cast<size_t>(count), keywords).release().ptr();
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

using Method = PyObject* (*)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
constexpr Method kMethods[] = {
#define PRIMITIVE(name, parameters, help, rules) &method<kRow_##name>,
#include "rewrite/schedule/primitives.def"
#undef PRIMITIVE
};

/// Methods with signatures that help() and inspect read: "split($self, loop, ...)\n--\n\nhelp".
void define_primitives(py::handle type) {
  static std::vector<std::string> docs;
  static std::vector<PyMethodDef> methods;
  const std::span<const Primitive> rows = primitives();
  docs.reserve(rows.size());
  methods.reserve(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    const Primitive& row = rows[k];
    const std::string rules = row.rules.empty() ? "" : "\n\nRules of the kernel: " + std::string(row.rules) + ".";
    docs.push_back(std::string(row.name) + "($self" + (row.parameters.empty() ? "" : ", ") +
                   std::string(row.parameters) + ")\n--\n\n" + std::string(row.help) + rules);
    methods.push_back({row.name.data(), reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(kMethods[k])),
                       METH_FASTCALL | METH_KEYWORDS, docs.back().c_str()});
    auto* made = PyDescr_NewMethod(reinterpret_cast<PyTypeObject*>(type.ptr()), &methods.back());
    if (!made) throw py::error_already_set();
    py::setattr(type, row.name.data(), py::reinterpret_steal<py::object>(made));
  }
}

py::object missing(const std::string& name) {
  if (name.starts_with("__")) throw Misuse("no attribute '" + name + "'", "", "MissingError");
  if (std::optional<std::string> instead = instead_of_primitive(name)) {
    throw Misuse("the schedule primitive '" + name + "' is not supported", *instead, "MissingError");
  }
  throw Misuse("there is no schedule primitive '" + name + "'", nearest_names(name, primitive_names()), "NoSuchError");
}

/// A schedule to try things on: what is done to it changes nothing else. It ends when the one does that it is of.
std::shared_ptr<ScheduleObject> copy_schedule(ScheduleObject& schedule) {
  Busy busy(schedule);
  // Of a module: of the function that was chosen.
  Schedule& of = schedule.target.schedule ? *schedule.target.schedule : schedule.target.module->chosen();
  auto out = std::make_shared<ScheduleObject>();
  const std::shared_ptr<Schedule> made = copy_of(of);
  out->target.schedule = made.get();
  out->script = [made = made.get()] { return print(made->func()); };
  out->functions = schedule.functions, out->copied = true;
  out->owner = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(schedule.owner, made);
  schedule.copies.push_back(out);
  return out;
}

}  // namespace

void define_schedules(py::module_& native) {
  py::class_<BlockRef>(native, "BlockRV", "A block of the program.")
      .def_property_readonly("name", [](const BlockRef& b) { return b.loop ? b.loop.name() : b.name; })
      .def("__eq__", [](const BlockRef& a, const BlockRef& b) { return a.name == b.name && a.loop == b.loop; })
      .def("__hash__", [](const BlockRef& b) { return std::hash<std::string>{}(b.name); })
      .def("__repr__", [](const BlockRef& b) { return "<block " + (b.loop ? b.loop.name() : b.name) + ">"; });
  py::class_<LoopRef>(native, "LoopRV", "A loop of the program, until a primitive consumes it.")
      .def_property_readonly("name", [](const LoopRef& l) { return l.var.name(); })
      .def("__eq__", [](const LoopRef& a, const LoopRef& b) { return a.var == b.var; })
      .def("__hash__", [](const LoopRef& l) { return l.var.id(); })
      .def("__repr__", [](const LoopRef& l) { return "<loop " + l.var.name() + ">"; });
  py::class_<ScheduleObject, std::shared_ptr<ScheduleObject>> schedule(
      native, "Schedule", "TVM's primitives on a program; every step is proved.", py::dynamic_attr());
  schedule.def("__getattr__", [](const py::object&, const std::string& name) { return missing(name); })
      .def("__getitem__",
           [](const py::object&, const py::object&) -> py::object {
             throw Misuse("stages s[...] of tensor-expression schedules are not read", "", "UnsupportedError");
           })
      .def("_script",
           [](const ScheduleObject& s) {
             if (s.ended || !s.script) throw Misuse("this schedule has ended");
             return s.script();
           })
      .def("_functions",
           [](const ScheduleObject& s) {
             py::list out;
             for (const std::string& name : s.functions) out.append(name);
             return out;
           })
      .def_property_readonly("mod", [](const py::object& self) { return support().attr("Program")(self); })
      .def_property_readonly("state", [](const py::object& self) { return support().attr("Program")(self); })
      .def("_copy", &copy_schedule)
      .def_property_readonly("trace",
                             [](const py::object& self) { return support().attr("Trace").attr("of")(calls_of(self)); })
      .def("__repr__", [](const ScheduleObject& s) { return s.ended ? "<schedule that has ended>" : "<schedule>"; });
  define_primitives(schedule);
  native.def("register_intrinsic", &register_intrinsic);
  native.def("end", [](ScheduleObject& s) {
    if (!s.owner) s.end();
  });
  py::list passes;
  for (const Pass& pass : all_passes()) passes.append(pass.name);
  native.attr("passes") = passes;
}

}  // namespace hexproof::python
