// Tensor expressions in Python: the objects that scripts hold.
#pragma once
#include <pybind11/stl.h>

#include "rewrite/te/lower/lower.h"
#include "tools/python/objects.h"

namespace hexproof::python {

/// An axis is an expression, too.
struct AxisObject : Expr {
  explicit AxisObject(te::IterVar iv) : Expr(iv.var), axis(std::move(iv)) {}
  te::IterVar axis;
};

struct ReductionObject {
  std::shared_ptr<const te::Reduction> reduction;
  size_t index = 0;
};

struct TensorScheduleObject {
  te::Schedule schedule;
};

/// The class `_native.te` of te.py.
void define_tensors(py::module_& native);
void define_stages(py::module_& te);
void define_index_maps(py::module_& native);

/// Runs `f`; what it says is wrong of a graph or a schedule becomes a mistake of the user's.
template <class F>
auto told(F&& f) {
  try {
    return f();
  } catch (const te::ScheduleMistake& e) {
    throw Misuse(e.what(), e.hint, e.unsupported ? "UnsupportedError" : "InputError");
  } catch (const std::invalid_argument& e) {
    throw Misuse(e.what());
  }
}

inline te::Written written() {
  CallPlace place = place_of_call();
  return {place.text, place.span};
}

}  // namespace hexproof::python
