// Index maps and pad values: functions of the user's over indices.
#include "rewrite/schedule/bound.h"

namespace hexproof::calls {
namespace {

/// Variables for the parameters of `f`, of which there are `ndim` in all.
IndexMap over_indices(const Callable& f, std::optional<size_t> ndim, const Span& span, std::vector<Value>& values) {
  IndexMap map;
  auto add = [&](const std::string& name) {
    map.inputs.push_back(Var::fresh(name, kInt32));
    values.push_back({Expr(map.inputs.back())});
  };
  for (size_t k = 0; k < f.params.size(); ++k) {
    if (f.rest != k) {
      add(f.params[k]);
      continue;
    }
    if (!ndim) throw Error(span, "how many indices there are is not known here: name each of them");
    const size_t named = f.params.size() - 1;
    for (size_t j = 0; named + j < *ndim; ++j) add(f.params[k] + "_" + std::to_string(j));
  }
  return map;
}

}  // namespace

IndexMap index_map(const Value& value, const Span& span, std::optional<size_t> ndim) {
  const Callable* f = value.callable();
  if (!f) throw Error(span, "an index map is a lambda, not " + describe(value));
  std::vector<Value> values;
  IndexMap map = over_indices(*f, ndim, span, values);
  Value result = f->call(values, {});
  Sequence one{.items = {result}, .tuple = true};
  const Sequence* outputs = result.as<Sequence>();
  for (const Value& output : (outputs ? *outputs : one).items) {
    if (output.as<AxisSeparator>()) {
      map.axis_separators.push_back(static_cast<int>(map.outputs.size()));
    } else if (const Expr* e = output.as<Expr>()) {
      map.outputs.push_back(*e);
    } else if (const int64_t* k = output.as<int64_t>(); k && fits_type(kInt32, *k)) {
      map.outputs.push_back(i32(*k));
    } else {
      throw Error(span, "an index map gives indices, not " + describe(output));
    }
  }
  if (map.outputs.empty()) throw Error(span, "the index map gives no indices");
  return map;
}

std::optional<PadArg> pad_value(const Value& value, const Buffer& buffer, size_t ndim, const Span& span) {
  auto constant = [&](const Value& v) -> std::optional<Expr> {
    if (const int64_t* number = v.as<int64_t>()) return imm(kInt64, *number);
    if (const bool* truth = v.as<bool>()) return boolean(*truth);
    if (const double* number = v.as<double>()) return fimm(kFloat64, *number);
    if (const Undefined* undefined = v.as<Undefined>()) {
      if (undefined->dtype && *undefined->dtype != buffer->dtype) {
        throw Error(span, "the pad value has type " + undefined->dtype->str() + ", but '" + buffer->name + "' holds " +
                              buffer->dtype.str());
      }
      return undef(buffer->dtype);
    }
    if (const Expr* e = v.as<Expr>()) return *e;
    return std::nullopt;
  };
  if (value.as<None>()) return std::nullopt;
  const Callable* f = value.callable();
  if (!f) {
    std::optional<Expr> e = constant(value);
    if (!e) throw Error(span, "a pad value is None, a number, undef or a lambda, not " + describe(value));
    return PadArg(*e);
  }
  if (f->rest ? f->params.size() > ndim + 1 : f->params.size() != ndim) {
    throw Error(span, "the pad value takes " + std::to_string(f->params.size()) + " indices, but '" + buffer->name +
                          "' has " + std::to_string(ndim) + " in the new layout");
  }
  std::vector<Value> values;
  IndexMap map = over_indices(*f, ndim, span, values);
  // In the function the name of the buffer is the buffer, in the new layout.
  Value result = f->call(values, {{buffer->name, {TransformedBuffer{buffer->name, buffer->dtype, ndim}}}});
  if (result.as<None>()) return std::nullopt;
  std::optional<Expr> e = constant(result);
  if (!e) throw Error(span, "a pad value gives a number, an expression, undef or None, not " + describe(result));
  if ((*e)->op == Op::Undef || (*e)->op == Op::IntImm || (*e)->op == Op::FloatImm) return PadArg(*e);
  map.outputs.push_back(*e);
  return PadArg(map);
}

}  // namespace hexproof::calls
