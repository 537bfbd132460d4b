// Schedules of tensor expressions for te.py, and what a script comes to.
#include "ir/text/text.h"
#include "tools/python/tensors.h"

namespace hexproof::python {
namespace {

using Schedules = std::shared_ptr<TensorScheduleObject>;

const te::IterVar& axis_of(py::handle value) {
  if (!py::isinstance<AxisObject>(value)) {
    throw Misuse("expected an axis, not " + calls::describe(to_value(value, {})), "s[X].op.axis holds them");
  }
  return value.cast<AxisObject&>().axis;
}

py::object wrapped(const te::IterVar& iv) { return py::cast(AxisObject(iv)); }

py::list wrapped(const std::vector<te::IterVar>& axes) {
  py::list out;
  for (const te::IterVar& iv : axes) out.append(AxisObject(iv));
  return out;
}

std::optional<int64_t> maybe(py::handle value, const char* what) {
  if (value.is_none()) return std::nullopt;
  const calls::Value plain = to_value(value, {});
  if (const int64_t* k = plain.as<int64_t>()) return *k;
  const Expr* e = plain.as<Expr>();
  if (const int64_t* k = e ? as_int(*e) : nullptr) return *k;
  throw Misuse(std::string(what) + " is an integer, not " + calls::describe(plain));
}

struct NoteRow {
  const char* name;
  te::Note::Kind kind;
};
constexpr NoteRow kNotes[] = {{"unroll", te::Note::Kind::Unroll},
                              {"vectorize", te::Note::Kind::Vectorize},
                              {"parallel", te::Note::Kind::Parallel},
                              {"bind", te::Note::Kind::Bind},
                              {"tensorize", te::Note::Kind::Tensorize},
                              {"pragma", te::Note::Kind::Pragma},
                              {"set_scope", te::Note::Kind::SetScope},
                              {"rolling_buffer", te::Note::Kind::RollingBuffer},
                              {"double_buffer", te::Note::Kind::DoubleBuffer}};

void note(TensorScheduleObject& s, size_t id, const std::string& kind, const py::object& at, const std::string& name,
          const py::object& value) {
  te::Note out{.kind = te::Note::Kind::SetScope, .at = {}, .name = name, .value = {}, .written = written()};
  for (const NoteRow& row : kNotes) {
    if (kind == row.name) out.kind = row.kind;
  }
  if (out.of_loop()) out.at = axis_of(at);
  const calls::Value plain = to_value(value, {});
  if (const int64_t* k = plain.as<int64_t>()) out.value = *k;
  if (const std::string* text = plain.as<std::string>()) out.value = *text;
  told([&] { s.schedule.note(id, out); });
}

void storage_align(TensorScheduleObject& s, size_t id, const py::object& axis, const py::object& factor,
                   const py::object& offset) {
  te::Note out{.kind = te::Note::Kind::StorageAlign, .at = axis_of(axis), .name = "", .value = {}};
  const std::optional<int64_t> multiple = maybe(factor, "the factor"), behind = maybe(offset, "the offset");
  if (!multiple || !behind)
    throw Misuse("storage_align takes a factor and an offset", "s[X].storage_align(axis, 8, 1)");
  out.factor = *multiple, out.offset = *behind, out.written = written();
  told([&] { s.schedule.note(id, out); });
}

std::vector<te::OperationRef> operations(const std::vector<std::shared_ptr<te::Operation>>& ops) {
  return {ops.begin(), ops.end()};
}

using ScriptObject = std::shared_ptr<te::Script>;

/// The program that the script makes, every step proved.
std::string lowered_text(const te::Script& script) {
  Prover prover;
  Derivation derivation(script.naive.func);
  {
    py::gil_scoped_release others_may_run;
    te::lower(script, derivation, prover);
  }
  return print(derivation.current());
}

}  // namespace

void define_stages(py::module_& te) {
  py::class_<TensorScheduleObject, Schedules>(te, "ScheduleRecord")
      .def(py::init([](const std::vector<std::shared_ptr<te::Operation>>& ops) {
        return told([&] {
          return std::make_shared<TensorScheduleObject>(TensorScheduleObject{te::Schedule(operations(ops))});
        });
      }))
      .def("stage_of_tensor", [](const TensorScheduleObject& s,
                                 const te::Tensor& t) { return told([&] { return s.schedule.stage_of(t.buffer()); }); })
      .def("stage_of_op",
           [](const TensorScheduleObject& s, const std::shared_ptr<te::Operation>& op) {
             return told([&] { return s.schedule.stage_of(te::OperationRef(op)); });
           })
      .def("op", [](const TensorScheduleObject& s,
                    size_t id) { return std::const_pointer_cast<te::Operation>(s.schedule.stage(id).op); })
      .def("leaves", [](const TensorScheduleObject& s, size_t id) { return wrapped(s.schedule.stage(id).leaves); })
      .def("order", [](const TensorScheduleObject& s) { return s.schedule.order(); })
      .def("split",
           [](TensorScheduleObject& s, size_t id, const py::object& parent, const py::object& factor,
              const py::object& nparts) {
             auto made = told([&] {
               return s.schedule.split(id, axis_of(parent), maybe(factor, "a factor"), maybe(nparts, "nparts"),
                                       written());
             });
             return py::make_tuple(wrapped(made.first), wrapped(made.second));
           })
      .def("fuse",
           [](TensorScheduleObject& s, size_t id, const py::args& loops) {
             std::vector<te::IterVar> axes;
             for (py::handle one : loops) axes.push_back(axis_of(one));
             return told([&] { return wrapped(s.schedule.fuse(id, axes, written())); });
           })
      .def("reorder",
           [](TensorScheduleObject& s, size_t id, const py::args& loops) {
             std::vector<te::IterVar> axes;
             for (py::handle one : loops) axes.push_back(axis_of(one));
             told([&] { s.schedule.reorder(id, axes, written()); });
           })
      .def("note", &note)
      .def("storage_align", &storage_align)
      .def("compute_at",
           [](TensorScheduleObject& s, size_t id, size_t at, const py::object& loop) {
             told([&] { s.schedule.compute_at(id, at, axis_of(loop), written()); });
           })
      .def("compute_inline",
           [](TensorScheduleObject& s, size_t id) { told([&] { s.schedule.compute_inline(id, written()); }); })
      .def("compute_root", [](TensorScheduleObject& s, size_t id) { s.schedule.compute_root(id); })
      .def("cache_read",
           [](TensorScheduleObject& s, const te::Tensor& t, const std::string& scope,
              const std::vector<std::shared_ptr<te::Operation>>& readers) {
             return told([&] { return s.schedule.cache_read(t, scope, operations(readers), written()); });
           })
      .def("cache_write",
           [](TensorScheduleObject& s, const std::vector<te::Tensor>& t, const std::string& scope) {
             return told([&] { return s.schedule.cache_write(t, scope, written()); });
           })
      .def("rfactor",
           [](TensorScheduleObject& s, const te::Tensor& t, const py::object& loop, int64_t axis) {
             return told([&] { return s.schedule.rfactor(t, axis_of(loop), axis, written()); });
           })
      .def("transform_layout", [](TensorScheduleObject& s, size_t id, const py::object& map) {
        const te::Written where = written();
        const size_t rank = told([&] { return s.schedule.stage(id).op->outputs.at(0)->ndim(); });
        const IndexMap read = calls::index_map(to_value(map, where.span), where.span, rank);
        return told([&] { return wrapped(s.schedule.transform_layout(id, read, where)); });
      });
  py::class_<te::Script, ScriptObject>(te, "Lowered", "A program, and the schedule that is applied to it.")
      .def("script", &lowered_text)
      .def("__str__", &lowered_text)
      .def("show", [](const te::Script& s) { py::print(lowered_text(s)); })
      .def("_naive", [](const te::Script& s) { return print(s.naive.func); });
  te.def("lower", [](const py::object& schedule, const std::vector<te::Tensor>& args, const std::string& name) {
    return told([&] {
      auto out = std::make_shared<te::Script>();
      out->naive = te::create_prim_func(args, name);
      if (!schedule.is_none()) out->schedule = schedule.cast<Schedules>()->schedule;
      out->written = written();
      return out;
    });
  });
}

}  // namespace hexproof::python
