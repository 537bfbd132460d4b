// Placeholders, computed tensors, axes and reducers for te.py.
#include "tools/python/tensors.h"

#include "ir/text/text.h"
#include "rewrite/kernel/kernel.h"
#include "rewrite/te/scan.h"

namespace hexproof::python {
namespace {

DType type_named(const std::string& name) {
  std::optional<DType> type = parse_dtype(name);
  if (!type || !type->is_scalar() || type->is_handle()) throw Misuse("there is no scalar dtype '" + name + "'");
  return *type;
}

/// An index: an integer, or an expression of one.
Expr index_of(py::handle value, const char* what) {
  const calls::Value plain = to_value(value, {});
  if (const Expr* e = plain.as<Expr>()) {
    if (!(*e)->dtype.is_integer()) throw Misuse(std::string(what) + " is an integer, not " + (*e)->dtype.str());
    return *e;
  }
  const int64_t* k = plain.as<int64_t>();
  if (!k) throw Misuse(std::string(what) + " is an integer, not " + calls::describe(plain));
  if (!fits_type(kInt32, *k)) throw Misuse(std::string(what) + " fits 32 bits; " + std::to_string(*k) + " does not");
  return i32(*k);
}

Expr extent_of(py::handle value) {
  const Expr e = index_of(value, "an extent");
  if (const int64_t* k = as_int(e); k && *k <= 0) throw Misuse("the extent " + std::to_string(*k) + " is not positive");
  return e;
}

/// What is computed with: numbers are int32 and float32.
Expr expression(py::handle value) {
  if (py::isinstance<Expr>(value)) return value.cast<Expr>();
  if (py::isinstance<ReductionObject>(value)) {
    throw Misuse("a reduction is the whole of what is computed: it may stand in no expression",
                 "a te.compute of its own for what is done with it");
  }
  const calls::Value plain = to_value(value, {});
  if (const bool* b = plain.as<bool>()) return boolean(*b);
  if (const int64_t* k = plain.as<int64_t>()) {
    if (fits_type(kInt32, *k)) return i32(*k);
    throw Misuse("the number " + std::to_string(*k) + " does not fit int32", "te.const(value, \"int64\")");
  }
  if (const double* x = plain.as<double>()) return fimm(kFloat32, *x);
  throw Misuse("expected an expression, not " + calls::describe(plain), "a tensor is read at indices: A[i, j]");
}

/// A value of that type: an expression of it, or a number that it holds.
Expr typed(py::handle value, DType type, const std::string& what) {
  if (py::isinstance<Expr>(value)) {
    const Expr e = value.cast<Expr>();
    if (e->dtype == type) return e;
    throw Misuse(what + " is " + type.str() + ", not " + e->dtype.str(),
                 type.is_bool() ? "a comparison: A[k] != 0" : "x.astype(\"" + type.str() + "\") converts x");
  }
  const calls::Value plain = to_value(value, {});
  if (const bool* b = plain.as<bool>(); b && type.is_bool()) return boolean(*b);
  if (const int64_t* k = plain.as<int64_t>()) {
    if (type.is_float()) return fimm(type, static_cast<double>(*k));
    if (fits_type(type, *k)) return imm(type, *k);
    throw Misuse(what + " is " + type.str() + ", and " + std::to_string(*k) + " does not fit it");
  }
  if (const double* x = plain.as<double>(); x && type.is_float()) return fimm(type, *x);
  throw Misuse(what + " is " + type.str() + ", not " + calls::describe(plain));
}

std::vector<te::IterVar> axes_of(const py::sequence& axes) {
  std::vector<te::IterVar> out;
  for (py::handle one : axes) {
    if (!py::isinstance<AxisObject>(one)) {
      throw Misuse("expected an axis, not " + calls::describe(to_value(one, {})), "te.reduce_axis((0, n)) makes one");
    }
    out.push_back(one.cast<AxisObject&>().axis);
  }
  return out;
}

py::list axis_list(const std::vector<te::IterVar>& axes) {
  py::list out;
  for (const te::IterVar& iv : axes) out.append(AxisObject(iv));
  return out;
}

/// A constant extent as the number that it is.
py::object number(const Expr& e) {
  if (const int64_t* k = as_int(e)) return py::int_(*k);
  return py::cast(e);
}

Expr cell(const te::Tensor& tensor, const py::sequence& at) {
  const Buffer& buffer = tensor.buffer();
  std::vector<Expr> indices;
  for (py::handle one : at) indices.push_back(index_of(one, "an index"));
  if (indices.size() != buffer->ndim()) {
    throw Misuse("'" + buffer->name + "' has " + std::to_string(buffer->ndim()) + " axes, and is read at " +
                 std::to_string(indices.size()) + " indices");
  }
  return load(buffer, indices);
}

std::vector<te::Tensor> computed(const std::string& name, const py::sequence& axes, const py::sequence& bodies) {
  return told([&] {
    if (!bodies.empty() && py::isinstance<ReductionObject>(py::object(bodies[0]))) {
      const auto first = py::object(bodies[0]).cast<ReductionObject>();
      for (size_t k = 0; k < bodies.size(); ++k) {
        const py::object body = bodies[k];
        if (!py::isinstance<ReductionObject>(body) || body.cast<ReductionObject>().reduction != first.reduction ||
            body.cast<ReductionObject>().index != k) {
          throw Misuse("several outputs are all values of one reduction, in order");
        }
      }
      if (bodies.size() != first.reduction->sources.size()) {
        throw Misuse("this reduction gives " + std::to_string(first.reduction->sources.size()) + " values");
      }
      return te::compute(name, axes_of(axes), *first.reduction, written().span);
    }
    std::vector<Expr> values;
    for (py::handle body : bodies) values.push_back(expression(body));
    if (values.empty()) throw Misuse("te.compute computes nothing");
    return te::compute(name, axes_of(axes), values, written().span);
  });
}

std::shared_ptr<const te::Reducer> reducer(const std::string& name, const std::vector<Expr>& lhs,
                                           const std::vector<Expr>& rhs, const py::sequence& results,
                                           const py::sequence& identity) {
  te::Reducer out{.name = name};
  for (size_t k = 0; k < lhs.size(); ++k) {
    out.lhs.push_back(lhs[k]->var()), out.rhs.push_back(rhs[k]->var());
    const DType type = lhs[k]->dtype;
    out.results.push_back(typed(py::object(results[k]), type, "what the reducer '" + name + "' gives"));
    out.identity.push_back(typed(py::object(identity[k]), type, "what the reducer '" + name + "' starts at"));
  }
  return std::make_shared<const te::Reducer>(std::move(out));
}

/// Values for which the law does not hold; nothing: it is proved.
std::optional<std::string> broken(const Obligation& law) {
  static auto* prover = new Prover;  // answers are the same for everybody
  const Answer answer = prover->prove(law);
  if (answer.verdict == Verdict::Proved) return std::nullopt;
  if (answer.verdict == Verdict::Unknown) throw Refused(law, answer);
  std::string values;
  for (const auto& [var, value] : answer.model) {
    values += (values.empty() ? "" : ", ") + var.name() + " = " + to_string(value);
  }
  return values;
}

std::vector<te::Tensor> scan(const std::string& name, const std::vector<te::Tensor>& init,
                             const std::vector<te::Tensor>& update, const std::vector<te::Tensor>& state) {
  const std::vector<te::Tensor> out = told([&] { return te::scan(name, init, update, state); });
  for (const Obligation& law : te::scan_laws(*out[0].op->scan)) {
    const std::optional<std::string> values = broken(law);
    if (!values) continue;
    throw Misuse("it is not so that " + law.why + ": for " + *values,
                 "update(t) reads the states at times from 0 to t - 1");
  }
  return out;
}

/// Proves the laws; the one that is false, with values.
void prove_laws(const te::Reducer& r) {
  const std::vector<Obligation> laws = te::reducer_laws(r);
  if (laws.empty()) {
    throw Misuse(
        "whether '" + r.name + "' is associative cannot be asked: floats are read as integers for that, and it " +
            "calls functions, divides, converts, has a fraction or a number beyond 1e9, or compares floats and " +
            "multiplies them or has a number other than 0",
        "te.sum, te.prod, te.min or te.max", "UnsupportedError");
  }
  for (const Obligation& law : laws) {
    const std::optional<std::string> values = broken(law);
    if (!values) continue;
    throw Misuse("the reducer '" + r.name + "' is not associative: for " + *values + " the order changes the result",
                 "(a op b) op c and a op (b op c) must be one value, as of +, *, min and max");
  }
}

}  // namespace

void define_tensors(py::module_& native) {
  py::module_ te = native.def_submodule("te");
  py::class_<AxisObject, Expr>(te, "IterVar", "An axis of a computation, or a loop of a stage.")
      .def_property_readonly("var", [](const AxisObject& a) { return Expr(a.axis.var); })
      .def_property_readonly("name", [](const AxisObject& a) { return a.axis.var.name(); })
      .def_property_readonly("thread_tag", [](const AxisObject& a) { return a.axis.thread_tag; })
      .def_property_readonly("_dom",
                             [](const AxisObject& a) -> py::object {
                               if (!a.axis.dom.extent) return py::none();
                               return py::make_tuple(number(a.axis.dom.min), number(a.axis.dom.extent));
                             })
      .def("__repr__", [](const AxisObject& a) { return "<axis " + a.axis.var.name() + ">"; });
  py::class_<te::Tensor>(te, "Tensor", "What an operation computes, or is given.")
      .def_property_readonly("name", [](const te::Tensor& t) { return t.buffer()->name; })
      .def_property_readonly("dtype", [](const te::Tensor& t) { return t.buffer()->dtype.str(); })
      .def_property_readonly("ndim", [](const te::Tensor& t) { return t.buffer()->ndim(); })
      .def_property_readonly("shape",
                             [](const te::Tensor& t) {
                               py::list out;
                               for (const Expr& e : t.buffer()->shape) out.append(number(e));
                               return py::tuple(out);
                             })
      .def_property_readonly("op", [](const te::Tensor& t) { return std::const_pointer_cast<te::Operation>(t.op); })
      .def_property_readonly("value_index", [](const te::Tensor& t) { return t.index; })
      .def("_cell", &cell)
      .def("__eq__", [](const te::Tensor& a, const te::Tensor& b) { return a == b; })
      .def("__hash__", [](const te::Tensor& t) { return t.buffer()->id; })
      .def("__repr__", [](const te::Tensor& t) { return "<tensor " + t.buffer()->name + ">"; });
  py::class_<te::Operation, std::shared_ptr<te::Operation>>(te, "Operation")
      .def_property_readonly("name", [](const te::Operation& op) { return op.name; })
      .def_property_readonly("axis", [](const te::Operation& op) { return axis_list(op.axes); })
      .def_property_readonly("reduce_axis",
                             [](const te::Operation& op) {
                               return axis_list(op.reduction ? op.reduction->axes : std::vector<te::IterVar>{});
                             })
      .def_property_readonly(
          "_scan_axes",
          [](const te::Operation& op) {
            return axis_list(op.scan ? std::vector<te::IterVar>{op.axes[0]} : std::vector<te::IterVar>{});
          })
      .def_property_readonly(
          "_states", [](const te::Operation& op) { return op.scan ? op.scan->state : std::vector<te::Tensor>{}; })
      .def_property_readonly("num_outputs", [](const te::Operation& op) { return op.outputs.size(); })
      .def_property_readonly("body", [](const te::Operation& op) { return op.expressions(); })
      .def_property_readonly("input_tensors",
                             [](const te::Operation& op) {
                               std::vector<te::Tensor> out;
                               for (const Buffer& b : op.reads()) {
                                 const te::OperationRef from = te::operation_of(b);
                                 for (size_t k = 0; from && k < from->outputs.size(); ++k) {
                                   if (from->outputs[k] == b) out.push_back({from, k});
                                 }
                               }
                               return out;
                             })
      .def("output",
           [](const std::shared_ptr<te::Operation>& op, size_t index) {
             if (index >= op->outputs.size()) throw Misuse("'" + op->name + "' has no output " + std::to_string(index));
             return te::Tensor{op, index};
           })
      .def("__repr__", [](const te::Operation& op) { return "<operation " + op.name + ">"; });
  py::class_<ReductionObject>(te, "Reduce", "A reduction: the whole of what a te.compute gives.");
  py::class_<te::Reducer, std::shared_ptr<te::Reducer>>(te, "CommReducer");

  te.def("placeholder", [](const py::sequence& shape, const std::string& dtype, const std::string& name) {
    std::vector<Expr> extents;
    for (py::handle one : shape) extents.push_back(extent_of(one));
    return told([&] { return te::placeholder(extents, type_named(dtype), name); });
  });
  te.def("axis", [](const std::string& name, const py::object& extent) {
    const Expr e = extent_of(extent);
    return told([&] { return AxisObject(te::make_axis(name, {imm(e->dtype, 0), e}, IterKind::Spatial)); });
  });
  te.def("reduce_axis", [](const py::object& min, const py::object& end, const std::string& name) {
    Expr first = index_of(min, "the start"), last = index_of(end, "the end");
    // A number is of the type of the other end.
    if (as_int(first) && fits_type(last->dtype, *as_int(first))) first = imm(last->dtype, *as_int(first));
    if (as_int(last) && fits_type(first->dtype, *as_int(last))) last = imm(first->dtype, *as_int(last));
    if (!(first->dtype == last->dtype)) {
      throw Misuse("the axis '" + name + "' runs from " + first->dtype.str() + " to " + last->dtype.str(),
                   "both ends of one type: te.var(\"n\", \"" + last->dtype.str() + "\")");
    }
    Expr extent = is_int(first, 0) ? last : last - first;
    if (as_int(first) && as_int(last)) {
      const Wide n = Wide{*as_int(last)} - *as_int(first);
      if (n <= 0) throw Misuse("the axis '" + name + "' runs over nothing");
      if (!fits_type(first->dtype, n)) {
        throw Misuse("the axis '" + name + "' has more steps than " + first->dtype.str() + " holds");
      }
      extent = imm(first->dtype, n);
    }
    return told([&] { return AxisObject(te::make_axis(name, {first, extent}, IterKind::Reduce)); });
  });
  te.def("thread_axis",
         [](const std::string& tag) { return AxisObject(te::make_axis(tag, {}, IterKind::Opaque, tag)); });
  te.def("var", [](const std::string& name, const std::string& dtype) {
    return Expr(Var::fresh(te::identifier(name), type_named(dtype)));
  });
  te.def("operands", [](const std::string& name, const std::vector<std::string>& dtypes) {
    std::vector<Expr> out;
    for (const std::string& dtype : dtypes) out.emplace_back(Var::fresh(name, type_named(dtype), true));
    return out;
  });
  te.def("expression", [](const py::object& value) { return expression(value); });
  te.def("compute", &computed);
  te.def("scan", &scan);
  te.def("reducer", [](const std::string& name, const std::vector<Expr>& lhs, const std::vector<Expr>& rhs,
                       const py::sequence& results, const py::sequence& identity) {
    const auto out = reducer(name, lhs, rhs, results, identity);
    prove_laws(*out);
    return std::const_pointer_cast<te::Reducer>(out);
  });
  te.def("known_reducer", [](const std::string& name, const Expr& source) {
    const DType type = source->dtype;
    if (type.is_bool()) throw Misuse("te." + name + " of bool", "of numbers: A[k].astype(\"int32\")");
    const Var a = Var::fresh("x", type, true), b = Var::fresh("y", type, true);
    te::Reducer r{.name = name, .lhs = {a}, .rhs = {b}};
    auto extreme = [&](bool least) {
      if (type.is_float()) return least ? -largest_float(type) : largest_float(type);
      return 0.0;
    };
    auto end = [&](bool least) {
      return type.is_float() ? fimm(type, extreme(least)) : imm(type, least ? min_value(type) : max_value(type));
    };
    const Op op = name == "sum" ? Op::Add : name == "prod" ? Op::Mul : name == "max" ? Op::Max : Op::Min;
    r.results = {binary(op, a, b)};
    r.identity = {name == "sum"    ? zero(type)
                  : name == "prod" ? (type.is_float() ? fimm(type, 1) : imm(type, 1))
                                   : end(name == "max")};
    return std::make_shared<te::Reducer>(std::move(r));
  });
  te.def("reduce", [](const std::shared_ptr<te::Reducer>& r, const std::vector<Expr>& sources, const py::sequence& axes,
                      const py::object& condition, const py::sequence& init) {
    auto out = std::make_shared<te::Reduction>();
    out->reducer = r, out->sources = sources, out->axes = axes_of(axes);
    if (out->axes.empty()) throw Misuse("a reduction needs an axis", "axis=te.reduce_axis((0, n))");
    for (const te::IterVar& iv : out->axes) {
      if (iv.kind != IterKind::Reduce) {
        throw Misuse("'" + iv.var.name() + "' is no axis to reduce over", "te.reduce_axis((0, n)) makes one");
      }
    }
    if (!condition.is_none()) out->condition = typed(condition, kBool, "the condition 'where'");
    if (!init.empty() && init.size() != r->results.size()) {
      throw Misuse("'init' has " + std::to_string(init.size()) + " values, and '" + r->name + "' combines " +
                   std::to_string(r->results.size()));
    }
    for (size_t k = 0; k < init.size(); ++k) {
      out->init.push_back(typed(py::object(init[k]), r->results[k]->dtype, "'init'"));
    }
    std::vector<ReductionObject> values;
    for (size_t k = 0; k < sources.size(); ++k) values.push_back({out, k});
    return values;
  });
  te.def("math", [](const std::string& name, const std::vector<Expr>& args) {
    const DType type = args.at(0)->dtype;
    for (const Expr& e : args) {
      if (!(e->dtype == type)) throw Misuse("'" + name + "' of " + type.str() + " and " + e->dtype.str());
    }
    return call(type, name, args);
  });
  define_stages(te);
  define_index_maps(native);
}

}  // namespace hexproof::python
