// Expressions in Python: arithmetic on indices and constants, and TVM's functions on them.
#include <cmath>
#include <limits>

#include "ir/float_format.h"
#include "ir/text/text.h"
#include "tools/python/objects.h"

namespace hexproof::python {
namespace {

constexpr uint32_t kDeepest = 500;

bool is_number(py::handle value) { return PyFloat_Check(value.ptr()) || PyIndex_Check(value.ptr()); }

/// A value as an operand beside one of this type; nothing when it is none.
Expr operand(py::handle value, DType type, const char* op) {
  if (py::isinstance<Expr>(value)) return value.cast<Expr>();
  const calls::Value plain = is_number(value) ? to_value(value, {}) : calls::Value{};
  const bool* truth = plain.as<bool>();
  const int64_t* number = plain.as<int64_t>();
  const double* real = plain.as<double>();
  if (truth && type.is_bool()) return boolean(*truth);
  if (type.is_float() && (number || real)) return fimm(type, real ? *real : static_cast<double>(*number));
  if (!number || !type.is_integer()) return {};
  if (!fits_type(type, *number)) {
    throw Misuse("the integer exceeds " + std::to_string(type.bits) + " bits in '" + op + "'");
  }
  return imm(type, *number);
}

std::string in_words(py::handle value) { return calls::describe(to_value(value, {})); }

/// Both operands, of one type that the operation is for.
std::pair<Expr, Expr> operands(py::handle a, py::handle b, const char* op) {
  const bool first = py::isinstance<Expr>(a), second = py::isinstance<Expr>(b);
  if (!first && !second) throw Misuse(std::string("'") + op + "' of " + in_words(a) + " and " + in_words(b));
  const DType type = (first ? a : b).cast<Expr>()->dtype;
  Expr left = operand(a, type, op), right = operand(b, type, op);
  if (!left || !right) throw Misuse(std::string("'") + op + "' of " + in_words(a) + " and " + in_words(b));
  if (left->dtype != right->dtype) {
    throw Misuse(std::string("'") + op + "' of " + left->dtype.str() + " and " + right->dtype.str());
  }
  if (std::max(left->depth, right->depth) > kDeepest) throw Misuse("this nests too deeply");
  return {left, right};
}

Expr operation(Op op, const char* text, py::handle a, py::handle b) {
  auto [left, right] = operands(a, b, text);
  const DType type = left->dtype;
  const bool integers = op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
  const bool bits = op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor || op == Op::Shl || op == Op::Shr;
  const bool truths = op == Op::And || op == Op::Or;
  const bool any = op == Op::EQ || op == Op::NE;
  const bool fits = truths             ? type.is_bool()
                    : any              ? true
                    : integers || bits ? type.is_integer()
                    : op == Op::Div    ? type.is_float()
                                       : !type.is_bool();
  if (!fits) throw Misuse(std::string("'") + text + "' of " + type.str());
  return binary(op, left, right);
}

Expr truth(py::handle value, const char* of) {
  if (PyBool_Check(value.ptr())) return boolean(value.ptr() == Py_True);
  if (!py::isinstance<Expr>(value) || !value.cast<Expr>()->dtype.is_bool()) {
    throw Misuse(std::string(of) + " takes conditions, not " + in_words(value));
  }
  return value.cast<Expr>();
}

Expr conjunction(Op op, const char* text, const py::args& args) {
  if (args.empty()) throw Misuse(std::string(text) + " takes conditions");
  Expr out = truth(args[0], text);
  for (size_t k = 1; k < args.size(); ++k) out = binary(op, out, truth(args[k], text));
  return out;
}

DType dtype_named(py::handle name) {
  std::optional<DType> type = PyUnicode_Check(name.ptr()) ? parse_dtype(name.cast<std::string>()) : std::nullopt;
  if (!type || !type->is_scalar() || type->is_handle()) throw Misuse("expected the name of a scalar dtype");
  return *type;
}

double real_of(py::handle value) {
  const calls::Value plain = to_value(value, {});
  if (const double* x = plain.as<double>()) return *x;
  if (const int64_t* k = plain.as<int64_t>()) return static_cast<double>(*k);
  if (const std::string* text = plain.as<std::string>()) {
    if (*text == "inf") return std::numeric_limits<double>::infinity();
    if (*text == "-inf") return -std::numeric_limits<double>::infinity();
    if (*text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  throw Misuse("expected a number, not " + calls::describe(plain));
}

Expr conversion(DType type, const Expr& value) { return value->dtype == type ? value : cast(type, value); }

Expr constant(py::handle dtype, py::handle value) {
  const DType type = dtype_named(dtype);
  if (py::isinstance<Expr>(value)) return conversion(type, value.cast<Expr>());
  if (type.is_float()) return fimm(type, real_of(value));
  const calls::Value plain = to_value(value, {});
  if (const bool* b = plain.as<bool>(); b && type.is_bool()) return boolean(*b);
  const int64_t* number = plain.as<int64_t>();
  if (!number || !fits_type(type, *number)) throw Misuse("expected an integer that fits " + type.str());
  return imm(type, *number);
}

Expr extreme(py::handle dtype, bool least) {
  const DType type = dtype_named(dtype);
  if (!type.is_float()) return imm(type, least ? min_value(type) : max_value(type));
  const double most = largest_float(type);
  return fimm(type, least ? -most : most);
}

Expr chosen(bool lazily, py::handle condition, py::handle yes, py::handle no) {
  const Expr when = truth(condition, "a choice");
  auto [a, b] = operands(yes, no, "a choice");
  return lazily ? if_then_else(when, a, b) : select(when, a, b);
}

Expr negated(const Expr& e) {
  // 0 - x would be +0.0 for x == 0.0.
  if (e->op == Op::FloatImm) return fimm(e->dtype, -e->float_value());
  if (!e->dtype.is_integer()) throw Misuse("'-' of " + e->dtype.str());
  return zero(e->dtype) - e;
}

struct Operator {
  const char *method, *mirrored, *text;
  Op op;
};
constexpr Operator kOperators[] = {{"__add__", "__radd__", "+", Op::Add},
                                   {"__sub__", "__rsub__", "-", Op::Sub},
                                   {"__mul__", "__rmul__", "*", Op::Mul},
                                   {"__floordiv__", "__rfloordiv__", "//", Op::FloorDiv},
                                   {"__mod__", "__rmod__", "%", Op::FloorMod},
                                   {"__truediv__", "__rtruediv__", "/", Op::Div},
                                   {"__and__", "__rand__", "&", Op::BitAnd},
                                   {"__or__", "__ror__", "|", Op::BitOr},
                                   {"__xor__", "__rxor__", "^", Op::BitXor},
                                   {"__lshift__", "__rlshift__", "<<", Op::Shl},
                                   {"__rshift__", "__rrshift__", ">>", Op::Shr},
                                   {"__eq__", nullptr, "==", Op::EQ},
                                   {"__ne__", nullptr, "!=", Op::NE},
                                   {"__lt__", nullptr, "<", Op::LT},
                                   {"__le__", nullptr, "<=", Op::LE},
                                   {"__gt__", nullptr, ">", Op::GT},
                                   {"__ge__", nullptr, ">=", Op::GE}};

/// `&` and `|` of conditions are conjunction and disjunction, as in TVM.
Op on_truths(Op op, py::handle a) {
  const bool truths = py::isinstance<Expr>(a) && a.cast<Expr>()->dtype.is_bool();
  return !truths ? op : op == Op::BitAnd ? Op::And : op == Op::BitOr ? Op::Or : op;
}

}  // namespace

void define_expressions(py::module_& native) {
  py::class_<Expr> expr(native, "PrimExpr", "An index, or a constant, of a program.");
  for (const Operator& row : kOperators) {
    expr.def(row.method, [row](const py::object& a, const py::object& b) -> py::object {
      return py::cast(operation(on_truths(row.op, a), row.text, a, b));
    });
    if (!row.mirrored) continue;
    expr.def(row.mirrored, [row](const py::object& b, const py::object& a) -> py::object {
      return py::cast(operation(on_truths(row.op, b), row.text, a, b));
    });
  }
  expr.def("__neg__", &negated)
      .def("__pos__", [](const Expr& e) { return e; })
      .def("__invert__",
           [](const Expr& e) {
             if (!e->dtype.is_bool() && !e->dtype.is_integer()) throw Misuse("'~' of " + e->dtype.str());
             return e->dtype.is_bool() ? lnot(e) : unary(Op::BitNot, e);
           })
      .def("__bool__",
           [](const Expr&) -> bool {
             throw Misuse("an expression over indices has no value while the schedule runs",
                          "T.And, T.Or, T.Not and T.if_then_else in place of `and`, `or`, `not` and `if`");
           })
      .def("__hash__", [](const Expr& e) { return reinterpret_cast<Py_hash_t>(e.get()); })
      .def("astype", [](const Expr& e, const py::object& type) { return conversion(dtype_named(type), e); })
      .def_property_readonly("dtype", [](const Expr& e) { return e->dtype.str(); })
      .def_property_readonly("value",
                             [](const Expr& e) -> py::object {
                               if (e->op == Op::IntImm) return py::int_(e->int_value());
                               if (e->op == Op::FloatImm) return py::float_(e->float_value());
                               throw Misuse("it is no constant", "", "MissingError");
                             })
      .def("__repr__", [](const Expr& e) { return print(e); });

  py::class_<calls::AxisSeparator>(native, "AxisSeparator").def("__repr__", [](const calls::AxisSeparator&) {
    return "IndexMap.AXIS_SEPARATOR";
  });
  native.attr("AXIS_SEPARATOR") = py::cast(calls::AxisSeparator{});
  py::class_<calls::Undefined>(native, "Undef", "T.undef(): anything may stand there.")
      .def("__repr__", [](const calls::Undefined& u) {
        return u.dtype ? "T.undef(dtype=\"" + u.dtype->str() + "\")" : std::string("T.undef()");
      });
  py::class_<calls::TransformedBuffer>(native, "TransformedBuffer", "In a pad value: the buffer in its new layout.")
      .def("__getitem__", [](const calls::TransformedBuffer& buffer, const py::object& at) {
        std::vector<calls::Value> indices;
        for (py::handle index : PyTuple_Check(at.ptr()) ? py::tuple(at) : py::make_tuple(at)) {
          indices.push_back(to_value(index, {}));
        }
        return from_value(calls::cell_of(buffer, indices, {}));
      });

  native.def("constant", &constant);
  native.def(
      "undef",
      [](const py::object& dtype) {
        return calls::Undefined{dtype.is_none() ? std::nullopt : std::optional(dtype_named(dtype))};
      },
      py::arg("dtype") = py::none());
  native.def(
      "min_value", [](const py::object& dtype) { return extreme(dtype, true); }, py::arg("dtype"));
  native.def(
      "max_value", [](const py::object& dtype) { return extreme(dtype, false); }, py::arg("dtype"));
  native.def(
      "infinity",
      [](const py::object& dtype) {
        if (!dtype_named(dtype).is_float()) throw Misuse(dtype_named(dtype).str() + " has no infinity");
        return fimm(dtype_named(dtype), std::numeric_limits<double>::infinity());
      },
      py::arg("dtype"));
  for (auto [name, op] : {std::pair{"floordiv", Op::FloorDiv},
                          {"floormod", Op::FloorMod},
                          {"truncdiv", Op::TruncDiv},
                          {"truncmod", Op::TruncMod},
                          {"indexdiv", Op::FloorDiv},
                          {"indexmod", Op::FloorMod},
                          {"min", Op::Min},
                          {"max", Op::Max}}) {
    native.def(name, [name = name, op = op](const py::object& a, const py::object& b) -> py::object {
      if (!py::isinstance<Expr>(a) && !py::isinstance<Expr>(b)) {
        return py::cast(operation(op, name, py::cast(constant(py::str("int32"), a)), b));
      }
      return py::cast(operation(op, name, a, b));
    });
  }
  native.def("And", [](const py::args& args) { return conjunction(Op::And, "And", args); });
  native.def("Or", [](const py::args& args) { return conjunction(Op::Or, "Or", args); });
  native.def("all", [](const py::args& args) { return conjunction(Op::And, "all", args); });
  native.def("any", [](const py::args& args) { return conjunction(Op::Or, "any", args); });
  native.def("Not", [](const py::object& a) { return lnot(truth(a, "Not")); });
  native.def("if_then_else",
             [](const py::object& c, const py::object& a, const py::object& b) { return chosen(true, c, a, b); });
  native.def("Select",
             [](const py::object& c, const py::object& a, const py::object& b) { return chosen(false, c, a, b); });
  native.def("Cast", [](const py::object& dtype, const py::object& value) { return constant(dtype, value); });
  native.def("cast", [](const py::object& value, const py::object& dtype) { return constant(dtype, value); });
  py::list functions;
  for (const char* name : {"undef",    "min_value", "max_value", "infinity",     "floordiv", "floormod", "truncdiv",
                           "truncmod", "indexdiv",  "indexmod",  "min",          "max",      "And",      "Or",
                           "all",      "any",       "Not",       "if_then_else", "Select",   "Cast",     "cast"}) {
    functions.append(name);
  }
  native.attr("functions") = functions;
  py::list dtypes;
#define DTYPE(constant, name, ...) dtypes.append(name);
#include "ir/dtypes.def"
#undef DTYPE
  native.attr("dtypes") = dtypes;
}

}  // namespace hexproof::python
